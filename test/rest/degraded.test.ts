import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { needsSensors, serviceTypes } from '../../src/checks/index.ts'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { idOf } from '../support/replies.ts'

const hour = 3_600_000
const startsAt = Date.parse('2026-11-24T12:00:00Z')

let world: ApiWorld
let id: number

beforeAll(async () => {
  world = await apiWorld({ startsAt })
  id = idOf(await world.call('alice', 'POST', '/services', { type_id: 'http', address: 'shop.example', name: 'Shop' }))
  await world.call('alice', 'POST', '/services', { type_id: 'http', address: 'other.example', name: 'Other' })
})
afterAll(() => world.drop())

/** As a round leaves it, valid for a minute. */
async function given(): Promise<void> {
  const now = world.clock.now()
  await world.database.execute(sql`
    update service_statuses set monitoring_status = 'on', check_status = 'ok', state = 'ok',
      valid_until = ${new Date(now + 60_000)}, degraded_reasons = '{slow,minority}',
      degraded_since = ${new Date(now - 2 * hour)} where service_id = ${id}`)
}

async function statusOf(): Promise<unknown> {
  return (await world.call('alice', 'GET', `/service_statuses/${id}`)).body
}

const plain = { is_degraded: false, degraded_reasons: [], degraded_since: null }

test('a service that works can be degraded; its summary is ok', async () => {
  expect(await statusOf()).toMatchObject(plain)
  await given()
  const degraded = { is_degraded: true, degraded_reasons: ['slow', 'minority'], degraded_since: '2026-11-24T10:00:00Z' }
  expect(await statusOf()).toMatchObject({ ...degraded, summary: 'ok', check_status: 'ok' })
  const listed = await world.call('alice', 'GET', '/services?status.is_degraded=true&embed=status')
  expect(listed.body).toMatchObject([{ id, status: degraded }])
  const others = await world.call('alice', 'GET', '/services?status.is_degraded=false&fields=name')
  expect(others.body).toEqual([{ name: 'Other' }])
  const board = await world.call('alice', 'GET', '/wallboard')
  expect(board.body).toMatchObject({ groups: [{ ok: 1, degraded: 1 }] })
})

test.each([
  ['a failure', sql`check_status = 'failure', state = 'failure'`, 'failure'],
  ['a stop', sql`monitoring_status = 'off'`, 'paused'],
  ['a verdict of long ago', sql`valid_until = ${new Date(startsAt - hour)}`, 'unknown'],
])('%s says more', async (_case, more, summary) => {
  await given()
  await world.database.execute(sql`update service_statuses set ${more} where service_id = ${id}`)
  expect(await statusOf()).toMatchObject({ ...plain, summary })
})

test('the days of a service count degraded seconds as good ones', async () => {
  const at = (hours: number) => new Date(startsAt + hours * hour)
  await world.database.execute(sql`update services set created_at = ${at(-100)} where id = ${id}`)
  await world.database.execute(
    sql`insert into status_changes (service_id, change_id, status, start_time) values (${id}, 1, 'ok', ${at(-100)})`,
  )
  await world.database.execute(sql`insert into degraded_periods (service_id, period_id, start_time, end_time) values
    (${id}, 1, ${at(-15)}, ${at(-12)}), (${id}, 2, ${at(-2)}, null)`)
  const bars = await world.call('alice', 'GET', `/services/history_bars?id=${id}&days=2`)
  // Midnight in Warsaw is 23:00 UTC, thirteen hours ago.
  expect(bars.body).toMatchObject([
    {
      days: [
        { ok: 24 * 3600, degraded: 2 * 3600 },
        { ok: 13 * 3600, degraded: 3 * 3600 },
      ],
    },
  ])
})

test('the conditions can be chosen, and are not the usual ones', async () => {
  const conditions = ['failure', 'degraded', 'degraded_end']
  const changed = await world.call('alice', 'PUT', `/services/${id}`, { notification_condition_ids: conditions })
  expect(changed.status).toBeLessThan(300)
  const read = await world.call('alice', 'GET', '/services?fields=notification_condition_ids&sort=id')
  expect(read.body).toEqual([
    { notification_condition_ids: conditions },
    { notification_condition_ids: ['failure', 'recovery'] },
  ])
})

test('the limit is a setting of every type that stations check', async () => {
  const put = (value: unknown) =>
    world.call('alice', 'PUT', `/services/${id}`, { extended_settings: { degraded_response_time: value } })
  expect((await put(0)).status).toBe(422)
  expect((await put(800)).status).toBeLessThan(300)
  for (const { settings } of serviceTypes.filter(({ id: typeId }) => needsSensors(typeId))) {
    expect(settings.map(({ setting_id }) => setting_id)).toContain('degraded_response_time')
  }
})

test('the days of warnings are a list; a list of services is filtered and ordered by the end', async () => {
  const path = `/services/${id}`
  const daysOf = async () => {
    const { body } = await world.call('alice', 'GET', path)
    return (body as { extended_settings: { warning_days?: unknown } }).extended_settings.warning_days
  }
  const put = (warning_days: unknown) => world.call('alice', 'PUT', path, { extended_settings: { warning_days } })
  expect(await daysOf()).toEqual([21, 7, 1])
  for (const [written, shown] of [
    [
      [3, 14],
      [14, 3],
    ],
    [[], []],
    ['30, 5', [30, 5]],
    [null, [21, 7, 1]],
  ]) {
    expect((await put(written)).status).toBeLessThan(300)
    expect(await daysOf()).toEqual(shown)
  }
  const refused = await put([7, 0])
  expect(refused.status).toBe(422)
  expect(refused.text).toContain('warning_days[1]')
  await world.database.execute(sql`update services set expires_at = '2026-12-01T00:00:00Z' where id = ${id}`)
  const soon = await world.call('alice', 'GET', '/services?expires_at=2026-12-01T00:00:00Z&fields=id,expires_at')
  expect(soon.body).toEqual([{ id, expires_at: '2026-12-01T00:00:00Z' }])
  const ordered = await world.call('alice', 'GET', '/services?sort=expires_at&fields=expires_at')
  expect(ordered.body).toEqual([{ expires_at: '2026-12-01T00:00:00Z' }, { expires_at: null }])
  expect((await world.call('alice', 'PUT', path, { expires_at: null })).status).toBe(422)
})
