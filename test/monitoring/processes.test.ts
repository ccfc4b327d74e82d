import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { connect } from '../../src/database/connect.ts'
import { stopPatience } from '../../src/monitoring/start.ts'
import { claimDue } from '../../src/service-state/claims.ts'
import { countMissedRounds } from '../../src/service-state/missed-rounds.ts'
import { forceAnalysis, scheduleNew } from '../../src/service-state/schedule.ts'
import { systemTimers, type Timers } from '../../src/turns/timers.ts'
import { virtualClock } from '../support/clock.ts'
import { cutLine } from '../support/cut-line.ts'
import { fakeStations } from '../support/fake-stations.ts'
import {
  analysesOf,
  changesOf,
  intentsOf,
  type MonitoringWorld,
  monitoringWorld,
  planOf,
  statusOf,
} from '../support/monitoring.ts'
import { ownProgram } from '../support/own-program.ts'

let world: MonitoringWorld

beforeAll(async () => {
  world = await monitoringWorld()
})
afterEach(async () => {
  world.endProcesses()
  await world.clear()
})
afterAll(() => world.drop())

const leaseSeconds = 10

async function addServices(count: number, interval: number): Promise<number[]> {
  const ids: number[] = []
  for (let index = 0; index < count; index++) ids.push(await world.addService({ interval }))
  return ids
}

async function roundsPerService(): Promise<number[]> {
  const rows = await world.database.query<{ count: number }>(
    sql`select count(*) as count from analyses_hot group by service_id order by service_id`,
  )
  return rows.map(({ count }) => count)
}

test('two processes never claim the same round', async () => {
  await addServices(40, 60)
  const [one, other] = [await world.start(), await world.start()]
  for (let minute = 0; minute < 3; minute++) {
    await Promise.all([one.drain(), other.drain()])
    await Promise.all([world.pass(one, 30), world.pass(other, 30)])
  }
  const rounds = await roundsPerService()
  expect(rounds).toHaveLength(40)
  expect(world.stations.jobs).toHaveLength(3 * rounds.reduce((sum, count) => sum + count, 0))
  const moments = new Set(
    world.stations.jobs.map(({ serviceId, sensorId, startAt }) => `${serviceId} ${sensorId} ${startAt}`),
  )
  expect(moments.size).toBe(world.stations.jobs.length)
})

test('many processes claiming at once share the rounds without waiting for each other', async () => {
  await addServices(60, 60)
  const now = world.clock.now()
  const request = {
    now,
    fromAt: Number.NEGATIVE_INFINITY,
    horizonAt: now + 1,
    leasedUntil: now + 1000,
    heldBy: null,
    limit: 7,
  }
  const batches = await Promise.all(Array.from({ length: 12 }, () => claimDue(world.database, request)))
  const ids = batches.flat().map(({ serviceId }) => serviceId)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.length).toBeGreaterThan(40)
  expect(await claimDue(world.database, { ...request, limit: 100 })).toHaveLength(60 - ids.length)
  const later = { ...request, now: now + 1001, limit: 100 }
  expect(await claimDue(world.database, later)).toHaveLength(60)
})

test('a process that lost its lease records nothing; the one that took over does', async () => {
  const id = await world.addService()
  const [slow, quick] = [await world.start({ stations: silentStations() }), await world.start()]
  const draining = slow.drain()
  await silent.asked(3)
  await world.database.execute(sql`update schedule set leased_until = ${new Date(world.clock.now() - 1)}`)
  await quick.drain()
  const [taken] = await analysesOf(world.database, id)
  world.clock.advance(9000)
  await draining
  expect(await analysesOf(world.database, id)).toEqual([taken])
  expect((await planOf(world.database, id)).due_at).toBeGreaterThan(world.clock.now())
})

let silent = fakeStations()

/** Stations that never answer. */
function silentStations() {
  silent = fakeStations()
  silent.connect(...world.sensorIds)
  silent.answer = () => 'silent'
  return silent
}

test('the rounds of a dead process are free again when its leases run out', async () => {
  const id = await world.addService({ interval: 60 })
  const frozen = virtualClock(world.clock.now())
  const dead = await world.start({ stations: silentStations(), clock: frozen, timers: frozen })
  void dead.drain()
  await silent.asked(3)
  dead.die()
  const heir = await world.start()
  await heir.drain()
  expect(await analysesOf(world.database, id)).toEqual([])
  world.clock.advance(leaseSeconds * 1000 + 1)
  await heir.drain()
  expect(await analysesOf(world.database, id)).toHaveLength(1)
})

test('a round that takes longer than a lease is held by renewing it', async () => {
  const id = await world.addService({ settings: { timeout: 60_000 } })
  const slow = await world.start({ stations: silentStations() })
  const heir = await world.start()
  const drains = [slow.drain()]
  await silent.asked(3)
  for (let turn = 0; turn < 4; turn++) {
    world.clock.advance(14_000)
    drains.push(slow.drain())
    const leased = sql`select from schedule where leased_until > ${new Date(world.clock.now() + 8000)}`
    await expect.poll(() => world.database.query(leased)).toHaveLength(1)
    await heir.drain()
  }
  expect(world.stations.jobs).toEqual([])
  world.clock.advance(6000)
  await Promise.all(drains)
  expect(await analysesOf(world.database, id)).toMatchObject([{ verdict: 'none', results: ['u', 'u', 'u'] }])
})

test('a process that stops hands its rounds over and records what it has', async () => {
  // Their deadlines are far from the moment at which stopping loses its patience.
  const patient = { settings: { timeout: 60_000 } }
  const [first, second] = [await world.addService(patient), await world.addService(patient)]
  let begin = () => {}
  const patienceBegins = new Promise<void>((resolve) => {
    begin = resolve
  })
  const after = (delay: number, run: () => void) => {
    if (delay === stopPatience) begin()
    return world.clock.after(delay, run)
  }
  const leaving = await world.start({ stations: silentStations(), timers: { ...world.clock, after } })
  silent.answer = ({ serviceId }) => (serviceId === first ? 'ok' : 'silent')
  void leaving.drain()
  await silent.asked(6)
  const stopping = leaving.stop()
  await patienceBegins
  world.clock.advance(stopPatience)
  await stopping
  expect(await statusOf(world.database, first)).toMatchObject({ state: 'ok' })
  expect(await analysesOf(world.database, second)).toEqual([])
  silent.jobs.length = 0
  await leaving.drain()
  expect(silent.jobs).toEqual([])
  const heir = await world.start()
  await heir.drain()
  expect(await analysesOf(world.database, second)).toHaveLength(1)
})

test('after an outage missed rounds are skipped: no second starts more than twice as many as usual', async () => {
  await addServices(240, 60)
  const before = await world.start()
  await before.drain()
  await before.stop()
  world.clock.advance(3_600_000)
  world.stations.jobs.length = 0
  const restartedAt = world.clock.now()
  const after = await world.start()
  await after.drain()
  await world.pass(after, 61)
  const starts = world.stations.jobs
    .filter(({ sensorId }) => sensorId === world.sensorIds[0])
    .map(({ startAt }) => startAt)
  expect(new Set(world.stations.jobs.map(({ serviceId }) => serviceId)).size).toBe(240)
  const perSecond = new Map<number, number>()
  for (const startAt of starts) {
    const second = Math.floor((startAt - restartedAt) / 1000)
    perSecond.set(second, (perSecond.get(second) ?? 0) + 1)
  }
  // An hour of 240 services a minute was missed, but for the claims that fell within the tolerance.
  const missed = await countMissedRounds(world.database, restartedAt)
  expect(missed).toBeGreaterThan(239 * 60 - 240)
  expect(missed).toBeLessThanOrEqual(240 * 60)
  // 240 services a minute are 4 a second; the hash spreads them as chance would.
  expect(Math.max(...perSecond.values())).toBeLessThanOrEqual(12)
  expect(starts.length).toBeLessThanOrEqual(240 + 8)
})

test('what was asked for during an outage is done after it', async () => {
  const id = await world.addService({ interval: 3600 })
  world.clock.advance(600_000)
  const after = await world.start()
  await after.drain()
  expect(await analysesOf(world.database, id)).toHaveLength(1)
})

test('a clock that steps back repeats no round and loses no service', async () => {
  const id = await world.addService({ interval: 60 })
  const monitoring = await world.start()
  await world.pass(monitoring, 180)
  const [due] = [await planOf(world.database, id)]
  world.clock.advanceTo(due.due_at)
  await monitoring.drain()
  world.clock.step(-20_000)
  const before = (await analysesOf(world.database, id)).length
  await world.pass(monitoring, 20)
  expect(await analysesOf(world.database, id)).toHaveLength(before)
  world.clock.step(-7_200_000)
  await world.database.transaction((transaction) =>
    forceAnalysis(transaction, id, world.clock.now(), { minute: 3, hour: 30, day: 100 }),
  )
  await monitoring.drain()
  await world.pass(monitoring, 120)
  expect((await analysesOf(world.database, id)).length).toBeGreaterThanOrEqual(before + 3)
  const changes = await changesOf(world.database, id)
  expect(changes).toHaveLength(1)
})

test('while the database is away finished rounds wait in memory, and monitoring goes on by itself', async () => {
  const id = await world.addService()
  const line = await cutLine(world.url)
  const database = connect({ url: line.url })
  const warnings: string[] = []
  const log = {
    info: (_facts: unknown, message?: string) => void warnings.push(message ?? ''),
    warn: (_facts: unknown, message?: string) => void warnings.push(message ?? ''),
    error: (_facts: unknown, message?: string) => void warnings.push(`error ${message}`),
  }
  const monitoring = await world.start({ database, log })
  world.stations.answer = () => {
    void line.cut()
    return 'error'
  }
  await monitoring.drain()
  expect(await analysesOf(world.database, id)).toEqual([])
  const decidedAt = world.clock.now()
  for (let second = 0; second < 45; second++) {
    world.clock.advance(1000)
    await monitoring.drain().catch(() => {})
  }
  expect(await analysesOf(world.database, id)).toEqual([])
  await line.mend()
  world.clock.advance(5000)
  await monitoring.drain()
  const [analysis] = await analysesOf(world.database, id)
  expect(analysis).toMatchObject({ verdict: 'failure' })
  expect((await changesOf(world.database, id)).map(({ start_time }) => start_time)).toEqual([decidedAt])
  expect((await intentsOf(world.database, id)).map(({ facts }) => facts.condition)).toEqual(['failure'])
  expect(warnings.filter((message) => message.startsWith('The database is unreachable'))).toHaveLength(1)
  expect(warnings.filter((message) => message.startsWith('The database is back'))).toHaveLength(1)
  expect(warnings.filter((message) => message.startsWith('error'))).toEqual([])
  await monitoring.stop()
  await database.close()
  await line.close()
})

test('on the real clock a request is started when it is committed, long before the next turn would', async () => {
  const clock = { now: () => Date.now() }
  // The next turn would come in minutes.
  const after: Timers['after'] = (delay, run) => systemTimers.after(delay < 400 ? delay : delay * 1000, run)
  const monitoring = await world.start({ clock, timers: { ...systemTimers, after }, manual: false })
  const id = await world.addService({ interval: 86_400, isActive: false })
  await world.database.transaction((transaction) =>
    forceAnalysis(transaction, id, clock.now(), { minute: 3, hour: 30, day: 100 }),
  )
  await world.stations.asked(3)
  await monitoring.stop()
  expect(await analysesOf(world.database, id)).toHaveLength(1)
})

test('on the real clock monitoring goes on by itself after an outage, and still hears requests', async () => {
  const line = await cutLine(world.url)
  const database = connect({ url: line.url })
  const messages: string[] = []
  const note = (_facts: unknown, message?: string) => void messages.push(message ?? '')
  const log = { info: note, warn: note, error: note }
  const clock = { now: () => Date.now() }
  const monitoring = await world.start({ database, clock, log, timers: systemTimers, manual: false })
  const id = await world.addService({ interval: 86_400 })
  await world.database.execute(sql`update schedule set due_at = ${new Date(clock.now())}`)
  await world.stations.asked(3)
  await line.cut()
  const isTold = (text: string) => messages.some((message) => message.startsWith(text))
  await expect.poll(() => isTold('The database is unreachable')).toBe(true)
  await line.mend()
  await expect.poll(() => isTold('The database is back')).toBe(true)
  await world.database.transaction((transaction) =>
    forceAnalysis(transaction, id, clock.now(), { minute: 3, hour: 30, day: 100 }),
  )
  await world.stations.asked(6)
  await monitoring.stop()
  expect(await analysesOf(world.database, id)).toHaveLength(2)
  await database.close()
  await line.close()
})

test('killed at any moment, a process leaves nothing twice and its heir goes on', async () => {
  const ids = await addServices(20, 2)
  await world.database.execute(sql`update schedule set due_at = ${new Date()}`)
  const child = spawn(process.execPath, [ownProgram('monitoring-process'), world.url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let lines = 0
  for await (const _line of createInterface(child.stdout)) if (++lines >= 150) break
  child.kill('SIGKILL')
  await once(child, 'exit')
  world.clock.step(Date.now() + leaseSeconds * 1000 + 1000 - world.clock.now())
  // The heir lives on another machine, whose clock was never set.
  await world.database.execute(sql`truncate machine_clocks`)
  const heir = await world.start()
  world.stations.answer = () => 'error'
  await world.pass(heir, 10)
  for (const id of ids) {
    expect((await statusOf(world.database, id))?.state).toBe('failure')
    const changes = await changesOf(world.database, id)
    changes.slice(1).forEach((change, index) => {
      expect(change.start_time).toBe(changes[index]?.end_time)
      expect(change.status).not.toBe(changes[index]?.status)
    })
    const failures = changes.filter(({ status }) => status === 'failure').length
    const told = (await intentsOf(world.database, id)).map((row) => row.notification_condition_id)
    expect(told.filter((condition) => condition === 'failure')).toHaveLength(failures)
    expect(told.filter((condition) => condition === 'recovery')).toHaveLength(failures - 1)
  }
})

test('a service is scheduled once', async () => {
  const id = await world.addService()
  await expect(world.database.transaction((transaction) => scheduleNew(transaction, id, 0))).rejects.toThrow()
})
