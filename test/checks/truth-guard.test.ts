import { existsSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { afterAll, expect, test } from 'vitest'
import { readRunDelay } from '../../src/child-process/run-delay.ts'
import { runCheck } from '../../src/sensor/check.ts'
import { createEquipment } from '../../src/sensor/equipment.ts'
import { Failure } from '../../src/sensor/failure.ts'
import { watchLoop } from '../../src/sensor/loop-watch.ts'
import type { Resolve } from '../../src/sensor/resolver.ts'
import { clock, createChecker, jobFor, neverBlind, verdictOf } from '../support/check.ts'
import { createNastyServers } from '../support/nasty-server.ts'

const servers = createNastyServers()
const watch = watchLoop()
afterAll(() => {
  servers.closeAll()
  watch.stop()
})

function holdLoop(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end) {
    // Nothing else runs meanwhile.
  }
}

test('the watch knows that and when the loop was held', async () => {
  const before = performance.now()
  holdLoop(300)
  expect(watch.heldMsSince(before), 'before the tick could note it').toBeGreaterThan(200)
  await expect.poll(() => watch.heldMsSince(performance.now())).toBeLessThan(50)
  expect(watch.heldMsSince(before)).toBeGreaterThan(200)
})

test('the watch adds up what the process waited for a CPU, from the moment that is asked about', async () => {
  let delayMs: number | null = 1000
  const starving = watchLoop(() => delayMs)
  const before = performance.now()
  delayMs = 1300
  expect(starving.starvedMsSince(before)).toBe(300)
  // The next tick notes it.
  await expect.poll(() => starving.starvedMsSince(performance.now())).toBe(0)
  expect(starving.starvedMsSince(before)).toBe(300)
  delayMs = null
  expect(starving.starvedMsSince(before), 'as last known').toBe(300)
  starving.stop()
})

test.runIf(existsSync('/proc/self/schedstat'))('the system tells how long a process waited for a CPU', () => {
  expect(readRunDelay('self')).toBeGreaterThanOrEqual(0)
  expect(readRunDelay(process.pid)).toBeGreaterThanOrEqual(0)
  expect(readRunDelay(2 ** 30)).toBeNull()
})

test('a timeout of a process that waited for a CPU most of the time is unknown, without a single hold', async () => {
  const [startedAt, timeout] = [performance.now(), 150]
  const starving = {
    heldMsSince: () => 20,
    starvedMsSince: () => (performance.now() - startedAt) * 0.6,
    stop: () => {},
  }
  const port = await servers.http(() => {})
  const job = { ...jobFor('http', `127.0.0.1:${port}/`, { timeout }), deadlineAt: clock.now() + 300 }
  const result = await runCheck(job, { equipment: createEquipment({ allow: 'all' }), watch: starving, clock })
  expect([result.result, verdictOf(result)]).toEqual(['unknown', 'sensor_held'])
})

test('a check that ran out of time while the loop was held is unknown when no time is left', async () => {
  const port = await servers.http(() => {})
  const job = { ...jobFor('http', `127.0.0.1:${port}/`, { timeout: 150 }), deadlineAt: clock.now() + 300 }
  const running = runCheck(job, { equipment: createEquipment({ allow: 'all' }), watch, clock })
  holdLoop(400)
  const result = await running
  expect(result.result).toBe('unknown')
  expect(verdictOf(result)).toBe('sensor_held')
  expect(result.responseTime).toBeNull()
})

test('it is run again where the deadline leaves the time', async () => {
  let requests = 0
  const port = await servers.good((_request, response) => {
    requests += 1
    if (requests > 1) response.end('hello')
  })
  const running = runCheck(jobFor('http', `127.0.0.1:${port}/`, { timeout: 1000 }), {
    equipment: createEquipment({ allow: 'all' }),
    watch,
    clock,
  })
  await expect.poll(() => requests).toBe(1)
  holdLoop(1200)
  expect(verdictOf(await running)).toBe('ok')
  expect(requests).toBe(2)
})

test('a timeout of a quiet loop is the target’s', async () => {
  const port = await servers.http(() => {})
  const checker = createChecker({ watch: neverBlind })
  const result = await checker.check('http', `127.0.0.1:${port}/`, { timeout: 150 })
  expect(result.result).toBe('error')
  expect(verdictOf(result)).toBe('http_first_byte_timeout')
})

test('a resolver that was down for a moment is asked again; one that stays down is our fault', async () => {
  const port = await servers.good((_request, response) => response.end('hello'))
  let lookups = 0
  const recovering: Resolve = () => {
    lookups += 1
    if (lookups === 1) return Promise.reject(new Failure('sensor_without_resolver', 'no answer'))
    return Promise.resolve(['127.0.0.1'])
  }
  const checker = createChecker({ watch, resolve: recovering })
  expect(verdictOf(await checker.check('http', `name.example:${port}/`))).toBe('ok')
  const dead = createChecker({
    watch,
    resolve: () => Promise.reject(new Failure('sensor_without_resolver', 'no answer')),
  })
  const result = await dead.check('http', `name.example:${port}/`)
  expect(result.result).toBe('unknown')
})

test.each([
  ['EMFILE', 'sensor_out_of_sockets'],
  ['ENETUNREACH', 'sensor_without_network'],
  ['EACCES', 'sensor_not_permitted'],
])('%s of our own system is never the target’s fault', async (code, symbol) => {
  const { ownFault } = await import('../../src/sensor/failure.ts')
  expect(ownFault(Object.assign(new Error('x'), { code }))?.symbol).toBe(symbol)
  expect(ownFault(Object.assign(new Error('x'), { code: 'ECONNREFUSED' }))).toBeNull()
})

test('a type that no station can check is unknown', async () => {
  const checker = createChecker({ watch })
  const result = await checker.check('telepathy', 'example.com')
  expect(result.result).toBe('unknown')
  expect(verdictOf(result)).toBe('type_not_supported')
})
