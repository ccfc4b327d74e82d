import fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database, Executor } from '../../src/database/connect.ts'
import type { Monitoring } from '../../src/monitoring/start.ts'
import { depending } from '../support/depending.ts'
import { type MonitoringWorld, monitoringWorld } from '../support/monitoring.ts'

/** Services break in any order, while the transactions that record it die in the middle. */
let world: MonitoringWorld
let net: ReturnType<typeof depending>

beforeAll(async () => {
  world = await monitoringWorld()
  net = depending(world)
})
afterAll(() => world.drop())

const second = 1000
const storyLength = 1800

/** The transactions end at the statements with these numbers; the process goes on as a new one would. */
function deadly(database: Database, deaths: readonly number[]): Database {
  let count = 0
  const step = () => {
    count += 1
    if (deaths.includes(count)) throw new Error('killed')
  }
  const dying = (executor: Executor): Executor => ({
    query: async (statement, name) => {
      step()
      return executor.query(statement, name)
    },
    execute: async (statement, name) => {
      step()
      return executor.execute(statement, name)
    },
  })
  return {
    ...database,
    transaction: (work) =>
      database.transaction(async (transaction) => {
        const result = await work(dying(transaction))
        // Between the last statement and the commit.
        step()
        return result
      }),
  }
}

interface Node {
  readonly interval: number
  /** Places of earlier nodes. */
  readonly parents: readonly number[]
}

interface Outage {
  readonly node: number
  readonly at: number
  readonly length: number
}

const nodes: fc.Arbitrary<Node[]> = fc
  .array(
    fc.record({
      interval: fc.constantFrom(20, 60, 300, 3600),
      parents: fc.uniqueArray(fc.nat(4), { maxLength: 2 }),
    }),
    { minLength: 2, maxLength: 5 },
  )
  .map((list) => list.map((node, place) => ({ ...node, parents: node.parents.filter((parent) => parent < place) })))

const outages: fc.Arbitrary<Outage[]> = fc.array(
  fc.record({
    node: fc.nat(4),
    at: fc.integer({ min: 200, max: storyLength }),
    length: fc.integer({ min: 1, max: 600 }),
  }),
  { maxLength: 6 },
)

/** Lets time pass, past rounds that a dead transaction left claimed. */
async function passTo(monitoring: Monitoring, target: number): Promise<void> {
  for (;;) {
    const now = world.clock.now()
    const [next] = await world.database.query<{ at: number | null }>(sql`
      select min(case when leased_until > ${new Date(now)} then leased_until + interval '1 millisecond' else due_at end) as at
      from schedule`)
    if (next?.at == null || next.at > target) break
    world.clock.advanceTo(Math.max(now, next.at))
    await monitoring.drain()
  }
  world.clock.advanceTo(target)
}

interface Period {
  readonly from: number
  readonly to: number
}

interface Lived {
  readonly ancestors: readonly number[]
  readonly failures: readonly Period[]
  readonly told: readonly { readonly what: string; readonly at: number }[]
}

async function livedBy(id: number, ancestors: readonly number[]): Promise<Lived> {
  const failures = (await net.changes(id))
    .filter(({ status }) => status === 'failure')
    .map(({ start_time: from, end_time: to }) => ({ from, to: to ?? world.clock.now() }))
  const told = await world.database.query<{ what: string; at: number }>(sql`
    select notification_condition_id as what, created_at as at from notification_intents where service_id = ${id} order by id`)
  return { ancestors, failures, told }
}

function ancestorsOf(planned: readonly Node[], place: number): number[] {
  const direct = planned[place]?.parents ?? []
  return [...new Set(direct.flatMap((parent) => [parent, ...ancestorsOf(planned, parent)]))]
}

/** Ample time for the look at a failure after its parents are back, with rounds that died. */
const patience = 240 * second

/** Holds a service to the rule, by the recorded history of all and the true outages alone. */
function judge(place: number, lives: readonly Lived[], broken: readonly Outage[]): void {
  const { ancestors, failures, told } = lives[place] ?? { ancestors: [], failures: [], told: [] }
  // Nobody is told twice, and each end follows its beginning.
  expect(told.map(({ what }) => what)).toEqual(told.map((_, index) => (index % 2 === 0 ? 'failure' : 'recovery')))
  const above = ancestors.flatMap((ancestor) => lives[ancestor]?.failures ?? [])
  const failuresTold = told.filter(({ what }) => what === 'failure')
  for (const { at } of failuresTold) {
    expect(above.filter(({ from, to }) => from < at && at < to)).toEqual([])
  }
  // One event: what never broke itself is not told.
  if (ancestors.length > 0 && broken.every(({ node }) => node !== place)) expect(told).toEqual([])
  for (const { from, to } of failures) {
    const freeFrom = Math.max(from, ...above.flatMap((period) => (period.from < to ? [Math.min(period.to, to)] : [])))
    // Nothing is lost: a failure that lasts while no ancestor has failed is told, and so is its end.
    if (to - freeFrom > patience) expect(failuresTold.some(({ at }) => at >= from && at <= to)).toBe(true)
  }
  if (failures.every(({ to }) => to < world.clock.now())) expect(told.length % 2).toBe(0)
}

test('one event for what is behind one cause; nothing is lost, and nobody is told twice', async () => {
  await fc.assert(
    fc.asyncProperty(
      nodes,
      outages,
      fc.array(fc.integer({ min: 1, max: 3000 }), { maxLength: 6 }),
      async (planned, broken, deaths) => {
        world.clock.step(Date.UTC(2026, 10, 21, 9) - world.clock.now())
        net.begin()
        const monitoring = await world.start({ database: deadly(world.database, deaths) })
        try {
          const ids: number[] = []
          for (const { interval, parents } of planned) {
            ids.push(
              await net.add(
                parents.map((parent) => ids[parent] ?? 0),
                { interval },
              ),
            )
          }
          const from = world.clock.now()
          const kept = broken.filter(({ node }) => node < planned.length)
          for (const { node, at, length } of kept) {
            net.breakBetween(ids[node] ?? 0, from + at * second, from + (at + length) * second)
          }
          await passTo(monitoring, from + (storyLength + 1200) * second)
          const lives: Lived[] = []
          for (const [place, id] of ids.entries()) lives.push(await livedBy(id, ancestorsOf(planned, place)))
          for (const place of ids.keys()) judge(place, lives, kept)
        } finally {
          await monitoring.stop()
          await world.clear()
        }
      },
    ),
    { numRuns: 10 },
  )
}, 600_000)
