import { fork } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { entryAt } from '../../src/child-process/entry.ts'
import { readMainThread } from '../../src/child-process/main-thread.ts'
import { type LocalStations, type LocalStationsOptions, startLocalStations } from '../../src/sensor/local.ts'
import { clock, jobFor, verdictOf } from '../support/check.ts'
import { createNastyServers } from '../support/nasty-server.ts'

const servers = createNastyServers()
const started: LocalStations[] = []
const dyingStation = fileURLToPath(new URL('../support/dying-station.ts', import.meta.url))
afterEach(async () => {
  servers.closeAll()
  await Promise.all(started.splice(0).map((stations) => stations.stop()))
})

async function start(options: Partial<LocalStationsOptions> = {}): Promise<LocalStations> {
  const stations = await startLocalStations({ sensorIds: [1, 2, 3], allow: 'all', log: () => {}, ...options })
  started.push(stations)
  return stations
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function pidOf(stations: LocalStations): Promise<number> {
  return Number((await stations.check(jobFor('http', 'pid'))).errorMessage)
}

test('checks run in another process and come back whole', async () => {
  const stations = await start()
  const port = await servers.good((_request, response) => response.writeHead(500).end('oops'))
  const result = await stations.check(jobFor('http', `127.0.0.1:${port}/`))
  expect(verdictOf(result)).toBe('http_server_error')
  expect(result.sensorId).toBe(3)
  expect(Buffer.from(result.evidence?.artifacts[0]?.bytes ?? []).toString()).toBe('oops')
  expect(stations.categories).toContain('default')
  expect([stations.isConnected(1), stations.isConnected(4)]).toEqual([true, false])
})

test('the allowed ranges reach the process', async () => {
  const stations = await start({ allow: [] })
  expect(verdictOf(await stations.check(jobFor('http', '127.0.0.1:9/')))).toBe('sensor_address_refused')
})

test('no job starts a moment before its own, however early a timer fires', async () => {
  const stations = await start()
  const port = await servers.good((_request, response) => response.end('hello'))
  const firstAt = clock.now() + 300
  const moments = Array.from({ length: 200 }, (_, index) => firstAt + index * 3)
  const results = await Promise.all(
    moments.map((startAt) => stations.check({ ...jobFor('tcp_connect', `127.0.0.1:${port}`), startAt })),
  )
  expect(results.filter(({ startedAt }, index) => startedAt < (moments[index] ?? 0))).toEqual([])
})

test('all jobs of an analysis start at their moment, as they are asked for ahead of it', async () => {
  const stations = await start()
  expect(stations.leadMs(1)).toBeGreaterThan(0)
  const port = await servers.good((_request, response) => response.end('hello'))
  const startAt = clock.now() + 300
  const jobs = [1, 2, 3].map((sensorId) => ({ ...jobFor('http', `127.0.0.1:${port}/`), sensorId, startAt }))
  const results = await Promise.all(jobs.map((job) => stations.check(job)))
  expect(results.map(({ result }) => result)).toEqual(['ok', 'ok', 'ok'])
  for (const { startedAt } of results) {
    expect(startedAt).toBeGreaterThanOrEqual(startAt)
    expect(startedAt).toBeLessThan(startAt + 5000)
  }
})

test('a thousand jobs at once are all answered', async () => {
  const stations = await start()
  const port = await servers.good((_request, response) => response.end('hello'))
  const jobs = Array.from({ length: 1000 }, () => stations.check(jobFor('tcp_connect', `127.0.0.1:${port}`)))
  const results = await Promise.all(jobs)
  expect(results.filter(({ result }) => result !== 'ok')).toEqual([])
})

test('a station whose browsers are all taken says that it is full, once, and counts the checks', async () => {
  const logged: string[] = []
  const stations = await start({
    ...{ entry: dyingStation, log: (_level: string, message: string) => logged.push(message) },
    browser: { chromiumPath: '/nowhere/chromium', directory: '/nowhere', isolation: 'sandbox' },
  })
  expect([stations.lacksBrowsers(), stations.busyCount()]).toEqual([false, 0])
  for (let turn = 0; turn < 3; turn += 1)
    expect(verdictOf(await stations.check(jobFor('fullpage', 'browser_busy')))).toBe('browser_busy')
  expect([stations.lacksBrowsers(), stations.busyCount(), stations.lacksSockets()]).toEqual([true, 3, false])
  expect(logged.filter((message) => message.startsWith('This station is full'))).toHaveLength(1)
})

test('a station that does not search for patterns says so and for which service, once for each reason, and counts the checks', async () => {
  const logged: (string | number | undefined)[][] = []
  const stations = await start({
    ...{ entry: dyingStation },
    log: (level, message, facts) => logged.push([level, message.slice(0, 20), Number(facts?.['service_id'])]),
  })
  expect([stations.lacksPatternTime(), stations.unsearchedCounts()]).toEqual([false, { late: 0, budget: 0 }])
  for (let turn = 0; turn < 3; turn += 1)
    expect(verdictOf(await stations.check(jobFor('http', 'pattern_budget_used')))).toBe('pattern_budget_used')
  expect(stations.lacksPatternTime()).toBe(false)
  await stations.check(jobFor('http', 'pattern_late'))
  expect([stations.lacksPatternTime(), stations.unsearchedCounts()]).toEqual([true, { late: 1, budget: 3 }])
  expect(logged).toEqual([
    ['warn', 'An account has used ', 7],
    ['error', 'This station has no ', 7],
  ])
})

test('a job past its deadline is unknown', async () => {
  const stations = await start({ entry: dyingStation })
  const result = await stations.check({ ...jobFor('http', 'silence'), deadlineAt: clock.now() + 100 })
  expect(result.result).toBe('unknown')
  expect(verdictOf(result)).toBe('sensor_late')
})

test('a sensor that lives elsewhere is lost here', async () => {
  const stations = await start({ entry: dyingStation })
  expect(verdictOf(await stations.check({ ...jobFor('http', 'pid'), sensorId: 9 }))).toBe('sensor_lost')
})

test('when the process dies its jobs are unknown and another one serves', async () => {
  const logged: string[] = []
  const stations = await start({ entry: dyingStation, log: (_level, message) => logged.push(message) })
  const first = await pidOf(stations)
  const [lost, dying] = await Promise.all([
    stations.check(jobFor('http', 'silence')),
    stations.check(jobFor('http', 'die')),
  ])
  expect([lost, dying].map((result) => [result.result, verdictOf(result)])).toEqual(
    Array(2).fill(['unknown', 'sensor_lost']),
  )
  expect(stations.isConnected(1)).toBe(false)
  expect(verdictOf(await stations.check(jobFor('http', 'pid')))).toBe('sensor_lost')
  await expect.poll(() => stations.isConnected(1)).toBe(true)
  expect(await pidOf(stations)).not.toBe(first)
  expect(logged).toContain('The probing process ended; starting another one.')
})

const held = 'The probing process is held by the machine; it is given more time.'
const ending = 'The probing process does not answer; ending it.'
const isTold = readMainThread(process.pid) !== null

test.for([
  ['runs wild', 'hang', 'runnable'],
  ['sleeps for ever', 'sleep', 'asleep'],
] as const)('a process that %s is replaced', async ([, address, state]) => {
  const ends: unknown[] = []
  const stations = await start({
    ...{ entry: dyingStation, hungAfterMs: 1000 },
    log: (_level, message, facts) => (message === ending ? ends.push(facts?.['state']) : undefined),
  })
  const first = await pidOf(stations)
  const result = await stations.check(jobFor('http', address))
  expect(verdictOf(result)).toBe('sensor_lost')
  await expect.poll(() => isRunning(first)).toBe(false)
  await expect.poll(() => stations.isConnected(1)).toBe(true)
  expect(ends).toEqual([isTold ? state : null])
})

test('a process that the machine holds gets more time, though not for ever', async (context) => {
  if (!isTold) context.skip('the system does not tell of threads')
  const logged: string[] = []
  let isThawed = false
  const stations = await start({
    ...{ entry: dyingStation, hungAfterMs: 1000, longestSilenceMs: 3500 },
    log: (_level, message) => {
      logged.push(message)
      if (message !== held || isThawed) return
      isThawed = true
      process.kill(first, 'SIGCONT')
    },
  })
  const first = await pidOf(stations)
  process.kill(first, 'SIGSTOP')
  expect(await pidOf(stations)).toBe(first)
  expect(logged).toEqual([held])
  process.kill(first, 'SIGSTOP')
  expect(verdictOf(await stations.check(jobFor('http', 'pid')))).toBe('sensor_lost')
  expect(logged).toEqual([held, held, ending, 'The probing process ended; starting another one.'])
})

test('the process ends with its parent', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parent-'))
  const local = new URL('../../src/sensor/local.ts', import.meta.url).href
  const parent = join(folder, 'parent.mts')
  writeFileSync(
    parent,
    `import { startLocalStations } from '${local}'
const stations = await startLocalStations({ sensorIds: [3], allow: 'all', log: () => {}, entry: ${JSON.stringify(dyingStation)} })
const { errorMessage } = await stations.check({ serviceId: 1, sensorId: 3, typeId: 'http', address: 'pid', settings: {}, startAt: Date.now(), deadlineAt: Date.now() + 20_000 })
process.send(errorMessage)`,
  )
  const child = fork(parent, [], { execArgv: [...entryAt(dyingStation).execArgv] })
  const pid = Number(await new Promise((resolve) => child.once('message', resolve)))
  expect(isRunning(pid)).toBe(true)
  child.kill('SIGKILL')
  await expect.poll(() => isRunning(pid)).toBe(false)
  rmSync(folder, { recursive: true })
})

test('stopping ends the process', async () => {
  const stations = await startLocalStations({ sensorIds: [3], allow: 'all', log: () => {}, entry: dyingStation })
  const pid = await pidOf(stations)
  await stations.stop()
  expect(isRunning(pid)).toBe(false)
  expect(stations.isConnected(3)).toBe(false)
})

test('a start that is given up leaves no process, whatever it does', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'silent-'))
  const [entry, note] = [join(folder, 'silent.mjs'), join(folder, 'pid')]
  const tell = `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(note)}, String(process.pid))`
  writeFileSync(entry, `${tell}; setInterval(() => {}, 1000)`)
  const stopping = new AbortController()
  const starting = start({ entry, signal: stopping.signal })
  starting.catch(() => undefined)
  const pid = () => Number(readFileSync(note, 'utf8'))
  await expect.poll(pid).toBeGreaterThan(0)
  stopping.abort(new Error('not any more'))
  await expect(starting).rejects.toThrow('not any more')
  expect(isRunning(pid())).toBe(false)
  rmSync(folder, { recursive: true })
})
