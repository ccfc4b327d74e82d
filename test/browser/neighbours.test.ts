import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { createPageChecker, createTestBrowser, describeWithBrowser, type PageChecker } from '../support/browser.ts'
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
  let checker: PageChecker | null = null
  afterEach(async () => {
    servers.closeAll()
    await checker?.stop()
    checker = null
  })

  test('whoever ends the browser of others does it once: afterwards it ends its own alone', async () => {
    const ends = new EventTarget()
    const own = createPageChecker({
      allow: ['127.0.0.0/8'],
      launch: {
        memoryLimits: { renderer: 1024 * megabyte, other: 400 * megabyte, sum: 4096 * megabyte },
        onEnded: (what) => void (what === 'browser' && ends.dispatchEvent(new Event('end'))),
      },
    })
    checker = own
    // Blobs are kept in the browser's own process, so there is no page to end.
    const greedyPort = await servers.good((request, response) => {
      if (request.url !== '/') return response
      return response.setHeader('content-type', 'text/html').end(`<script>
        const kept = []
        for (let n = 0; n < 12; n++) kept.push(new Blob([new Uint8Array(50 * 1048576).fill(n + 1)]))
      </script><img src="/never">`)
    })
    const greedy = () => own.check('fullpage', `127.0.0.1:${greedyPort}/`, { timeout: 15_000 }, 'greedy')
    const quiet = await quietPage(servers)
    const visit = () => own.check('fullpage', quiet.address, { timeout: 25_000 }, 'quiet')

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

  test('what the page of one says at its console is not told to another one', async () => {
    let processId = 0
    const browser = createTestBrowser({
      onProcess: (id, isRunning) => {
        if (isRunning) processId = id
      },
    })
    const talking = await browser.enter(10_000, 'talking')
    const context = await talking.open({})
    const page = await context.newPage()
    await page.evaluate('void setTimeout(() => console.error("a token of mine"))')
    const next = await browser.enter(10_000, 'next')
    // A call under way when the browser ends is refused with all that the browser wrote.
    process.kill(processId, 'SIGSTOP')
    const refused = next.open({}).catch((error: unknown) => error)
    for (let turn = 0; turn < 50; turn += 1) await nextTurn()
    process.kill(processId, 'SIGKILL')
    const refusal = await refused
    expect(refusal).toMatchObject({
      symbol: 'browser_failed',
      message: expect.stringMatching(/^[^\n]* has been closed$/),
    })
    await talking.leave(context)
    await next.leave(null)
    await browser.stop()
  })

  test('the CPU that pages of others took is nobody’s fault; whose page took it shows in a browser of its own', async () => {
    let taken = { delayMs: 0, cpuMs: 0 }
    const processIds: number[] = []
    const browser = createTestBrowser({
      readings: { family: () => [1], cpus: 2, runDelay: () => taken.delayMs, cpuMs: () => taken.cpuMs },
      onProcess: (id, isRunning) => {
        if (isRunning) processIds.push(id)
      },
    })
    const alone = await browser.enter(10_000, 'quiet')
    const startedMs = performance.now()
    const starvedMs = alone.watchStarvationByOthers()
    taken = { delayMs: 50, cpuMs: 100 }
    expect(starvedMs(), 'its own threads took both CPUs').toBe(0)
    const busy = await browser.enter(10_000, 'busy')
    const longMs = 2 * (performance.now() - startedMs) + 60_000
    taken = { delayMs: longMs, cpuMs: 2 * longMs }
    expect(starvedMs()).toBe(longMs)
    expect(processIds).toHaveLength(1)

    await alone.leave(null)
    const apart = await browser.enter(10_000, 'quiet')
    expect(processIds).toHaveLength(2)
    const ownMs = apart.watchStarvationByOthers()
    taken = { delayMs: 2 * longMs, cpuMs: 4 * longMs }
    expect(ownMs()).toBe(0)
    await apart.leave(null)
    await busy.leave(null)
    await browser.stop()
  })
})
