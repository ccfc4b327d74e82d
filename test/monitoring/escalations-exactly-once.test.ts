import fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Database, Executor } from '../../src/database/connect.ts'
import type { EscalationStep } from '../../src/domain/notification/escalation.ts'
import { nextEscalationAt, tellDueSteps } from '../../src/outbox/escalation-steps.ts'
import { acknowledgeEscalation, resumeEscalation } from '../../src/outbox/escalations.ts'
import { type DecidedNotice, writeIntents } from '../../src/outbox/intents.ts'
import { lockPlans, openChanges } from '../../src/service-state/statuses.ts'
import { escalating, step } from '../support/escalating.ts'
import { type MonitoringWorld, monitoringWorld } from '../support/monitoring.ts'

/** Failures, acknowledgements and ends in any order, while processes die in the middle of everything. */
let world: MonitoringWorld
let duty: ReturnType<typeof escalating>

beforeAll(async () => {
  world = await monitoringWorld()
  duty = escalating(world)
})
afterEach(async () => {
  await world.clear()
  await duty.clear()
})
afterAll(() => world.drop())

/** Everything happens at its multiples. */
const tick = 10_000

type What = 'failure' | 'ok' | 'acknowledge' | 'unacknowledge'

interface Happening {
  readonly what: What
  /** Ticks since the beginning. */
  readonly at: number
  readonly service: number
}

interface Plan {
  readonly delay: number
  readonly repeat: number | null
}

/**
 * The expected notifications of each service, as `step.repeat at tick`, from a look at every tick, more often than any
 * process looks.
 */
function expected(plans: readonly Plan[], happenings: readonly Happening[], service: number, ticks: number): string[] {
  const told: string[] = []
  let failure: {
    state: 'running' | 'acknowledged'
    steps: number
    stepAt: number
    repeats: number
    at: number
  } | null = null
  for (let now = 0; now <= ticks; now += 1) {
    for (const { what } of happenings.filter((one) => one.at === now && one.service === service)) {
      if (what === 'failure') failure ??= { state: 'running', steps: 0, stepAt: now, repeats: 0, at: now }
      else if (what === 'ok') failure = null
      else if (failure !== null) failure.state = what === 'acknowledge' ? 'acknowledged' : 'running'
    }
    while (failure?.state === 'running') {
      const [current, next] = [plans[failure.steps - 1], plans[failure.steps]]
      if (next !== undefined && now >= failure.stepAt + next.delay) {
        failure = { ...failure, steps: failure.steps + 1, stepAt: now, repeats: 0, at: now }
      } else if (current?.repeat != null && failure.repeats < 100 && now >= failure.at + current.repeat) {
        failure = { ...failure, repeats: failure.repeats + 1, at: now }
      } else break
      told.push(`${failure.steps}.${failure.repeats} at ${now}`)
    }
  }
  return told
}

/**
 * A database whose processes die: the transaction ends at the statements with these numbers, and its process starts
 * over.
 */
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

/** Again and again until nobody kills it. */
async function surviving<T>(run: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await run()
    } catch (error) {
      if ((error as Error).message !== 'killed') throw error
    }
  }
}

async function happen(database: Database, { what, service }: Happening, ids: readonly number[]): Promise<void> {
  const serviceId = ids[service] ?? 0
  const now = world.clock.now()
  await database.transaction(async (transaction) => {
    await lockPlans(transaction, [serviceId])
    const [open] = await transaction.query<{ change_id: number; status: 'ok' | 'failure' }>(sql`
      select change_id, status from status_changes where service_id = ${serviceId} and end_time is null`)
    const failureId = open?.status === 'failure' ? open.change_id : null
    if (what === 'acknowledge' || what === 'unacknowledge') {
      if (failureId === null) return
      if (what === 'acknowledge') await acknowledgeEscalation(transaction, serviceId, failureId)
      else await resumeEscalation(transaction, { serviceId, changeId: failureId, now })
      return
    }
    if (open?.status === what || (what === 'ok' && open === undefined)) return
    const change = {
      changeId: now * 100,
      state: what,
      startedAt: now,
      pauseReason: null,
      firstAnalysisId: now * 100,
    } as const
    await openChanges(transaction, [{ serviceId, change }])
    const condition = what === 'ok' ? 'recovery' : 'failure'
    const event = { condition, eventId: `${condition}:${change.changeId}` } as const
    const notice: DecidedNotice = {
      ...{ serviceId, event, change, decidedAt: now, analysisId: null, checks: [], pauseReason: null },
    }
    await writeIntents(transaction, [notice], now)
  })
}

/** Two notifiers tell whatever is due up to the moment. */
async function tellUntil(database: Database, at: number): Promise<void> {
  for (;;) {
    const next = await nextEscalationAt(database)
    if (next > at) break
    world.clock.advanceTo(next)
    const look = () => surviving(() => tellDueSteps(database, world.clock.now()))
    await Promise.all([look(), look()])
  }
  world.clock.advanceTo(at)
}

const delays = fc.integer({ min: 0, max: 30 })
const plans: fc.Arbitrary<Plan[]> = fc.array(
  fc.record({ delay: delays, repeat: fc.option(fc.integer({ min: 6, max: 30 })) }),
  { minLength: 1, maxLength: 4 },
)
/** Only one thing at a time happens to a service. */
const happenings: fc.Arbitrary<Happening[]> = fc
  .uniqueArray(
    fc.record({
      what: fc.constantFrom<What>('failure', 'failure', 'ok', 'acknowledge', 'unacknowledge'),
      at: fc.integer({ min: 0, max: 150 }),
      service: fc.integer({ min: 0, max: 2 }),
    }),
    { maxLength: 25, selector: ({ at, service }) => `${at} ${service}` },
  )
  .map((list) => list.toSorted((one, other) => one.at - other.at))

test('every step is told exactly once, at its moment, and none after an acknowledgement or the end', async () => {
  await fc.assert(
    fc.asyncProperty(
      plans,
      happenings,
      fc.array(fc.integer({ min: 1, max: 200 }), { maxLength: 20 }),
      async (planned, story, deaths) => {
        world.clock.step(Date.UTC(2026, 10, 21, 9) - world.clock.now())
        const database = deadly(world.database, deaths)
        const anna = await duty.contact('anna')
        const steps = planned.map(
          ({ delay, repeat }): EscalationStep =>
            step({
              contact_ids: [anna],
              delay_seconds: (delay * tick) / 1000,
              repeat_seconds: repeat === null ? null : (repeat * tick) / 1000,
            }),
        )
        const escalationId = await duty.escalation(steps)
        const ids = [await world.addService(), await world.addService(), await world.addService()]
        for (const id of ids) await duty.give(id, escalationId)
        const from = world.clock.now()
        for (const one of story) {
          // Notifications due at this moment come after its events.
          await tellUntil(database, from + one.at * tick - 1)
          world.clock.advanceTo(from + one.at * tick)
          await surviving(() => happen(database, one, ids))
        }
        await tellUntil(database, from + 200 * tick)
        for (const [service, id] of ids.entries()) {
          const told = (await duty.told(id)).flatMap(({ facts: { escalation }, created_at: at }) =>
            escalation === undefined ? [] : [`${escalation.step}.${escalation.repeat} at ${(at - from) / tick}`],
          )
          expect(told).toEqual(expected(planned, story, service, 200))
        }
        await world.clear()
        await duty.clear()
      },
    ),
    { numRuns: 60 },
  )
}, 120_000)
