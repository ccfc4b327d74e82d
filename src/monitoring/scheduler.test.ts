import { setImmediate as handOver } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { virtualClock } from '../../test/support/clock.ts'
import type { Database } from '../database/connect.ts'
import type { ClaimedRound } from '../service-state/claims.ts'
import { nobodyWatchesRounds } from '../telemetry/port.ts'
import { Outage } from './outage.ts'
import { Scheduler, type SchedulerParts } from './scheduler.ts'

const log = { info: () => {}, warn: () => {}, error: (facts: unknown) => expect.unreachable(JSON.stringify(facts)) }

/** One statement that claims: when it was asked for, and for which rounds. */
interface Asked {
  readonly askedAt: number
  readonly horizonAt: number
  readonly limit: number
  readonly isOverdue: boolean
}

type Row = { readonly service_id: number; readonly claim_no: number; readonly due_at: number; readonly reason: string }

/** A database that answers each claim with these rounds. */
function scene(answer: (asked: Asked, clock: ReturnType<typeof virtualClock>) => readonly Row[]) {
  const clock = virtualClock()
  const claims: Asked[] = []
  const renewed: number[][] = []
  const target = { type_id: 'http', address: 'a', interval: 60, extended_settings: {}, sensor_ids: [] }
  const answers: Readonly<Record<string, (values: readonly unknown[]) => readonly unknown[]>> = {
    'claim-due': (values) => {
      const moments = values.flatMap((value) => (value instanceof Date ? [value.getTime()] : []))
      // The present, the horizon, the end of the lease.
      const horizonAt = moments.toSorted((one, other) => one - other).at(-2) ?? Number.NaN
      const isOverdue = values.includes('-infinity')
      const limit = Math.max(...values.filter((value) => typeof value === 'number'))
      claims.push({ askedAt: clock.now(), horizonAt: isOverdue ? Number.NaN : horizonAt, limit, isOverdue })
      return answer(claims.at(-1) as Asked, clock)
    },
    'read-targets': ([ids]) =>
      (ids as number[]).map((id) => ({ id, ...target, assigned_sensor_ids: { default: [] }, is_steady: true })),
  }
  const query = async (statement: { values: readonly unknown[] }, name = '') => answers[name]?.(statement.values) ?? []
  const execute = async ({ values }: { values: readonly unknown[] }) => renewed.push(values[0] as number[])
  const database = { query, execute } as unknown as Database
  const parts: SchedulerParts = {
    ...{ database, clock, timers: clock, log, outage: new Outage(clock, log), telemetry: nobodyWatchesRounds },
    leadOf: () => 0,
    run: async () => {},
    recorder: { claims: () => [], flush: async () => {}, room: 10_000 },
    watch: { isAstray: false, follow: async () => {} },
    abandoned: { giveBack: async () => 0 },
    session: () => null,
  }
  return { clock, claims, renewed, parts }
}

async function fourSecondsPass(scheduler: Scheduler, clock: ReturnType<typeof virtualClock>): Promise<void> {
  scheduler.start()
  for (let step = 0; step < 400; step += 1) {
    for (let turn = 0; turn < 10; turn += 1) await handOver()
    clock.advance(10)
  }
  const stopped = scheduler.stop(0)
  for (let turn = 0; turn < 10; turn += 1) await handOver()
  clock.advance(1)
  await stopped
}

const due = (service_id: number, due_at: number, claim_no = 1): Row => ({
  service_id,
  claim_no,
  due_at,
  reason: 'forced',
})

test('a claim that takes long is followed by the next before anything beyond its horizon is due', async () => {
  const { clock, claims, parts } = scene(({ isOverdue }) => {
    if (isOverdue) return []
    clock.advance(700)
    return [due(7, clock.now() + 50)]
  })
  await fourSecondsPass(new Scheduler(parts), clock)
  const onTime = claims.filter(({ isOverdue }) => !isOverdue)
  expect(onTime.length).toBeGreaterThan(3)
  for (const [at, { askedAt }] of onTime.entries()) {
    const before = onTime[at - 1]
    if (before !== undefined) expect(askedAt).toBeLessThan(before.horizonAt)
  }
})

test('a hundred thousand missed rounds delay none that is on time', async () => {
  const { clock, claims, parts } = scene(({ isOverdue }) => {
    clock.advance(isOverdue ? 150 : 20)
    if (!isOverdue) return [due(7, clock.now() + 50)]
    return Array.from({ length: 500 }, (_, index) => due(100 + index, clock.now() - 3_600_000))
  })
  await fourSecondsPass(new Scheduler(parts), clock)
  expect(claims.filter(({ isOverdue }) => isOverdue).length).toBeGreaterThan(10)
  const onTime = claims.filter(({ isOverdue }) => !isOverdue)
  for (const [at, { askedAt }] of onTime.entries()) {
    const before = onTime[at - 1]
    if (before !== undefined) expect(askedAt).toBeLessThan(before.horizonAt)
  }
})

test('leases are renewed of rounds that last, not of those that were claimed a moment ago', async () => {
  let claimNo = 0
  const waiting: ClaimedRound[] = []
  const { clock, renewed, parts } = scene(({ isOverdue }) => {
    if (isOverdue) return []
    claimNo += 1
    return claimNo === 1 ? [due(8, clock.now())] : [due(7, clock.now(), claimNo)]
  })
  const run = (claim: ClaimedRound) => {
    if (claim.serviceId === 8) return new Promise<void>(() => {})
    waiting[0] = claim
    return Promise.resolve()
  }
  await fourSecondsPass(new Scheduler({ ...parts, run, recorder: { ...parts.recorder, claims: () => waiting } }), clock)
  // Handed back at the end is what still runs.
  expect(renewed).toEqual([[8], [8]])
})

test('no more rounds are claimed than there is room for in the recorder, and that is told once', async () => {
  let room = 700
  let number = 0
  const told: unknown[] = []
  const { clock, claims, parts } = scene(({ isOverdue, limit }) => {
    if (isOverdue) return []
    // They stay in line, which takes their room already.
    return Array.from({ length: limit }, () => due(++number, clock.now() + 1000))
  })
  const recorder = {
    claims: () => [],
    flush: async () => {},
    get room() {
      return room
    },
  }
  const run = async () => {
    room -= 1
  }
  const tell = (words: unknown) => void told.push(words)
  await fourSecondsPass(new Scheduler({ ...parts, run, recorder, log: { ...log, info: tell, warn: tell } }), clock)
  expect(claims.filter(({ isOverdue }) => !isOverdue).map(({ limit }) => limit)).toEqual([500, 200])
  expect(number).toBe(700)
  expect(told).toEqual(['Too many rounds wait for the database; no more are claimed'])
})

test('rounds are claimed again once there is room for many', async () => {
  let room = 0
  const told: unknown[] = []
  const { clock, claims, parts } = scene(() => [])
  const recorder = {
    claims: () => [],
    flush: async () => {},
    get room() {
      room += 100
      return room > 300 ? room : 0
    },
  }
  const tell = (words: unknown) => void told.push(words)
  await fourSecondsPass(new Scheduler({ ...parts, recorder, log: { ...log, info: tell, warn: tell } }), clock)
  expect(claims[0]?.limit).toBe(400)
  expect(told).toEqual(['Too many rounds wait for the database; no more are claimed', 'Rounds are claimed again'])
})
