import fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { formatMoment } from '../../src/domain/calendars/time.ts'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { idOf } from '../support/replies.ts'

type State = 'ok' | 'failure' | 'paused'
type Level = Readonly<Record<State, number>>

interface Period {
  readonly status: State
  readonly startAt: number
  /** Null while it lasts. */
  readonly endAt: number | null
}

const day = 86_400_000
const states: readonly State[] = ['ok', 'failure', 'paused']

let world: ApiWorld
let serviceId: number
let neighbourId: number
let now: number

async function newService(name: string): Promise<number> {
  return idOf(await world.call('alice', 'POST', '/services', { type_id: 'http', address: 'shop.example', name }))
}

beforeAll(async () => {
  world = await apiWorld()
  now = world.clock.now()
  serviceId = await newService('Shop')
  neighbourId = await newService('Its neighbour')
})
afterAll(() => world.drop())

async function begin(createdAt: number): Promise<void> {
  await world.database.execute(sql`delete from status_changes`)
  await world.database.execute(sql`delete from corrections`)
  await world.database.execute(sql`update services set created_at = ${new Date(createdAt)}`)
}

async function live(periods: readonly Period[], id = serviceId): Promise<void> {
  for (const { status, startAt, endAt } of periods) {
    await world.database.execute(sql`
      insert into status_changes (service_id, change_id, status, start_time, end_time)
      values (${id}, ${startAt * 100}, ${status}, ${new Date(startAt)}, ${endAt === null ? null : new Date(endAt)})`)
  }
}

async function correct(status: State, startAt: number, endAt: number, id = serviceId): Promise<number> {
  const times = { start_time: formatMoment(startAt), end_time: formatMoment(endAt) }
  return idOf(await world.call('alice', 'POST', '/corrections', { service_id: id, status, ...times }))
}

async function levelOf(query: string): Promise<Level> {
  const reply = await world.call('alice', 'GET', `/services/${serviceId}/history/service_level?${query}`)
  expect([query, reply.status, reply.status === 200 ? '' : reply.text]).toEqual([query, 200, ''])
  return reply.body as Level
}

const between = (fromAt: number, toAt: number) => levelOf(`from=${formatMoment(fromAt)}&to=${formatMoment(toAt)}`)

interface Life {
  readonly createdAt: number
  readonly periods: readonly Period[]
  /** In the order of their identifiers. */
  readonly corrections: readonly Period[]
}

const shown = (at: number) => Date.parse(formatMoment(at))

/** One second at a time: a period covers those from its shown start to its shown end. */
function countedSecondBySecond({ createdAt, periods, corrections }: Life, fromAt: number, toAt: number): Level {
  const level = { ok: 0, failure: 0, paused: 0 }
  for (let at = shown(fromAt); at < shown(toAt); at += 1000) {
    if (at < shown(createdAt) || at >= shown(now)) continue
    const holds = ({ startAt, endAt }: Period) => shown(startAt) <= at && (endAt === null || at < shown(endAt))
    level[corrections.findLast(holds)?.status ?? periods.find(holds)?.status ?? 'paused'] += 1
  }
  return level
}

/** Milliseconds before now; the range looks beyond it and before the first creation. */
const ago = fc.integer({ min: 0, max: 3_600_000 })
const moment = ago.map((milliseconds) => -milliseconds)
const state = fc.constantFrom(...states)

const life = fc
  .record({
    createdAt: moment,
    edges: fc.uniqueArray(fc.tuple(moment, state), { selector: ([at]) => at, maxLength: 6 }),
    corrections: fc.array(fc.tuple(moment, fc.integer({ min: 1, max: 2_000_000 }), state), { maxLength: 4 }),
  })
  .map(({ createdAt, edges, corrections }) => {
    const ordered = edges.toSorted(([one], [other]) => one - other)
    return {
      createdAt: now + createdAt,
      periods: ordered.map(([at, status], index) => {
        const next = ordered[index + 1]
        return { status, startAt: now + at, endAt: next === undefined ? null : now + next[0] }
      }),
      corrections: corrections.map(([at, long, status]) => ({ status, startAt: now + at, endAt: now + at + long })),
    }
  })

async function put({ createdAt, periods, corrections }: Life): Promise<void> {
  await begin(createdAt)
  await live(periods)
  await live(
    periods.map((period) => ({ ...period, status: 'failure' })),
    neighbourId,
  )
  for (const { status, startAt, endAt } of corrections) {
    await world.database.execute(sql`
      insert into corrections (service_id, status, start_time, end_time, created_at)
      values (${serviceId}, ${status}, ${new Date(startAt)}, ${new Date(endAt ?? 0)}, ${new Date(now)})`)
  }
}

test('equals what a second-by-second count of any life says, over any range', async () => {
  const second = fc.integer({ min: -4500, max: 900 })
  await fc.assert(
    fc.asyncProperty(
      life,
      fc.array(fc.tuple(second, second), { minLength: 1, maxLength: 4 }),
      async (lived, ranges) => {
        await put(lived)
        for (const edges of ranges) {
          const [from = 0, to = 0] = edges.toSorted((one, other) => one - other)
          const [fromAt, toAt] = [now + from * 1000, now + to * 1000]
          expect(await between(fromAt, toAt)).toEqual(countedSecondBySecond(lived, fromAt, toAt))
        }
      },
    ),
    { numRuns: 60 },
  )
})

interface ShownChange {
  readonly status: State
  readonly start_time: string
  readonly end_time: string | null
  readonly duration: number
  readonly corrections_stats: { readonly count: number; readonly seconds: number }
}

async function shownChanges(): Promise<ShownChange[]> {
  const path = `/services/${serviceId}/history/status_changes?embed=corrections_stats&sort=start_time&limit=100`
  return (await world.call('alice', 'GET', path)).body as ShownChange[]
}

test('between the bounds that any change shows lies its duration in its state alone; corrected there, nothing is left', async () => {
  await fc.assert(
    fc.asyncProperty(life, async (lived) => {
      await put({ ...lived, createdAt: lived.periods[0]?.startAt ?? now, corrections: [] })
      const changes = await shownChanges()
      for (const { status, start_time: from, end_time: end, duration } of changes) {
        const to = end ?? formatMoment(now)
        const expected = { ok: 0, failure: 0, paused: 0, [status]: duration }
        expect([from, to, await levelOf(`from=${from}&to=${to}`)]).toEqual([from, to, expected])
        const steps = await world.call(
          'alice',
          'GET',
          `/services/${serviceId}/charts/availability?from=${from}&to=${to}`,
        )
        const sum = (steps.body as Level[]).reduce((total, step) => total + step[status], 0)
        expect(sum).toBe(duration)
        if (status === 'failure' && duration > 0) await correct('ok', Date.parse(from), Date.parse(to))
      }
      expect((await levelOf('')).failure).toBe(0)
      for (const { status, duration, corrections_stats: stats } of await shownChanges()) {
        const isCorrected = status === 'failure' && duration > 0
        expect(stats).toEqual({ count: isCorrected ? 1 : 0, seconds: isCorrected ? duration : 0 })
      }
    }),
    { numRuns: 25 },
  )
})

describe('over a life of ten days', () => {
  let createdAt: number

  beforeEach(async () => {
    createdAt = now - 10 * day
    await begin(createdAt)
    await live([
      { status: 'ok', startAt: createdAt + 60_000, endAt: createdAt + 5 * day },
      { status: 'failure', startAt: createdAt + 5 * day, endAt: createdAt + 5 * day + 60_000 },
      { status: 'ok', startAt: createdAt + 5 * day + 60_000, endAt: null },
    ])
  })

  const whole = (10 * day) / 1000
  const untouched = { ok: whole - 120, failure: 60, paused: 60 }

  test('the last thirty days are counted by default', async () => {
    expect(await levelOf('')).toEqual(untouched)
    await world.database.execute(sql`update services set created_at = ${new Date(now - 40 * day)}`)
    expect(await levelOf('')).toEqual({ ...untouched, paused: 20 * 86_400 + 60 })
    expect(await levelOf(`to=${formatMoment(now - day)}`)).toEqual({
      ...untouched,
      ok: untouched.ok - 86_400,
      paused: 21 * 86_400 + 60,
    })
  })

  test('nothing is counted before the creation or after now, corrected or not', async () => {
    await correct('failure', createdAt - day, createdAt)
    await correct('failure', now, now + day)
    expect(await between(createdAt - 5 * day, now + 5 * day)).toEqual(untouched)
    expect(await between(createdAt - 5 * day, createdAt)).toEqual({ ok: 0, failure: 0, paused: 0 })
    expect(await between(now, now + day)).toEqual({ ok: 0, failure: 0, paused: 0 })
  })

  test('an empty range has no seconds', async () => {
    expect(await between(createdAt + day, createdAt + day)).toEqual({ ok: 0, failure: 0, paused: 0 })
  })

  test('time before the first verdict is paused, unless a correction says otherwise', async () => {
    expect(await between(createdAt, createdAt + 61_000)).toEqual({ ok: 1, failure: 0, paused: 60 })
    await correct('ok', createdAt, createdAt + 30_000)
    expect(await between(createdAt, createdAt + 61_000)).toEqual({ ok: 31, failure: 0, paused: 30 })
  })

  test('a correction counts from its start to before its end, the later one wins, and a removed one never was', async () => {
    const first = await correct('ok', createdAt + 5 * day, createdAt + 5 * day + 60_000)
    expect(await levelOf('')).toEqual({ ok: whole - 60, failure: 0, paused: 60 })
    const second = await correct('paused', createdAt + 5 * day + 30_000, createdAt + 5 * day + 90_000)
    expect(await levelOf('')).toEqual({ ok: whole - 120, failure: 0, paused: 120 })
    await world.call('alice', 'DELETE', `/corrections/${first}`)
    expect(await levelOf('')).toEqual({ ok: whole - 150, failure: 30, paused: 120 })
    await world.call('alice', 'DELETE', `/corrections/${second}`)
    expect(await levelOf('')).toEqual(untouched)
  })

  test('a correction of another service is nothing to this one', async () => {
    await correct('failure', createdAt, now, neighbourId)
    expect(await levelOf('')).toEqual(untouched)
  })

  test('corrections leave the history and the status as they were', async () => {
    const seen = async () => {
      const changes = await world.call('alice', 'GET', `/services/${serviceId}/history/status_changes`)
      const status = await world.call('alice', 'GET', `/service_statuses/${serviceId}`)
      return [changes.body, status.body]
    }
    const before = await seen()
    await correct('failure', createdAt, now)
    expect(await seen()).toEqual(before)
    expect(await levelOf('')).toEqual({ ok: 0, failure: whole, paused: 0 })
  })

  test('the present state lasts until now, and now goes on', async () => {
    world.clock.step(30_000)
    try {
      expect(await levelOf(`from=${formatMoment(now - 10_000)}`)).toEqual({ ok: 40, failure: 0, paused: 0 })
    } finally {
      world.clock.step(-30_000)
    }
  })

  test('the second that is passing is not counted, so a range has as many seconds as were asked for', async () => {
    world.clock.step(700)
    try {
      for (const query of ['from=-60', `from=-60&to=${formatMoment(now + day)}`]) {
        expect([query, await levelOf(query)]).toEqual([query, { ok: 60, failure: 0, paused: 0 }])
      }
      const parts = await world.call('alice', 'GET', `/services/${serviceId}/charts/availability?from=-60`)
      expect(parts.body).toEqual([
        { start_time: formatMoment(now - 60_000), end_time: formatMoment(now), ok: 60, failure: 0, paused: 0 },
      ])
    } finally {
      world.clock.step(-700)
    }
  })
})
