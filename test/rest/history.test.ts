import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensurePartitions } from '../../src/database/partitions.ts'
import { anonymousCaller } from '../../src/domain/access/caller.ts'
import { formatMoment } from '../../src/domain/calendars/time.ts'
import { all, always, type Condition, from, is } from '../../src/domain/queries/condition.ts'
import { insertAnalyses } from '../../src/history/analyses.ts'
import { checksInTime } from '../../src/resources/history/checks.ts'
import { sweepRemovedServices } from '../../src/service-state/services.ts'
import { type FurnishedWorld, furnishedWorld, okRound } from '../support/furnished.ts'
import { pointersOf } from '../support/refused.ts'

let world: FurnishedWorld
let base: string
let now: number

const dayMs = 86_400_000

beforeAll(async () => {
  world = await furnishedWorld()
  base = `/services/${world.serviceIds.shared}/history`
  now = world.clock.now()
})
afterAll(() => world.drop())

interface Analysis {
  readonly analysis_id: string
  readonly failure: boolean
}

async function read<T>(path: string): Promise<T> {
  const reply = await world.call('alice', 'GET', `${base}${path}`)
  expect([path, reply.status, reply.status === 200 ? '' : reply.text]).toEqual([path, 200, ''])
  return reply.body as T
}

async function refused(path: string): Promise<readonly string[]> {
  const reply = await world.call('alice', 'GET', `${base}${path}`)
  expect([path, reply.status]).toEqual([path, 422])
  return pointersOf(reply)
}

const idsOf = (rows: readonly Analysis[]) => rows.map(({ analysis_id }) => analysis_id)
const seconds = (at: number) => Math.floor(at / 1000)

describe('analyses', () => {
  test('are counted, timed and numbered as they were decided', async () => {
    const { okId, failureId, okAt, failedAt } = world.history
    const [ok, failure, none] = await read<readonly Record<string, unknown>[]>('/analyses')
    const shared = { service_id: world.serviceIds.shared, error_tolerance: 51 }
    const counts = (one: number, two: number, three: number) => ({
      ok_checks_count: one,
      error_checks_count: two,
      unknown_checks_count: three,
    })
    expect(ok).toEqual({ ...shared, ...counts(3, 0, 0), analysis_id: okId, time: formatMoment(okAt), failure: false })
    expect(failure).toEqual({
      ...shared,
      ...counts(0, 2, 1),
      analysis_id: failureId,
      time: formatMoment(failedAt),
      failure: true,
    })
    expect(none).toMatchObject({ ...counts(1, 0, 2), failure: false })
  })

  test('have special names for the last ones', async () => {
    const { okId, failureId } = world.history
    expect(await read('/analyses/last_ok_analysis')).toMatchObject({ analysis_id: okId })
    expect(await read('/analyses/last_failure_analysis?fields=analysis_id')).toEqual({ analysis_id: failureId })
    expect(await read('/analyses/last_analysis')).toMatchObject({ ok_checks_count: 1 })
    expect(await read(`/analyses/${okId}`)).toEqual(await read('/analyses/last_ok_analysis'))
    const fresh = `/services/${world.serviceIds.private}/history/analyses/last_analysis`
    expect((await world.call('alice', 'GET', fresh)).status).toBe(404)
  })

  test('of another service are not found below this one', async () => {
    const path = `/services/${world.serviceIds.private}/history/analyses/${world.history.okId}`
    expect((await world.call('alice', 'GET', path)).status).toBe(404)
  })

  test('sort by time, filter by their counts', async () => {
    const ids = idsOf(await read('/analyses'))
    expect(idsOf(await read('/analyses?sort=-time'))).toEqual(ids.toReversed())
    expect(idsOf(await read('/analyses?failure=true'))).toEqual([world.history.failureId])
    expect(idsOf(await read('/analyses?unknown_checks_count=1&unknown_checks_count=0&sort=time'))).toEqual(
      ids.slice(0, 2),
    )
  })

  test('come from the last 24 hours by default, from 40 days at most', async () => {
    const sensorIds = world.people.sensorIds
    const serviceId = world.serviceIds.shared
    const moments = [now - 39 * dayMs, now - dayMs, now - dayMs - 1]
    for (const at of moments) {
      await ensurePartitions(world.database, at, 0)
      await insertAnalyses(world.database, [okRound({ serviceId, sensorIds, at })])
    }
    const idAt = (at: number) => `${at}00`
    const [old = 0, edge = 0, past = 0] = moments
    const found = idsOf(await read('/analyses?limit=100'))
    expect(found).toContain(idAt(edge))
    expect(found).not.toContain(idAt(past))
    const wide = idsOf(await read(`/analyses?from=${-40 * 86_400}&limit=100`))
    expect(wide).toEqual([idAt(old), idAt(past), ...found])
    expect(await refused(`/analyses?from=${-40 * 86_400 - 1}`)).toEqual(['incorrect_value query.from'])
    expect(idsOf(await read(`/analyses?to=${-38 * 86_400}`))).toEqual([idAt(old)])
  })

  test('lie in a half-open range', async () => {
    const { okAt, failedAt, okId } = world.history
    const range = (from: number | string, to: number | string) => `/analyses?from=${from}&to=${to}`
    expect(idsOf(await read(range(seconds(okAt), seconds(failedAt))))).toEqual([okId])
    expect(await read(range(seconds(okAt) + 1, seconds(failedAt)))).toEqual([])
    expect(await read(range(seconds(okAt), seconds(okAt)))).toEqual([])
    expect(idsOf(await read(range(formatMoment(okAt), encodeURIComponent('2026-11-21 09:55:00+01:00'))))).toEqual([
      okId,
    ])
    expect(await refused(range(seconds(failedAt), seconds(okAt)))).toEqual(['incorrect_value query.from'])
  })

  test.each([
    ['from=yesterday', ['incorrect_value query.from']],
    ['to=2026-02-30T00:00:00Z', ['incorrect_value query.to']],
    ['to=2026-11-21T00:00:00', ['incorrect_value query.to']],
    ['from=1.5', ['incorrect_value query.from']],
    ['to=99999999999999', ['incorrect_value query.to']],
    [
      'from=x&limit=y&colour=1',
      ['incorrect_type query.limit', 'incorrect_value query.colour', 'incorrect_value query.from'],
    ],
  ])('%s is refused', async (query, pointers) => {
    expect(await refused(`/analyses?${query}`)).toEqual(pointers)
  })

  test('reach to the end of time without an overflow', async () => {
    expect(await read('/analyses?from=9999-12-31T00:00:00Z&to=9999-12-31T23:59:59Z')).toEqual([])
    expect(await read('/analyses?from=0&to=86400')).toEqual([])
  })
})

describe('checks', () => {
  test('tell what each sensor saw', async () => {
    const rows = await read<readonly Record<string, unknown>[]>(
      '/analyses/last_failure_analysis/checks?embed=sensor.name,error_type.id',
    )
    const [first, second, third] = world.people.sensorIds
    expect(rows).toEqual([
      expect.objectContaining({
        sensor_id: first,
        result: 'error',
        response_time: 120,
        data_size: 512,
        error_type_id: 4001,
        error_type: { id: 4001 },
        sensor: { name: 'One' },
      }),
      expect.objectContaining({
        sensor_id: second,
        result: 'error',
        response_time: null,
        data_size: null,
        error_type: { id: 2001 },
      }),
      expect.objectContaining({
        sensor_id: third,
        result: 'unknown',
        error_type_id: null,
        error_type: null,
        error_message: 'out of sockets',
      }),
    ])
    expect(rows[0]?.['time']).toBe(formatMoment(world.history.failedAt - 250))
    expect(await read(`/analyses/last_failure_analysis/checks/${second}`)).toMatchObject({ sensor_id: second })
    expect(await read<unknown[]>('/analyses/last_failure_analysis/checks?error_message~=ŻÓŁW')).toHaveLength(1)
    expect(await read<unknown[]>('/analyses/last_failure_analysis/checks?error_type.id=2001')).toHaveLength(1)
  })

  test('are listed over time by their own start', async () => {
    const { okAt } = world.history
    const begun = seconds(okAt - 250)
    const range = `/checks?from=${begun}&to=${begun + 1}`
    const rows = await read<readonly { analysis_id: string }[]>(range)
    expect(rows.map(({ analysis_id }) => analysis_id)).toEqual(Array(3).fill(world.history.okId))
    expect(await read(`/checks?from=${seconds(okAt)}&to=${seconds(okAt) + 10}`)).toEqual([])
    expect(await read<unknown[]>('/checks?result=error')).toHaveLength(2)
    expect(await read<unknown[]>('/checks?result=error&result=unknown&limit=100')).toHaveLength(5)
    expect(await read<unknown[]>('/checks?har_available=true')).toHaveLength(1)
    expect(await refused('/checks?from=-99999999')).toEqual(['incorrect_value query.from'])
  })

  test('that failed are read from the index of failures, others from all', async () => {
    const { source } = checksInTime
    const ground = { caller: anonymousCaller, nowAt: now, database: world.database }
    const textFor = async (where: Condition) => {
      const ready = source.kind === 'prepared' ? await source.prepare(ground, where, false) : source
      return ready.kind === 'view' ? ready.select(ground, where).text : ''
    }
    const inAll = await textFor(always(true))
    const inFailures = await textFor(is('result', 'error'))
    expect(inFailures).toContain('failures is not null')
    expect(inAll).not.toContain('failures is not null')
    for (const where of [
      is('har_available', true),
      is('error_type_id', 4001),
      all(from('time', 1), is('result', 'error')),
    ]) {
      expect(await textFor(where)).toBe(inFailures)
    }
    for (const where of [is('har_available', false), is('result', 'unknown'), is('error_type_id', null)]) {
      expect(await textFor(where)).toBe(inAll)
    }
  })

  test('have details, also where nothing failed', async () => {
    const [first, second] = world.people.sensorIds
    expect(await read(`/analyses/last_failure_analysis/checks/${first}/details`)).toMatchObject({
      base_url: 'http://shop.example.com/',
      content_available: true,
      content_type: 'text/html; charset=utf-8',
      response_headers: 'server: nginx',
      step_data: null,
      ip_address: '192.0.2.7',
      status_code: 503,
      facts: { warnings: 'one of the tests' },
      phases: { dns: 1, connect: 2, tls: null, sent: 0.5, first_byte: 30, transfer: 1.5 },
    })
    expect(await read(`/analyses/last_ok_analysis/checks/${second}/details`)).toMatchObject({
      base_url: 'http://shop.example.com/koszyk',
      content_available: false,
      content_type: null,
      facts: {},
    })
  })
})

describe('status changes', () => {
  test('are the whole history, filtered and sorted as one likes', async () => {
    const { okAt, failedAt, changeIds } = world.history
    const [ok, failure] = await read<readonly Record<string, unknown>[]>('/status_changes')
    expect(ok).toEqual({
      ...{ acknowledged_at: null, acknowledged_by_account_id: null, acknowledged_by_name: null },
      acknowledgement_comment: null,
      change_id: changeIds.ok,
      service_id: world.serviceIds.shared,
      first_analysis_id: changeIds.ok,
      status: 'ok',
      description: '',
      pause_reason: null,
      start_time: formatMoment(okAt),
      end_time: formatMoment(failedAt),
      duration: 300,
    })
    expect(failure).toMatchObject({ status: 'failure', end_time: null, duration: 300 })
    expect(await read('/status_changes?status=failure')).toEqual([failure])
    expect(await read('/status_changes?end_time=null')).toEqual([failure])
    expect(await read('/status_changes?sort=-start_time&limit=1')).toEqual([failure])
    expect(await read(`/status_changes?to=${seconds(failedAt)}`)).toEqual([ok])
    expect(await read(`/status_changes?from=${seconds(failedAt)}`)).toEqual([failure])
    expect(await read(`/status_changes?from=${seconds(failedAt) - 1}`)).toEqual([ok, failure])
  })

  test('take a description, one by one and many at once', async () => {
    const { ok, failure } = world.history.changeIds
    const one = await world.call('alice', 'PUT', `${base}/status_changes/${ok}`, { description: 'Wymiana dysku' })
    expect(one.status).toBe(204)
    expect(await read('/status_changes?description~=DYSKU&fields=change_id')).toEqual([{ change_id: ok }])
    const ids = [failure, '000000000000001', 'nonsense', ok]
    const many = await world.call('alice', 'POST', `${base}/status_changes/bulk_update`, { ids, description: 'Razem' })
    expect(many.body).toMatchObject([
      { id: failure, ok: true, problems: [] },
      { id: ids[1], ok: false, problems: [{ error: 'not_found' }] },
      { id: ids[2], ok: false, problems: [{ error: 'not_found' }] },
      { id: ok, ok: true, problems: [] },
    ])
    expect(await read<unknown[]>('/status_changes?description~=razem')).toHaveLength(2)
    const reader = await world.call('carol', 'POST', `${base}/status_changes/bulk_update`, {
      ids: [ok],
      description: '',
    })
    expect(reader.body).toMatchObject([{ ok: false, problems: [{ error: 'forbidden' }] }])
    const wrong = await world.call('alice', 'POST', `${base}/status_changes/bulk_update`, { ids: [1], colour: 2 })
    expect(pointersOf(wrong)).toEqual([
      'incorrect_type data.ids[0]',
      'missing_value data.description',
      'unknown_field data.colour',
    ])
    const long = await world.call('alice', 'PUT', `${base}/status_changes/${ok}`, { description: 'x'.repeat(5001) })
    expect(pointersOf(long)).toEqual(['value_too_long data.description'])
  })

  test('have statistics of the checks that fell in them', async () => {
    const [first, second, third] = world.people.sensorIds
    const counts = (sensor_id: number | undefined, ok: number, error: number, unknown: number) => ({
      sensor_id,
      ok,
      error,
      unknown,
    })
    expect(await read(`/status_changes/${world.history.changeIds.ok}/stats`)).toEqual(
      [first, second, third].map((sensor) => counts(sensor, 1, 0, 0)),
    )
    expect(await read(`/status_changes/${world.history.changeIds.failure}/stats`)).toEqual([
      counts(first, 0, 1, 1),
      counts(second, 0, 1, 1),
      counts(third, 1, 0, 1),
    ])
  })

  test('pauses have no statistics', async () => {
    const service = `/services/${world.serviceIds.private}`
    await world.call('alice', 'PUT', service, { is_active: false })
    const { body } = await world.call('alice', 'GET', `${service}/history/status_changes`)
    const [pause] = body as readonly { change_id: string; status: string; pause_reason: string }[]
    expect(pause).toMatchObject({ status: 'paused', pause_reason: 'user', first_analysis_id: null, end_time: null })
    expect(
      (await world.call('alice', 'GET', `${service}/history/status_changes/${pause?.change_id}/stats`)).body,
    ).toEqual([])
  })
})

describe('the service level', () => {
  beforeAll(async () => {
    await world.database.execute(sql`delete from corrections`)
  })

  const level = (query: string) => read<{ ok: number; failure: number; paused: number }>(`/service_level?${query}`)

  test('counts the seconds since the creation of the service', async () => {
    expect(await level('')).toEqual({ ok: 300, failure: 300, paused: 3000 })
    expect(await level('from=0')).toEqual({ ok: 300, failure: 300, paused: 3000 })
    expect(await level('to=9999-12-31T23:59:59Z')).toEqual({ ok: 0, failure: 0, paused: 0 })
    expect(await level('from=1970-01-01T00:00:00Z&to=9999-12-31T23:59:59Z')).toEqual({
      ok: 300,
      failure: 300,
      paused: 3000,
    })
  })

  test('counts a half-open range; splitting it splits the sum', async () => {
    const { okAt, failedAt } = world.history
    const between = (from: number, to: number) => level(`from=${seconds(from)}&to=${seconds(to)}`)
    expect(await between(okAt, failedAt)).toEqual({ ok: 300, failure: 0, paused: 0 })
    expect(await between(okAt, okAt)).toEqual({ ok: 0, failure: 0, paused: 0 })
    expect(await between(okAt - 1000, okAt + 1000)).toEqual({ ok: 1, failure: 0, paused: 1 })
    expect(await between(failedAt - 1000, failedAt + 1000)).toEqual({ ok: 1, failure: 1, paused: 0 })
    const whole = await between(okAt - 7000, now)
    for (const middle of [okAt, okAt + 5000, failedAt]) {
      const [left, right] = [await between(okAt - 7000, middle), await between(middle, now)]
      expect({
        ok: left.ok + right.ok,
        failure: left.failure + right.failure,
        paused: left.paused + right.paused,
      }).toEqual(whole)
    }
  })

  test.each([
    ['from=-10&to=-20', ['incorrect_value query.from']],
    ['from=x&to=y&limit=5', ['incorrect_value query.from', 'incorrect_value query.limit', 'incorrect_value query.to']],
    ['from=9999-12-31T23:59:60Z', ['incorrect_value query.from']],
  ])('%s is refused', async (query, pointers) => {
    expect(await refused(`/service_level?${query}`)).toEqual(pointers)
  })

  test('of a service that somebody else owns is not found', async () => {
    const path = `/services/${world.serviceIds.foreign}/history/service_level`
    expect((await world.call('alice', 'GET', path)).status).toBe(404)
  })
})

test('the history goes with its service: nobody reaches it at once, and it is swept away', async () => {
  const id = world.serviceIds.shared
  const path = `/services/${id}/history/analyses/${world.history.okId}`
  expect((await world.call('alice', 'GET', path)).status).toBe(200)
  expect((await world.call('alice', 'DELETE', `/services/${id}`)).status).toBe(204)
  expect((await world.call('alice', 'GET', path)).status).toBe(404)
  expect(await sweepRemovedServices(world.database)).toBeGreaterThan(2)
  for (const table of ['analyses_hot', 'status_changes', 'service_statuses', 'schedule', 'removed_services'] as const) {
    const left = await world.database.query(sql`select from ${raw(table)} where service_id = ${id}`)
    expect([table, left]).toEqual([table, []])
  }
})
