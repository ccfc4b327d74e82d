import { brotliDecompressSync } from 'node:zlib'
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { formatMoment } from '../../src/domain/calendars/time.ts'
import { type ApiWorld, apiWorld, authorizationOf } from '../support/api.ts'
import type { Person } from '../support/people.ts'
import { pointersOf } from '../support/refused.ts'
import { idOf } from '../support/replies.ts'

const hour = 3_600_000
const day = 24 * hour
/**
 * Two days after the clocks went back in Poland. America/Santiago and Australia/Lord_Howe changed theirs in the same
 * two months.
 */
const startsAt = Date.parse('2026-10-27T10:20:30.400Z')

interface Bar {
  readonly date: string
  readonly ok: number
  readonly failure: number
  readonly paused: number
  readonly degraded: number
  readonly failures: number
}
type Bars = readonly { readonly service_id: number; readonly days: readonly Bar[] }[]

let world: ApiWorld
/** Two of Alice's, in a shared group. */
let own: readonly [number, number]
let now: number

async function newService(person: Person, body: object = {}): Promise<number> {
  const service = { type_id: 'http', address: 'shop.example', name: 'Shop', ...body }
  return idOf(await world.call(person, 'POST', '/services', service))
}

beforeAll(async () => {
  world = await apiWorld({ startsAt })
  now = world.clock.now()
  const shared = { group_id: world.people.sharedGroupId }
  own = [await newService('alice', shared), await newService('alice', shared)]
})
afterAll(() => world.drop())

const pathOf = (ids: readonly number[], days?: number) =>
  `/services/history_bars?${ids.map((id) => `id=${id}`).join('&')}${days === undefined ? '' : `&days=${days}`}`

async function barsOf(ids: readonly number[], days?: number, person: Person = 'alice'): Promise<Bars> {
  const reply = await world.call(person, 'GET', pathOf(ids, days))
  expect([reply.status, reply.status === 200 ? '' : reply.text]).toEqual([200, ''])
  return reply.body as Bars
}

type State = 'ok' | 'failure' | 'paused'
type Edge = readonly [at: number, status: State]

async function begin(): Promise<void> {
  await world.database.execute(sql`delete from status_changes`)
  await world.database.execute(sql`delete from corrections`)
}

/** A history whose periods begin at the edges; the last one lasts. */
async function live(id: number, createdAt: number, edges: readonly Edge[]): Promise<void> {
  await world.database.execute(sql`update services set created_at = ${new Date(createdAt)} where id = ${id}`)
  const rows = edges.map(([at, status], index) => ({
    change_id: at * 100,
    status,
    start_time: new Date(at).toISOString(),
    end_time: edges[index + 1] === undefined ? null : new Date(edges[index + 1]?.[0] ?? 0).toISOString(),
  }))
  await world.database.execute(sql`
    insert into status_changes (service_id, change_id, status, start_time, end_time)
    select ${id}, change_id, status, start_time, end_time from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as edge (change_id bigint, status text, start_time timestamptz, end_time timestamptz)`)
}

async function correct(id: number, status: State, startAt: number, endAt: number): Promise<void> {
  await world.database.execute(sql`
    insert into corrections (service_id, status, start_time, end_time, created_at)
    values (${id}, ${status}, ${new Date(startAt)}, ${new Date(endAt)}, ${new Date(now)})`)
}

async function useZone(zone: string): Promise<void> {
  await world.database.execute(sql`update accounts set time_zone_id = ${zone} where id = ${world.people.ids.alice}`)
}

/** Where a day begins and ends, by asking the runtime's own calendar for the date of each quarter of an hour. */
function boundsOf(date: string, timeZone: string): readonly [fromAt: number, toAt: number] {
  const calendar = new Intl.DateTimeFormat('sv-SE', { timeZone })
  const quarter = hour / 4
  let at = Date.parse(date) - day
  while (calendar.format(at) < date) at += quarter
  const fromAt = at
  while (calendar.format(at) === date) at += quarter
  return [fromAt, at]
}

describe('the bars of services', () => {
  beforeEach(begin)

  const ago = fc.integer({ min: 0, max: 12 * day })
  const state = fc.constantFrom<State>('ok', 'failure', 'paused')
  const life = fc.record({
    createdAt: ago,
    edges: fc.uniqueArray(fc.tuple(ago, state), { selector: ([at]) => at, maxLength: 12 }),
    corrections: fc.array(fc.tuple(ago, fc.integer({ min: 1, max: 3 * day }), state), { maxLength: 4 }),
  })

  test.each([
    ['europe_warsaw', 'Europe/Warsaw'],
    ['america_santiago', 'America/Santiago'],
    ['australia_lord_howe', 'Australia/Lord_Howe'],
  ])('are the service level of each day, whatever happened, in %s', async (zone, name) => {
    await useZone(zone)
    let cases = 0
    await fc.assert(
      fc.asyncProperty(fc.array(life, { minLength: 2, maxLength: 2 }), async (lives) => {
        await begin()
        for (const [index, { createdAt, edges, corrections }] of lives.entries()) {
          const id = own[index] ?? 0
          const ordered = edges.map(([at, status]) => [now - at, status] as const).toSorted(([a], [b]) => a - b)
          await live(id, now - createdAt, ordered)
          for (const [at, long, status] of corrections) await correct(id, status, now - at, now - at + long)
        }
        const bars = await barsOf(own, 4)
        expect(bars.map(({ service_id }) => service_id)).toEqual(own)
        for (const { service_id: id, days } of bars) {
          expect(days).toHaveLength(4)
          for (const { date, failures, degraded, ...level } of days) {
            const [from, to] = boundsOf(date, name).map(formatMoment)
            const reply = await world.call(
              'alice',
              'GET',
              `/services/${id}/history/service_level?from=${from}&to=${to}`,
            )
            expect({ date, ...level }).toEqual({ date, ...(reply.body as object) })
            expect([degraded, failures > 0]).toEqual([0, level.failure > 0])
            cases += 1
          }
        }
      }),
      { numRuns: 12 },
    )
    expect(cases).toBe(96)
    await useZone('europe_warsaw')
  })

  test('have thirty days by default, today the last; before its creation a service has nothing', async () => {
    await live(own[0], now - 2 * hour, [[now - 2 * hour, 'ok']])
    const [bars] = await barsOf([own[0]])
    expect(bars?.days).toHaveLength(30)
    const nothing = { ok: 0, failure: 0, paused: 0, degraded: 0, failures: 0 }
    expect(bars?.days[0]).toEqual({ date: '2026-09-28', ...nothing })
    expect(bars?.days.at(-1)).toEqual({ date: '2026-10-27', ...nothing, ok: 7200 })
  })

  test('have 25 hours on the day when the clocks go back, and count a failure over midnight twice', async () => {
    const midnight = Date.parse('2026-10-25T23:00:00Z')
    await live(own[0], now - 30 * day, [
      [now - 30 * day, 'ok'],
      [midnight - 60_000, 'failure'],
      [midnight + 60_000, 'ok'],
    ])
    const [bars] = await barsOf([own[0]], 3)
    const rest = { paused: 0, degraded: 0 }
    expect(bars?.days).toEqual([
      { date: '2026-10-25', ok: 25 * 3600 - 60, failure: 60, failures: 1, ...rest },
      { date: '2026-10-26', ok: 24 * 3600 - 60, failure: 60, failures: 1, ...rest },
      { date: '2026-10-27', ok: 11 * 3600 + 20 * 60 + 30, failure: 0, failures: 0, ...rest },
    ])
  })
})

describe('whoever asks', () => {
  beforeEach(begin)

  test('gets those that they may read, in the order asked for and each once, in the days of their owners', async () => {
    const alone = await newService('alice')
    const bobs = await newService('bob')
    await world.database.execute(
      sql`update accounts set time_zone_id = 'asia_tokyo' where id = ${world.people.ids.bob}`,
    )
    const asked = [bobs, own[1], 987_654, alone, own[0], own[1], 999_999_999_999_999]
    const seenBy = async (person: Person) => (await barsOf(asked, 1, person)).map(({ service_id }) => service_id)
    expect(await seenBy('alice')).toEqual([own[1], alone, own[0]])
    expect(await seenBy('rita')).toEqual([own[1], alone, own[0]])
    expect(await seenBy('bob')).toEqual([bobs, own[1], own[0]])
    expect(await seenBy('carol')).toEqual([own[1], own[0]])
    expect(await seenBy('charlie')).toEqual([])
    const late = Date.parse('2026-10-27T16:00:00Z')
    world.clock.advance(late - world.clock.now())
    const dates = (await barsOf([bobs, own[0]], 1, 'bob')).map(({ days }) => days.map(({ date }) => date))
    expect(dates).toEqual([['2026-10-28'], ['2026-10-27']])
  })

  test.each([
    ['', []],
    ['days=30', []],
    ['id=x', ['incorrect_type query.id']],
    ['id=1&id=-1', ['incorrect_type query.id']],
    ['id=1&days=0', ['incorrect_value query.days']],
    ['id=1&days=401', ['incorrect_value query.days']],
    ['id=1&days=many', ['incorrect_type query.days']],
    ['id=1&from=2026-01-01', ['incorrect_value query.from']],
    ['id=1&'.repeat(201), ['value_too_long query.id']],
  ])('with %.30s is told what is wrong: %j', async (query, problems) => {
    const reply = await world.call('alice', 'GET', `/services/history_bars?${query}`)
    expect([reply.status, reply.status === 200 ? reply.body : pointersOf(reply)]).toEqual(
      problems.length === 0 ? [200, []] : [422, problems],
    )
  })

  test('spends a request for each ten services', async () => {
    const limited = await apiWorld({ requestsPerMinute: 5 })
    try {
      const ask = (count: number) =>
        limited.call('alice', 'GET', pathOf(Array.from({ length: count }, (_, id) => id + 1)))
      expect((await ask(30)).status).toBe(200)
      expect((await ask(20)).status).toBe(200)
      expect((await ask(1)).status).toBe(429)
    } finally {
      await limited.drop()
    }
  })
})

test('of a hundred services over thirty days take at most 15 KB', async () => {
  await begin()
  const ids: number[] = []
  for (let number = 0; number < 100; number++) {
    const id = await newService('alice')
    ids.push(id)
    // Each fails three times a month, at odd moments and for odd lengths.
    const failures = [3, 11, 23].map(
      (days, index) => now - days * day - ((number * 7919 + index * 104_729) % 86_400) * 1000,
    )
    const edges = failures.toReversed().flatMap((at, index): Edge[] => [
      [at, 'failure'],
      [at + (60 + ((number * 31 + index * 577) % 5000)) * 1000, 'ok'],
    ])
    await live(id, now - 60 * day, [[now - 60 * day, 'ok'], ...edges])
  }
  const reply = await world.server.inject({
    url: `/v3${pathOf(ids)}`,
    headers: { authorization: authorizationOf('alice'), 'accept-encoding': 'br' },
  })
  const bars = JSON.parse(brotliDecompressSync(reply.rawPayload).toString()) as Bars
  expect(bars.flatMap(({ days }) => days.filter(({ failures }) => failures > 0)).length).toBeGreaterThanOrEqual(300)
  expect(reply.rawPayload.length).toBeLessThanOrEqual(15 * 1024)
  for (const days of [30, 90, 400]) {
    const took: number[] = []
    for (let round = 0; round < 5; round++) {
      const before = performance.now()
      await barsOf(ids, days)
      took.push(performance.now() - before)
    }
    const fastest = Math.round(Math.min(...took))
    process.stdout.write(
      `bars of 100 services × ${days} days: ${fastest} ms, 30 days ${reply.rawPayload.length} bytes\n`,
    )
  }
})
