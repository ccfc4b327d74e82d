import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { handover, packClosedDays } from '../../src/history/packed/pack-days.ts'
import { makeReports } from '../support/reports.ts'
import { type ReportWorld, reportWorld } from './world.ts'

/** Tuesday 10 to Thursday 12 November in Warsaw, an hour east of UTC. */
const range = { from: '2026-11-09T23:00:00Z', to: '2026-11-12T23:00:00Z' }

let world: ReportWorld
beforeAll(async () => {
  world = await reportWorld()
  await world.live(world.shop, [
    ['2026-11-01T00:00:00Z', 'ok'],
    ['2026-11-10T10:00:00Z', 'failure'],
    ['2026-11-10T10:30:00Z', 'ok'],
    ['2026-11-12T22:59:00Z', 'failure'],
  ])
  await world.live(world.mail, [['2026-11-11T23:00:00Z', 'ok']])
  await world.live(world.secret, [['2026-11-01T00:00:00Z', 'failure']])
  await world.record(world.shop, [
    { at: '2026-11-10T09:15:00Z', took: 100 },
    { at: '2026-11-10T09:45:00Z', took: 300 },
    { at: '2026-11-10T10:00:00Z', took: 'error' },
    { at: '2026-11-11T09:00:00Z', took: 500 },
    { at: '2026-11-11T23:30:00Z', took: null },
    // Before and after the range.
    { at: '2026-11-09T22:59:59Z', took: 9999 },
    { at: '2026-11-12T23:00:00Z', took: 9999 },
  ])
  await world.record(world.mail, [{ at: '2026-11-10T09:00:00Z', took: 800 }])
})
afterAll(() => world.drop())

async function make(template: object, report: object = range) {
  const id = await world.order(template, report)
  await makeReports(world)
  return world.read(id)
}

const day = 86_400
const shopAlone = () => ({ summary: 'disabled', requested_scope: { services: { by_id: [world.shop] } } })
const empty = { average: null, minimum: null, maximum: null, checks: 0 }

describe('one service', () => {
  test('has its checks, its level, its hours and its days, by the clocks of the owner', async () => {
    const { report, results } = await make(shopAlone())
    expect(report).toMatchObject({ ...range, time_zone: 'Europe/Warsaw', language_id: 'pl', owner: { name: 'alice' } })
    const [point] = results
    expect(point?.scope).toEqual({
      type: 'service',
      service: { id: world.shop, name: 'Sklep' },
      group: { id: world.groupId, name: 'Sklepy' },
      account: { id: world.people.ids.alice, name: expect.any(String) },
    })
    expect(point?.checks_summary).toEqual({ ok: 3, error: 1, unknown: 1 })
    expect(point?.service_level_summary).toEqual({
      last_status: 'failure',
      ok: 3 * day - 1860,
      failure: 1860,
      paused: 0,
      availability_percent: 99.282,
      longest_failure: 1800,
      failures_count: 2,
      corrections_count: 0,
      parts: expect.any(Array),
      failures: [
        { start_time: '2026-11-10T10:00:00Z', end_time: '2026-11-10T10:30:00Z', seconds: 1800 },
        { start_time: '2026-11-12T22:59:00Z', end_time: '2026-11-12T23:00:00Z', seconds: 60 },
      ],
    })
    const [hours, days] = [point?.performance_by_hour, point?.performance_by_week_day]
    expect(hours).toHaveLength(24)
    expect(hours?.[10]).toEqual({ hour: 10, average: 300, minimum: 100, maximum: 500, checks: 3 })
    expect(hours?.[11]).toEqual({ hour: 11, ...empty, checks: 1 })
    expect(hours?.[0]).toEqual({ hour: 0, ...empty })
    expect(days?.map(({ checks }) => checks)).toEqual([0, 3, 1, 0, 0, 0, 0])
    expect(days?.[1]).toEqual({ day_of_week: 2, average: 200, minimum: 100, maximum: 300, checks: 3 })
  })

  test('has a course of time whose parts touch and add up to the whole', async () => {
    const [point] = (await make(shopAlone())).results
    const level = point?.service_level_summary
    const parts = level?.parts ?? []
    expect([parts[0]?.start_time, parts.at(-1)?.end_time]).toEqual([range.from, range.to])
    for (const [index, part] of parts.slice(1).entries()) expect(part.start_time).toBe(parts[index]?.end_time)
    const sum = (state: 'ok' | 'failure' | 'paused') => parts.reduce((total, part) => total + part[state], 0)
    expect({ ok: sum('ok'), failure: sum('failure'), paused: sum('paused') }).toEqual({
      ok: level?.ok,
      failure: level?.failure,
      paused: level?.paused,
    })
  })

  test('shows only the sections that were asked for', async () => {
    const [point] = (await make({ ...shopAlone(), section_ids: ['checks_summary'] })).results
    expect(Object.keys(point ?? {})).toEqual(['scope', 'checks_summary'])
  })

  test('leaves out what lies in the ranges of every week: their checks, their seconds, their failures', async () => {
    // Tuesday 10:30 to 11:10 in Warsaw.
    const at = (hour: number, minute: number) => ({ day_of_week: 2, hour, minute })
    const weekly_suspensions = [{ start_minute: at(10, 30), end_minute: at(11, 10) }]
    const { report, results } = await make({ ...shopAlone(), weekly_suspensions })
    expect(report.weekly_suspensions).toEqual(weekly_suspensions)
    expect(results[0]?.checks_summary).toEqual({ ok: 2, error: 0, unknown: 1 })
    const level = results[0]?.service_level_summary
    expect(level).toMatchObject({ ok: 3 * day - 2400 - 1260, failure: 1260, longest_failure: 1200 })
    expect(level?.failures?.[0]?.seconds).toBe(1200)
    expect(results[0]?.performance_by_hour?.[10]).toMatchObject({ checks: 2, average: 300, minimum: 100 })
  })

  test('is corrected, and says so', async () => {
    const period = { start_time: '2026-11-10T10:00:00Z', end_time: '2026-11-10T10:30:00Z' }
    const reply = await world.call('alice', 'POST', '/corrections', { service_id: world.shop, status: 'ok', ...period })
    const [point] = (await make(shopAlone())).results
    expect(point?.service_level_summary).toMatchObject({ failure: 60, failures_count: 1, corrections_count: 1 })
    expect(point?.checks_summary).toEqual({ ok: 3, error: 1, unknown: 1 })
    await world.call('alice', 'DELETE', `/corrections/${(reply.body as { id: number }).id}`)
  })

  test('is not looked at before its creation, nor after the report was asked for', async () => {
    const now = world.clock.now()
    const report = { from: '2025-06-01T00:00:00Z', to: '2027-01-01T00:00:00Z' }
    const [point] = (await make(shopAlone(), report)).results
    const { ok = 0, failure = 0, paused = 0 } = point?.service_level_summary ?? {}
    const created = Date.parse('2026-01-01T00:00:00Z')
    expect(ok + failure + paused).toBe(Math.floor((now + 1000 - created) / 1000))
  })
})

describe('several services', () => {
  test('are summed up by group, by account and altogether', async () => {
    const scope = {
      groups: { by_id: [world.groupId] },
      accounts: { all: true },
      services: { by_group_id: [world.groupId] },
    }
    const { results } = await make({ requested_scope: scope })
    expect(results.map(({ scope: { type, ...named } }) => [type, ...Object.keys(named)])).toEqual([
      ['summary'],
      ['account', 'account'],
      ['group', 'group', 'account'],
      ['service', 'service', 'group', 'account'],
      ['service', 'service', 'group', 'account'],
    ])
    expect(results.slice(3).map(({ scope: { service } }) => service?.name)).toEqual(['Poczta', 'Sklep'])
    for (const point of results.slice(0, 3)) {
      expect(point.checks_summary).toEqual({ ok: 4, error: 1, unknown: 1 })
      expect(point.service_level_summary).toMatchObject({
        ok: 3 * day - 1860 + day,
        failure: 1860,
        paused: 2 * day,
        longest_failure: 1800,
        failures_count: 2,
      })
      expect(point.service_level_summary?.failures).toBeUndefined()
      expect(point.performance_by_hour?.[10]).toEqual({ hour: 10, average: 425, minimum: 100, maximum: 800, checks: 4 })
    }
  })

  test('with a summary only are one point', async () => {
    const { results } = await make({ summary: 'only', requested_scope: { services: { all: true } } })
    expect(results.map(({ scope }) => scope)).toEqual([{ type: 'summary' }])
    expect(results[0]?.checks_summary?.ok).toBe(4)
  })

  test('that are archived are there only when the template says so', async () => {
    expect((await world.call('alice', 'POST', `/services/${world.mail}/archive`)).status).toBe(204)
    const scope = {
      requested_scope: { services: { by_id: [world.mail, world.shop] }, groups: { all: true } },
      summary: 'disabled',
    }
    const without = await make({ ...scope, section_ids: ['checks_summary'] })
    expect(without.results.map(({ scope: { service } }) => service?.id)).toEqual([
      undefined,
      undefined,
      undefined,
      world.shop,
    ])
    const group = (results: typeof without.results) => results.find((one) => one.scope.group?.id === world.groupId)
    expect(group(without.results)?.checks_summary?.ok).toBe(3)
    const within = await make({ ...scope, archived_services: true })
    expect(within.results.map(({ scope: { service } }) => service?.id)).toContain(world.mail)
    expect(group(within.results)?.checks_summary?.ok).toBe(4)
  })

  test('that the owner can no longer access are not there', async () => {
    const id = await world.order(shopAlone(), range)
    const { alice, charlie } = world.people.ids
    const [group] = await world.database.query<{ id: number }>(sql`select id from groups where owner_id = ${charlie}`)
    await world.database.execute(sql`
      update services set owner_id = ${charlie}, group_id = ${group?.id} where id = ${world.shop}`)
    await makeReports(world)
    expect((await world.read(id)).results).toEqual([])
    await world.database.execute(sql`
      update services set owner_id = ${alice}, group_id = ${world.groupId} where id = ${world.shop}`)
  })
})

test('an empty scope has a summary of nothing', async () => {
  const { results } = await make({})
  expect(results).toHaveLength(1)
  expect(results[0]).toMatchObject({
    checks_summary: { ok: 0, error: 0, unknown: 0 },
    service_level_summary: { ok: 0, failure: 0, paused: 0, availability_percent: null },
  })
})

test('a report over packed days is the same', async () => {
  const at = (hour: number, minute: number) => ({ day_of_week: 2, hour, minute })
  const weekly_suspensions = [{ start_minute: at(10, 30), end_minute: at(11, 10) }]
  const template = { requested_scope: { services: { all: true } }, weekly_suspensions }
  const before = (await make(template)).results
  const nowAt = Date.parse(range.to) + 30 * 86_400_000
  await packClosedDays(world.database, { nowAt })
  expect((await make(template)).results).toEqual(before)
  await packClosedDays(world.database, { nowAt: nowAt + handover })
  expect(await world.database.query(sql`select from analyses_hot`)).toEqual([])
  expect((await make(template)).results).toEqual(before)
  expect(before.some((point) => (point.performance_by_hour?.[10]?.checks ?? 0) > 0)).toBe(true)
})
