import fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Executor } from '../../src/database/connect.ts'
import {
  type ClaimedRound,
  claimDue,
  finishClaims,
  releaseClaims,
  renewLeases,
} from '../../src/service-state/claims.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

let world: TestDatabase

beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.drop())

const startAt = Date.UTC(2026, 10, 21, 9)
const leaseLength = 10_000
const processes = 3

interface Held {
  readonly claim: ClaimedRound
  leasedUntil: number
}

/** A scheduler's actions with its claims, in any order and also too late. */
const deed = fc.record({
  by: fc.nat(processes - 1),
  what: fc.constantFrom('claim', 'claim', 'renew', 'finish', 'release', 'forget'),
  /** Milliseconds before it. */
  after: fc.constantFrom(0, 100, 4000, 10_001, 30_000),
  limit: fc.integer({ min: 1, max: 5 }),
})

test('two schedulers never hold the same round, and of those who believe they do one records it', async () => {
  const { database } = world
  let records = 0
  const property = fc.asyncProperty(fc.array(deed, { maxLength: 30 }), async (deeds) => {
    await database.execute(sql`truncate schedule`)
    await database.execute(sql`
      insert into schedule (service_id, due_at) select id, ${new Date(startAt)} from generate_series(1, 6) id`)
    const held = Array.from({ length: processes }, () => new Map<number, Held>())
    const recorded = new Set<string>()
    let now = startAt
    for (const { by, what, after, limit } of deeds) {
      now += after
      const own = held[by] ?? new Map<number, Held>()
      const claims = [...own.values()].map(({ claim }) => claim)
      if (what === 'claim') {
        const leasedUntil = now + leaseLength
        for (const claim of await claimDue(database, {
          now,
          fromAt: Number.NEGATIVE_INFINITY,
          horizonAt: now + 1,
          leasedUntil,
          heldBy: null,
          limit,
        })) {
          const holders = held.filter((other) => (other.get(claim.serviceId)?.leasedUntil ?? 0) >= now)
          expect(holders).toEqual([])
          own.set(claim.serviceId, { claim, leasedUntil })
        }
      }
      if (what === 'renew') {
        await renewLeases(database, claims, { leasedUntil: now + leaseLength, heldBy: null })
        for (const one of own.values()) if (await isOurs(one.claim)) one.leasedUntil = now + leaseLength
      }
      if (what === 'finish') {
        for (const claim of claims) {
          if (!(await isOurs(claim))) continue
          const round = `${claim.serviceId} ${claim.dueAt}`
          expect(recorded.has(round)).toBe(false)
          recorded.add(round)
          records += 1
        }
        await finishClaims(
          database,
          claims.map((claim) => ({ claim, next: { dueAt: claim.dueAt + 5000, reason: 'interval' as const } })),
        )
      }
      if (what === 'release') await releaseClaims(database, claims)
      if (what !== 'claim' && what !== 'renew') own.clear()
    }
  })
  await fc.assert(property, { numRuns: 60 })
  expect(records).toBeGreaterThan(0)
}, 60_000)

async function isOurs({ serviceId, claimNo }: ClaimedRound): Promise<boolean> {
  const rows = await world.database.query(
    sql`select from schedule where service_id = ${serviceId} and claim_no = ${claimNo}`,
  )
  return rows.length === 1
}

/** Blocks that a claim reads; it claims nothing. */
async function blocksOf(range: { readonly fromAt: number; readonly horizonAt: number }): Promise<number> {
  let blocks = 0
  const undone = new Error('The claim is taken back.')
  const explaining = world.database.transaction(async (transaction) => {
    const watched: Executor = {
      ...transaction,
      async query(statement) {
        const [row] = await transaction.query<{ 'QUERY PLAN': readonly [{ readonly Plan: Record<string, number> }] }>(
          sql`explain (analyze, buffers, format json) ${statement}`,
        )
        const plan = row?.['QUERY PLAN'][0].Plan ?? {}
        blocks = (plan['Shared Hit Blocks'] ?? Number.NaN) + (plan['Shared Read Blocks'] ?? Number.NaN)
        return []
      },
    }
    const now = range.horizonAt
    await claimDue(watched, { ...range, now, leasedUntil: now + leaseLength, heldBy: null, limit: 500 })
    throw undone
  })
  await expect(explaining).rejects.toBe(undone)
  return blocks
}

test('a look for rounds that are on time passes by past plans, which a long reading keeps', async () => {
  const { database } = world
  const [services, minutes] = [300, 40]
  await database.execute(sql`truncate schedule`)
  await database.execute(sql`
    insert into schedule (service_id, due_at)
    select id, ${new Date(startAt)}::timestamptz + id * interval '100 ms' from generate_series(1, ${services}) id`)
  let endReading = () => {}
  const reading = database.transaction(async (transaction) => {
    await transaction.execute(sql`set transaction isolation level repeatable read`)
    await transaction.query(sql`select count(*) as count from schedule`)
    await new Promise<void>((resolve) => {
      endReading = resolve
    })
  })
  await expect.poll(async () => (await readers()) > 0).toBe(true)
  let now = startAt
  for (let minute = 0; minute < minutes; minute += 1) {
    now += 60_000
    const request = { now, fromAt: Number.NEGATIVE_INFINITY, horizonAt: now, leasedUntil: now + leaseLength }
    const claims = await claimDue(database, { ...request, heldBy: null, limit: 500 })
    expect(claims).toHaveLength(services)
    const next = claims.map((claim) => ({
      claim,
      next: { dueAt: claim.dueAt + 60_000, reason: 'interval' as const },
    }))
    await finishClaims(database, next)
  }
  // Nothing is due until then, so that nothing but the search counts.
  const horizonAt = now + 50
  const [onTime, all] = [
    await blocksOf({ fromAt: now, horizonAt }),
    await blocksOf({ fromAt: Number.NEGATIVE_INFINITY, horizonAt }),
  ]
  endReading()
  await reading
  expect(all).toBeGreaterThan(minutes)
  expect(onTime).toBeLessThan(all / 5)
})

/** Transactions that hold an old picture of the database. */
async function readers(): Promise<number> {
  const [row] = await world.database.query<{ count: number }>(sql`
    select count(*) as count from pg_stat_activity
    where datname = current_database() and state = 'idle in transaction' and backend_xmin is not null`)
  return row?.count ?? 0
}
