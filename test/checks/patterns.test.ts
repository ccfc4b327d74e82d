import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCheck } from '../../src/sensor/check.ts'
import { createEquipment } from '../../src/sensor/equipment.ts'
import { startLocalStations } from '../../src/sensor/local.ts'
import { matches, multiline } from '../../src/sensor/pattern.ts'
import { PatternThread } from '../../src/sensor/pattern-thread.ts'
import type { CheckJob } from '../../src/sensor/protocol.ts'
import { clock, createChecker, jobFor, neverBlind, verdictOf } from '../support/check.ts'
import { cpuOfProcess, cpuOfThisThread } from '../support/cpu-time.ts'
import { createNastyServers } from '../support/nasty-server.ts'

const servers = createNastyServers()
const checker = createChecker()
const page = `<html>${'ab cd ef gh '.repeat(85_000)}the end</html>`
const random = Array.from({ length: 200_000 }, (_none, index) => ((index * index) % 7 < 3 ? 'a' : 'b')).join('')
const bench = { equipment: createEquipment({ allow: 'all' }), watch: neverBlind, clock }
const bodies: Readonly<Record<string, string>> = { '/small': 'all is well', '/random': random }
let port = 0
beforeAll(async () => {
  port = await servers.good((request, response) => response.end(bodies[request.url ?? ''] ?? page))
})
afterAll(() => {
  servers.closeAll()
  checker.stop()
})

/** Each of them takes the engine minutes on a megabyte. */
const slow = ['(?i)(.{0,999}q)', '(?i)[^<]{1,500}error']

test('a pattern that takes minutes ends as a fault of the setting, holds no other check, and is not tried again at once', async () => {
  const ownCpuMs = cpuOfThisThread()
  const address = `127.0.0.1:${port}/`
  const underWay = slow.map((pattern) => checker.check('http', address, { content_regex: pattern }))
  const others = await Promise.all(
    Array.from({ length: 20 }, () => checker.check('http', `${address}small`, { content_regex: 'all (is|was) well' })),
  )
  expect(others.map(verdictOf)).toEqual(Array(20).fill('ok'))
  for (const result of await Promise.all(underWay)) {
    expect(result.result).toBe('unknown')
    expect(['setting_invalid', 'pattern_late']).toContain(verdictOf(result))
  }
  expect(ownCpuMs()).toBeLessThan(5000)
  // On a machine that gives the thread a third of a CPU a search ends without having had its time.
  await expect
    .poll(async () => (await checker.check('http', address, { content_regex: slow[0] ?? '' })).errorMessage)
    .toMatch(/^setting content_regex takes too long/)
  const allCpuMs = cpuOfProcess()
  await checker.check('http', address, { negative_content_regex: slow[0] ?? '' })
  expect(allCpuMs(), 'a search takes 1500 ms').toBeLessThan(1200)
})

test('a thread that gets no CPU makes no pattern a slow one', async () => {
  const thread = (ranMs: () => number | null) =>
    new PatternThread({
      ...{ patienceMs: 100, budgetMs: 60_000, windowMs: 60_000 },
      runTimeOf: () => ({ read: ranMs, close: () => {} }),
    })
  const endsAt = performance.now() + 60_000
  const search = { pattern: slow[0] ?? '', texts: [page], flags: 0, ownerKey: '', endsAt }
  expect(await thread(() => 7).find(search)).toBe('late')
  expect(await thread(() => performance.now()).find(search)).toBe('slow')
  expect(await thread(() => null).find(search), 'where the system tells nothing').toBe('slow')
})

test('a usual pattern is looked for in all of a large page, whatever was too slow before', async () => {
  const address = `127.0.0.1:${port}/`
  expect(verdictOf(await checker.check('http', address, { content_regex: 'the (end|rest)' }))).toBe('ok')
  expect(verdictOf(await checker.check('http', address, { content_regex: 'the end' }))).toBe('ok')
  expect(verdictOf(await checker.check('http', address, { content_regex: 'the (rest|last)' }))).toBe('content_missing')
  expect(verdictOf(await checker.check('http', address, { negative_content_regex: 'g[gh] ' }))).toBe(
    'content_forbidden',
  )
})

test.each(['x{1000}'.repeat(140), `(${'a'.repeat(900)}){1000}`, '('.repeat(1000), '(?=a)', '(a)\\1', 'a**', '[z-a]'])(
  'a pattern that cannot be used is named: %j',
  async (pattern) => {
    const result = await checker.check('http', `127.0.0.1:${port}/small`, { content_regex: pattern })
    expect(verdictOf(result)).toBe('setting_invalid')
    expect(result.errorMessage).toMatch(/^setting content_regex/)
  },
)

const never = Number.MAX_SAFE_INTEGER

function has(pattern: string, text: string, flags = 0): Promise<boolean> {
  return matches({ setting: 'x', pattern, flags }, text, { deadlineAt: never })
}

test('words without signs mean themselves', async () => {
  expect(await has('a b', 'say a b')).toBe(true)
  expect(await has('A b', 'say a b')).toBe(false)
  expect(await has('a.b', 'axb')).toBe(true)
  expect(await has('^b$', 'a\nb\nc')).toBe(false)
  expect(await has('^b$', 'a\nb\nc', multiline)).toBe(true)
})

/** Seconds of work for the engine, of which each is another one. */
function greedyJob(number: number): CheckJob {
  const settings = { content_regex: `(?i)(?:[ab]+){40}[ab]{900}Q${number}` }
  return { ...jobFor('http', `127.0.0.1:${port}/random`, settings), ownerKey: 'greedy' }
}

test('the patterns of one account take nothing from those of another, nor from its time', async () => {
  const stations = await startLocalStations({ sensorIds: [3], allow: 'all', log: () => {} })
  const deadlineAt = clock.now() + 20_000
  // One after another they would take the thread longer than that.
  const greedy = Array.from({ length: 40 }, (_none, number) => stations.check({ ...greedyJob(number), deadlineAt }))
  const modest = (pattern: string) =>
    stations.check({
      ...jobFor('http', `127.0.0.1:${port}/`, { content_regex: pattern }),
      ...{ deadlineAt, ownerKey: 'modest' },
    })
  await Promise.race(greedy)
  const results = [await modest('the (end|rest)'), await modest('the (rest|last)'), await modest('g[gh] ')]
  await stations.stop()
  await Promise.all(greedy)
  expect(results.map(verdictOf)).toEqual(['ok', 'content_missing', 'ok'])
})

test('what had no turn before its end says whose time was short, and is unknown', async () => {
  const late = await runCheck({ ...greedyJob(100), deadlineAt: clock.now() }, bench)
  expect([late.result, verdictOf(late)]).toEqual(['unknown', 'pattern_late'])
  expect(late.errorMessage).toBe('no time for setting content_regex before the end of the check')
  const thread = new PatternThread({ patienceMs: 60_000, budgetMs: 0.001, windowMs: 3_600_000 })
  const search = { pattern: 'a+c', texts: ['ab'.repeat(9000)], flags: 0 }
  const find = (ownerKey: string, moreMs: number) =>
    thread.find({ ...search, ownerKey, endsAt: performance.now() + moreMs })
  expect([await find('greedy', 60_000), await find('modest', 60_000)]).toEqual([[false], [false]])
  expect(await find('greedy', 20)).toBe('budget')
  expect(await find('third', 60_000)).toEqual([false])
})
