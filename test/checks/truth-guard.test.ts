import { existsSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { keepRunDelay, readRunDelay } from '../../src/child-process/run-delay.ts'
import type { Dialler } from '../../src/outgoing/dial.ts'
import { Failure } from '../../src/outgoing/failure.ts'
import type { Resolve } from '../../src/outgoing/resolver.ts'
import type { Attempt } from '../../src/sensor/attempt.ts'
import { runCheck } from '../../src/sensor/check.ts'
import { createEquipment } from '../../src/sensor/equipment.ts'
import { type LoopWatch, watchLoop } from '../../src/sensor/loop-watch.ts'
import type { Pinger } from '../../src/sensor/ping/pinger.ts'
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
  onTestFinished(watch.begin())
  const before = performance.now()
  holdLoop(300)
  expect(watch.heldMsSince(before), 'before the tick could note it').toBeGreaterThan(200)
  await expect.poll(() => watch.heldMsSince(performance.now())).toBeLessThan(50)
  expect(watch.heldMsSince(before)).toBeGreaterThan(200)
})

test('of a hold that had begun before the moment counts what came after', async () => {
  onTestFinished(watch.begin())
  holdLoop(300)
  const moment = performance.now()
  holdLoop(20)
  const underWayMs = watch.heldMsSince(moment)
  expect(underWayMs).toBeLessThanOrEqual(performance.now() - moment)
  await pause(0)
  expect(watch.heldMsSince(moment), 'when the tick has noted it').toBeLessThanOrEqual(performance.now() - moment)
  expect(underWayMs).toBeGreaterThan(0)
})

test('the watch sleeps while nothing is checked, and knows a stall of the last of several checks', async () => {
  const idle = performance.now()
  holdLoop(300)
  expect(watch.heldMsSince(idle), 'nobody was waiting').toBe(0)
  const [first, second] = [watch.begin(), watch.begin()]
  const before = performance.now()
  first()
  first()
  holdLoop(300)
  expect(watch.heldMsSince(before)).toBeGreaterThan(200)
  second()
  expect(watch.heldMsSince(before), 'noted when the last check ends').toBeGreaterThan(200)
  await pause(0)
  expect(watch.heldMsSince(performance.now())).toBe(0)
})

test('the system tells how long a process waited for a CPU', (context) => {
  if (!existsSync('/proc/self/schedstat')) context.skip('there is no /proc/self/schedstat')
  expect(readRunDelay(process.pid)).toBeGreaterThanOrEqual(0)
  expect(readRunDelay(2 ** 30)).toBeNull()
  const own = keepRunDelay()
  const before = own.read()
  expect(before).toBeGreaterThanOrEqual(0)
  expect(own.read() - before, 'never less').toBeGreaterThanOrEqual(0)
  own.close()
  const known = own.read()
  expect(own.read(), 'as last known').toBe(known)
  expect(keepRunDelay('/proc/no/schedstat').read()).toBe(0)
})

/** Never answers. */
const mute = (attempt: Attempt) => attempt.wait<never>(() => () => {})
const mutePinger: Pinger = { way: () => 'socket', ping: mute }
const muteDialler: Dialler = { ...createEquipment({ allow: 'all' }).dialler, connect: mute }

/** Of each second from its first question on it waits so much, for the first so many milliseconds. */
function starving(share: number, forMs = Number.POSITIVE_INFINITY): LoopWatch {
  let begunAt: number | null = null
  return {
    heldMsSince: () => 20,
    starvedMs() {
      begunAt ??= performance.now()
      return Math.min(performance.now() - begunAt, forMs) * share
    },
    begin: () => () => {},
    stop: () => {},
  }
}

test('a timeout of a process that waited for a CPU most of the time is unknown, where no time is left to give back', async () => {
  const port = await servers.http(() => {})
  const job = { ...jobFor('http', `127.0.0.1:${port}/`, { timeout: 150 }), deadlineAt: clock.now() + 300 }
  const result = await runCheck(job, { equipment: createEquipment({ allow: 'all' }), watch: starving(0.6), clock })
  expect([result.result, verdictOf(result)]).toEqual(['unknown', 'sensor_held'])
})

test('it is the target’s failure where that time was given back, and says so', async () => {
  const port = await servers.http(() => {})
  const checker = createChecker({ watch: starving(0.8, 300) })
  const result = await checker.check('http', `127.0.0.1:${port}/`, { timeout: 300 })
  expect([result.result, verdictOf(result)]).toEqual(['error', 'http_first_byte_timeout'])
  expect(result.errorMessage).toMatch(/^not finished within 300 ms and 2\d\d ms more for what this station missed$/)
})

test('every check that has a limit of its own is given back what the station missed', async () => {
  const silent = await servers.tcp(() => {})
  const equipment = { ...createEquipment({ allow: 'all' }), pinger: mutePinger, dialler: muteDialler }
  const limits = { timeout: 100, reply_timeout: 100, port: silent, query_name: 'www.example.com', transport: 'tcp' }
  for (const typeId of ['http', 'https', 'tcp_connect', 'dns', 'smtp_helo', 'ping']) {
    const job = jobFor(typeId, typeId === 'tcp_connect' ? '127.0.0.1:9' : '127.0.0.1', limits)
    const { errorMessage } = await runCheck(job, { equipment, watch: starving(0.8, 100), clock })
    expect(errorMessage, typeId).toContain('more for what this station missed')
  }
})

test('an answer that came while the loop was held past the limit is read, and is one', async () => {
  const port = await servers.good((_request, response) => {
    holdLoop(1200)
    response.end('hello')
  })
  const job = jobFor('http', `127.0.0.1:${port}/`, { timeout: 1000 })
  const result = await runCheck(job, { equipment: createEquipment({ allow: 'all' }), watch, clock })
  expect(verdictOf(result)).toBe('ok')
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

test('it is run again where nothing more can be given back and the deadline leaves the time', async () => {
  let requests = 0
  const port = await servers.good((_request, response) => {
    requests += 1
    if (requests > 1) response.end('hello')
  })
  const blindAtFirst = { ...neverBlind, heldMsSince: () => (requests > 1 ? 0 : 20_000) }
  const checker = createChecker({ watch: blindAtFirst })
  expect(verdictOf(await checker.check('http', `127.0.0.1:${port}/`, { timeout: 1000 }))).toBe('ok')
  expect(requests).toBe(2)
})

/** Kept waiting by us for three seconds. */
const rude: LoopWatch = { ...neverBlind, heldMsSince: () => 3000 }

test('a server that tells whom it waited for that it waits no longer is not down', async () => {
  const port = await servers.tcp((socket) =>
    socket.end('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'),
  )
  const check = (watchOf: LoopWatch) => createChecker({ watch: watchOf }).check('http', `127.0.0.1:${port}/`)
  expect(verdictOf(await check(rude))).toBe('sensor_held')
  expect(verdictOf(await check(neverBlind))).toBe('http_client_error')
})

test('a mail server that closes the channel of whom it waited for is not down', async () => {
  const port = await servers.tcp((socket) => {
    socket.write('220 mail.example\r\n')
    socket.once('data', () => socket.end('421 4.4.2 mail.example Error: timeout exceeded\r\n'))
  })
  const check = (watchOf: LoopWatch) => createChecker({ watch: watchOf }).check('smtp_helo', '127.0.0.1', { port })
  expect(verdictOf(await check(rude))).toBe('sensor_held')
  expect(verdictOf(await check(neverBlind))).toBe('smtp_helo_refused')
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
  const { ownFault } = await import('../../src/outgoing/failure.ts')
  expect(ownFault(Object.assign(new Error('x'), { code }))?.symbol).toBe(symbol)
  expect(ownFault(Object.assign(new Error('x'), { code: 'ECONNREFUSED' }))).toBeNull()
})

test('a type that no station can check is unknown', async () => {
  const checker = createChecker({ watch })
  const result = await checker.check('telepathy', 'example.com')
  expect(result.result).toBe('unknown')
  expect(verdictOf(result)).toBe('type_not_supported')
})
