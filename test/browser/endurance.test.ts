// Hostile pages may leave nothing behind. HOSTILE_CHECKS=300 makes it the long run.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { residentBytes } from '../../src/sensor/browser/launch.ts'
import { createPageChecker, describeWithBrowser, type PageChecker } from '../support/browser.ts'
import { verdictOf } from '../support/check.ts'
import { type HostilePage, hostilePages, serveHostile } from '../support/hostile-pages.ts'
import { createNastyServers } from '../support/nasty-server.ts'

/** Each of the quick pages once, and some again: what each is called, `hostile-pages.test.ts` asks. */
const checks = Number(process.env['HOSTILE_CHECKS'] ?? 24)
/** A browser that a page brings down takes the visits beside it with it. */
const mostOthers = Math.max(2, checks / 20)
const atOnce = 4
/** A page that fills the memory needs the CPU for it: on a busy machine not to be taken for one that never ends. */
const patienceMs = 60_000
const megabyte = 1024 ** 2
/** Pages that end by themselves; others, which run into a time limit, only make the run long. */
const quick = hostilePages.filter(({ verdict }) => verdict !== 'page_timeout' && verdict !== 'page_unresponsive')
const leftBehind = /^(latarnik-visit-|playwright)/

/** The memory of this process without its garbage. Bytes. */
function heldBytes(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}

/** Living processes of a group (Linux). */
function processesOf(group: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((id) => {
      try {
        // After the name in parentheses: state, parent, group.
        const [state, , itsGroup] = (readFileSync(`/proc/${id}/stat`, 'latin1').split(') ').at(-1) ?? '').split(' ')
        return Number(itsGroup) === group && state !== 'Z'
      } catch {
        return false
      }
    })
    .map(Number)
}

function temporaryFolders(directory: string): string[] {
  return readdirSync(directory).filter((name) => leftBehind.test(name))
}

describeWithBrowser('after many hostile checks', () => {
  const servers = createNastyServers()
  const groups = new Set<number>()
  const running = new Set<number>()
  // Other tests have browsers as well.
  const ownDirectory = mkdtempSync(join(tmpdir(), 'latarnik-endurance-'))
  const usualDirectory = process.env['TMPDIR']
  let checker: PageChecker
  beforeAll(() => {
    process.env['TMPDIR'] = ownDirectory
    checker = createPageChecker({
      answerPatienceMs: patienceMs,
      launch: {
        visitsPerBrowser: Math.ceil(checks / 3),
        onProcess: (processId, isRunning) => {
          groups.add(processId)
          if (isRunning) running.add(processId)
          else running.delete(processId)
        },
      },
    })
  })
  afterAll(async () => {
    if (usualDirectory === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = usualDirectory
    rmSync(ownDirectory, { recursive: true, force: true })
    await servers.closeAll()
  })

  test(`${checks} of them`, { timeout: 60_000 + checks * 10_000, skip: process.platform !== 'linux' }, async () => {
    const wrong: string[] = []
    // The driver itself, and what it makes at the first visit, stays.
    await checker.check('fullpage', '127.0.0.1:1/')
    const heldBefore = heldBytes()
    const next = (function* () {
      for (let turn = 0; turn < checks; turn += 1) yield quick[turn % quick.length] as HostilePage
    })()
    const work = async (): Promise<void> => {
      for (const page of next) {
        const port = await servers.good(serveHostile(page))
        const result = await checker.check('fullpage', `127.0.0.1:${port}/`, { timeout: patienceMs, ...page.settings })
        if (verdictOf(result) !== page.verdict) wrong.push(`${page.name}: ${verdictOf(result)} ${result.errorMessage}`)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    const good = await servers.good((_request, response) => response.end('fine'))
    const judgedWell = async () => {
      const judged = await checker.check('fullpage', `127.0.0.1:${good}/`, { content_regex: 'fine' })
      expect(verdictOf(judged)).toBe('ok')
      return running.size
    }
    // A browser that has had its number of visits goes; the next one comes with the next visit.
    if ((await judgedWell()) === 0) expect(await judgedWell()).toBe(1)
    const [current] = running
    // A browser without pages: itself, its zygotes, and those for graphics, network and storage.
    await expect.poll(() => processesOf(current ?? 0).length).toBeLessThanOrEqual(9)
    const grown = {
      browser: Math.round((residentBytes(current ?? 0) ?? 0) / megabyte),
      ours: Math.round((heldBytes() - heldBefore) / megabyte),
    }
    process.stderr.write(
      `After ${checks} hostile checks: ${processesOf(current ?? 0).length} processes, the browser with ${grown.browser} MB, ours grown by ${grown.ours} MB, ${groups.size} browsers, ${wrong.length} other verdicts.\n`,
    )
    expect(grown.browser).toBeLessThan(400)
    expect(grown.ours).toBeLessThan(40)
    await checker.stop()
    for (const group of groups) await expect.poll(() => processesOf(group)).toEqual([])
    expect(temporaryFolders(ownDirectory)).toEqual([])
    // They are tried once more, then unknown.
    expect(wrong.filter((line) => !/: (browser_failed|sensor_held) /.test(line))).toEqual([])
    expect(wrong.length).toBeLessThanOrEqual(mostOthers)
  })
})
