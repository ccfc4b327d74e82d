import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { afterEach, expect, test, vi } from 'vitest'
import { createPageChecker, describeWithBrowser, type PageChecker } from '../support/browser.ts'
import { verdictOf } from '../support/check.ts'
import { createNastyServers } from '../support/nasty-server.ts'

const megabyte = 1_048_576

// Starting a browser on a machine under load takes its time.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

/** A page of a quiet owner. Its picture comes only when the test lets it come. */
async function quietPage(servers: ReturnType<typeof createNastyServers>) {
  const asked = new EventTarget()
  const pictures: ServerResponse[] = []
  const port = await servers.good((request, response) => {
    if (request.url === '/') return response.setHeader('content-type', 'text/html').end('<img src="/picture">')
    if (request.url !== '/picture') return response.writeHead(404).end()
    pictures.push(response)
    return asked.dispatchEvent(new Event('picture'))
  })
  return {
    address: `127.0.0.1:${port}/`,
    pictures,
    nextPicture: () => once(asked, 'picture'),
    show: () => void pictures.at(-1)?.writeHead(404).end(),
  }
}

describeWithBrowser('owners that share a browser', () => {
  const servers = createNastyServers()
  let checker: PageChecker
  afterEach(async () => {
    servers.closeAll()
    await checker.stop()
  })

  test('whoever ends the browser of others does it once: afterwards it ends its own alone', async () => {
    const ends = new EventTarget()
    checker = createPageChecker({
      allow: ['127.0.0.0/8'],
      launch: {
        memoryLimits: { renderer: 1024 * megabyte, other: 400 * megabyte, sum: 4096 * megabyte },
        onEnded: (what) => void (what === 'browser' && ends.dispatchEvent(new Event('end'))),
      },
    })
    // Blobs are kept in the browser's own process, so there is no page to end.
    const greedyPort = await servers.good((request, response) => {
      if (request.url !== '/') return response
      return response.setHeader('content-type', 'text/html').end(`<script>
        const kept = []
        for (let n = 0; n < 12; n++) kept.push(new Blob([new Uint8Array(50 * 1048576).fill(n + 1)]))
      </script><img src="/never">`)
    })
    const greedy = () => checker.check('fullpage', `127.0.0.1:${greedyPort}/`, { timeout: 15_000 }, 'greedy')
    const quiet = await quietPage(servers)
    const visit = () => checker.check('fullpage', quiet.address, { timeout: 25_000 }, 'quiet')

    const firstPicture = quiet.nextPicture()
    const harmed = visit()
    await firstPicture
    const secondPicture = quiet.nextPicture()
    const firstEnd = once(ends, 'end')
    const culprit = greedy()
    await firstEnd
    await secondPicture
    quiet.show()
    expect(verdictOf(await harmed)).toBe('ok')
    expect(verdictOf(await culprit)).toBe('browser_failed')
    expect(quiet.pictures).toHaveLength(2)

    const thirdPicture = quiet.nextPicture()
    const spared = visit()
    await thirdPicture
    const anotherEnd = once(ends, 'end')
    const again = greedy()
    await anotherEnd
    expect(verdictOf(await again)).toBe('browser_failed')
    quiet.show()
    expect(verdictOf(await spared)).toBe('ok')
    expect(quiet.pictures).toHaveLength(3)
  })
})
