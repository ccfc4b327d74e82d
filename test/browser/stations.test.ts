// The browser as the stations of a program use it: in a process of its own, which may end at any moment.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { examineBrowser } from '../../src/cli/examine/machine.ts'
import { answerDeadline } from '../../src/domain/judging/analysis.ts'
import { findBrowser } from '../../src/sensor/browser/find-browser.ts'
import { type LocalStations, startLocalStations } from '../../src/sensor/local.ts'
import { browserChoice, describeWithBrowser } from '../support/browser.ts'
import { jobFor, verdictOf } from '../support/check.ts'
import { createNastyServers } from '../support/nasty-server.ts'
import { patiently } from '../support/patience.ts'

// Starting a browser on a machine under load takes its time.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 })

const servers = createNastyServers()
let stations: LocalStations | null = null
afterEach(async () => {
  servers.closeAll()
  await stations?.stop()
  stations = null
})

async function start(chromiumPath = browserChoice.chromiumPath, sensorIds = [3]): Promise<LocalStations> {
  stations = await startLocalStations({
    sensorIds,
    allow: 'all',
    log: () => {},
    browser: { ...browserChoice, chromiumPath },
  })
  return stations
}

/** Descendants of this process by the text in their command line (Linux). */
function processesOf(parent: number, text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((id) => {
      try {
        const itsParent = (readFileSync(`/proc/${id}/stat`, 'latin1').split(') ').at(-1) ?? '').split(' ')[1]
        return Number(itsParent) === parent && readFileSync(`/proc/${id}/cmdline`, 'latin1').includes(text)
      } catch {
        return false
      }
    })
    .map(Number)
}

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0) && !/\) Z /.test(readFileSync(`/proc/${id}/stat`, 'latin1'))
  } catch {
    return false
  }
}

test('where no browser is to be found there is none', () => {
  const emptyDirectory = mkdtempSync(join(tmpdir(), 'latarnik-no-browser-'))
  onTestFinished(() => rmSync(emptyDirectory, { recursive: true }))
  expect(findBrowser({ chromiumPath: null, searchPath: '', carried: () => null })).toBeNull()
  expect(findBrowser({ chromiumPath: '/opt/browser', searchPath: '' })).toEqual({
    kind: 'configured',
    path: '/opt/browser',
  })
  expect(
    findBrowser({
      chromiumPath: null,
      searchPath: emptyDirectory,
      carried: () => ({ version: '1', source: join('x') }),
    })?.kind,
  ).toBe('carried')
})

test('stations without a browser say so and do not offer phones and scenarios', async () => {
  stations = await startLocalStations({ sensorIds: [3], allow: 'all', log: () => {} })
  const result = await stations.check(jobFor('fullpage', '127.0.0.1:9/'))
  expect([result.result, verdictOf(result)]).toEqual(['unknown', 'browser_missing'])
  expect(stations.categories).not.toContain('mobile')
  expect(stations.categories).not.toContain('webappcheck')
})

test.each([
  ['none', true, 'browser_not_isolated'],
  ['container', true, 'browser_failed'],
  ['none', false, 'browser_failed'],
] as const)(
  'with isolation %s and registration open: %s, a page is %s',
  async (isolation, isRegistrationOpen, verdict) => {
    stations = await startLocalStations({
      ...{ sensorIds: [3], allow: 'all', log: () => {}, isRegistrationOpen },
      browser: { ...browserChoice, chromiumPath: '/nowhere/chromium', isolation },
    })
    const result = await stations.check(jobFor('fullpage', '127.0.0.1:9/'))
    expect([result.result, verdictOf(result)]).toEqual(['unknown', verdict])
    const isRefused = verdict === 'browser_not_isolated'
    expect(stations.categories.includes('mobile')).toBe(!isRefused)
    expect(stations.unsupportedTypes.includes('fullpage')).toBe(isRefused)
    expect(stations.browser === null).toBe(isRefused)
  },
)

test('a browser that does not start is the station’s fault; its log has the reason, and its visitors no paths', async () => {
  const logged: unknown[] = []
  const log = (_level: string, message: string, facts?: object) => void logged.push({ message, ...facts })
  stations = await startLocalStations({
    ...{ sensorIds: [3], allow: 'all', log },
    browser: { ...browserChoice, chromiumPath: '/nowhere/chromium' },
  })
  const result = await stations.check(jobFor('fullpage', '127.0.0.1:9/'))
  expect([result.result, verdictOf(result)]).toEqual(['unknown', 'browser_failed'])
  expect(result.errorMessage).toMatch(/does not start; the log of this station says why/)
  expect(JSON.stringify(result)).not.toContain('nowhere')
  await expect
    .poll(() => logged, patiently)
    .toContainEqual({ message: 'The browser did not start.', error: expect.stringContaining('/nowhere/chromium') })
})

describeWithBrowser('the doctor', () => {
  const isolationless = { ...browserChoice, isolation: 'none' } as const
  test.each([
    ['has nothing against it where nobody registers', isolationless, false, 'ok', 'without sandbox (CHROMIUM_SANDBOX)'],
    ['says why pages are not checked where anybody may', isolationless, true, 'missing', 'REGISTRATION=on'],
    ['says of a station far away what its core may do', isolationless, null, 'note', 'REGISTRATION=on'],
    ['believes in a container', { ...browserChoice, isolation: 'container' }, true, 'ok', 'in a container'],
  ] as const)('%s', async (_says, browser, isRegistrationOpen, state, text) => {
    const found = await examineBrowser({ browser, isRegistrationOpen })
    expect(found).toMatchObject({ subject: 'Browser', state, text: expect.stringContaining(text) })
  })
})

describeWithBrowser('stations with a browser', () => {
  test('check pages beside everything else', async () => {
    const page = await servers.good((_request, response) => response.end('fine'))
    const { check, categories } = await start()
    expect(categories).toEqual(expect.arrayContaining(['default', 'mobile', 'webappcheck']))
    const typeIds = ['fullpage', 'mobilepage', 'http']
    const results = await Promise.all(typeIds.map((typeId) => check(jobFor(typeId, `127.0.0.1:${page}/`))))
    expect(results.map(verdictOf)).toEqual(['ok', 'ok', 'ok'])
  })

  test('start the process for pages with the first page', async () => {
    const page = await servers.good((_request, response) => response.end('fine'))
    const { check } = await start()
    const before = processesOf(process.pid, 'sensor/process')
    expect(verdictOf(await check(jobFor('http', `127.0.0.1:${page}/`)))).toBe('ok')
    expect(processesOf(process.pid, 'sensor/process')).toEqual(before)
    const pages = ['fullpage', 'mobilepage'].map((typeId) => check(jobFor(typeId, `127.0.0.1:${page}/`)))
    expect((await Promise.all(pages)).map(verdictOf)).toEqual(['ok', 'ok'])
    if (process.platform === 'linux') {
      expect(processesOf(process.pid, 'sensor/process')).toHaveLength(before.length + 1)
    }
  })

  test('answer a page whose time is over before that process runs', async () => {
    const { check } = await start()
    const startAt = Date.now()
    const result = await check({ ...jobFor('fullpage', '127.0.0.1:9/'), startAt, deadlineAt: startAt + 1 })
    expect([result.result, verdictOf(result)]).toEqual(['unknown', 'sensor_lost'])
  })

  test('that stop meanwhile leave no process behind', async () => {
    const { check, stop } = await start()
    const waiting = check(jobFor('fullpage', '127.0.0.1:9/'))
    await stop()
    expect((await waiting).result).toBe('unknown')
    if (process.platform === 'linux') expect(processesOf(process.pid, 'sensor/process')).toEqual([])
  })

  test('of one machine all judge, though they share a browser and the scenario is slow', async () => {
    const page = await servers.good((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end('<script>setTimeout(() => { document.title = "Ready" }, 9000)</script>')
    })
    const { check } = await start(undefined, [1, 2, 3])
    const expression = 'document.title === "Ready"'
    const steps = [
      { type: 'navigate', url: `http://127.0.0.1:${page}/` },
      { type: 'waitForExpression', expression, timeout: 20_000 },
    ]
    const job = jobFor('webappcheck', '127.0.0.1:1', {
      scenario: JSON.stringify({ title: 'Slow', timeout: 20_000, steps }),
      timeout: 40_000,
    })
    const deadlineAt = answerDeadline(job.startAt, job.settings, true)
    const results = await Promise.all([1, 2, 3].map((sensorId) => check({ ...job, sensorId, deadlineAt })))
    expect(results.map((result) => `${verdictOf(result)} ${result.errorMessage ?? ''}`)).toEqual(Array(3).fill('ok '))
  })

  test.skipIf(process.platform !== 'linux')(
    'outlive the end of that process, and leave no browser behind',
    async () => {
      const page = await servers.good((request, response) => {
        if (request.url !== '/never') response.end('fine')
      })
      const { check } = await start()
      expect(verdictOf(await check(jobFor('fullpage', `127.0.0.1:${page}/`)))).toBe('ok')
      const nodes = processesOf(process.pid, 'sensor/process')
      const holder = nodes.find((id) => processesOf(id, '--remote-debugging-pipe').length > 0)
      const [browser] = processesOf(holder ?? 0, '--remote-debugging-pipe')
      expect(browser).toBeGreaterThan(0)
      // Stopped, it does not notice that it lost its driver: somebody has to end it.
      process.kill(-(browser ?? 0), 'SIGSTOP')
      const waiting = check(jobFor('fullpage', `127.0.0.1:${page}/never`))
      process.kill(holder ?? 0, 'SIGKILL')
      expect((await waiting).result).toBe('unknown')
      expect(verdictOf(await check(jobFor('http', `127.0.0.1:${page}/`)))).toBe('ok')
      await expect.poll(() => isRunning(browser ?? 0)).toBe(false)
      const again = async () => verdictOf(await check(jobFor('fullpage', `127.0.0.1:${page}/`)))
      await expect.poll(again, { ...patiently, interval: 500 }).toBe('ok')
    },
  )

  test.skipIf(process.platform !== 'linux')('replace a browser that answers to nothing', async () => {
    const page = await servers.good((_request, response) => response.end('fine'))
    const { check } = await start()
    expect(verdictOf(await check(jobFor('fullpage', `127.0.0.1:${page}/`)))).toBe('ok')
    const [browser] = processesOf(process.pid, 'sensor/process').flatMap((id) =>
      processesOf(id, '--remote-debugging-pipe'),
    )
    process.kill(-(browser ?? 0), 'SIGSTOP')
    // Tried once more, with a new one.
    expect(verdictOf(await check(jobFor('fullpage', `127.0.0.1:${page}/`)))).toBe('ok')
    await expect.poll(() => isRunning(browser ?? 0)).toBe(false)
  })
})
