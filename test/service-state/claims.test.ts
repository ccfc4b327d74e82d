import fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Claim, claimDue, finishClaims, releaseClaims, renewLeases } from '../../src/service-state/claims.ts'
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
  readonly claim: Claim
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

async function isOurs({ serviceId, claimNo }: Claim): Promise<boolean> {
  const rows = await world.database.query(
    sql`select from schedule where service_id = ${serviceId} and claim_no = ${claimNo}`,
  )
  return rows.length === 1
}
