import { setImmediate as handOver } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { virtualClock } from '../../test/support/clock.ts'
import type { Database } from '../database/connect.ts'
import { nobodyWatchesRounds } from '../telemetry/port.ts'
import { Outage } from './outage.ts'
import { Scheduler } from './scheduler.ts'

const log = { info: () => {}, warn: () => {}, error: (facts: unknown) => expect.unreachable(JSON.stringify(facts)) }

/** A database whose claims take so long, and find a round each time. */
function slowDatabase(clock: ReturnType<typeof virtualClock>, takesMs: number) {
  const claims: { readonly askedAt: number; readonly horizonAt: number }[] = []
  const target = { id: 7, type_id: 'http', address: 'a', interval: 60, extended_settings: {}, sensor_ids: [] }
  const answers: Readonly<Record<string, (values: readonly unknown[]) => unknown[]>> = {
    'claim-due': (values) => {
      const moments = values.flatMap((value) => (value instanceof Date ? [value.getTime()] : []))
      // The present, the horizon, the end of the lease.
      const [, horizonAt = Number.NaN] = moments.toSorted((one, other) => one - other)
      claims.push({ askedAt: clock.now(), horizonAt })
      clock.advance(takesMs)
      return [{ service_id: 7, claim_no: 1, due_at: clock.now() + 50, reason: 'interval' }]
    },
    'read-targets': () => [{ ...target, assigned_sensor_ids: { default: [] }, is_steady: true }],
  }
  const query = async (statement: { values: readonly unknown[] }, name = '') => answers[name]?.(statement.values) ?? []
  return { claims, database: { query, execute: async () => 0 } as unknown as Database }
}

test('a claim that takes long is followed by the next before anything beyond its horizon is due', async () => {
  const clock = virtualClock()
  const { claims, database } = slowDatabase(clock, 700)
  const scheduler = new Scheduler({
    ...{ database, clock, timers: clock, log, outage: new Outage(clock, log), telemetry: nobodyWatchesRounds },
    leadOf: () => 0,
    run: async () => {},
    recorder: { claims: () => [], flush: async () => {} },
    watch: { isAstray: false, follow: async () => {} },
    abandoned: { giveBack: async () => 0 },
    session: () => null,
  })
  scheduler.start()
  for (let step = 0; step < 400; step += 1) {
    for (let turn = 0; turn < 10; turn += 1) await handOver()
    clock.advance(10)
  }
  await scheduler.stop(0)
  expect(claims.length).toBeGreaterThan(3)
  for (const [at, { askedAt }] of claims.entries()) {
    const before = claims[at - 1]
    if (before !== undefined) expect(askedAt).toBeLessThan(before.horizonAt)
  }
})
