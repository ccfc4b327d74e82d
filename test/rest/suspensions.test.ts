import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formatMoment } from '../../src/domain/calendars/time.ts'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { errorsOf, idOf } from '../support/replies.ts'

let world: ApiWorld
let serviceId: number
let ownServiceId: number

beforeAll(async () => {
  world = await apiWorld()
  const service = { type_id: 'http', address: 'shop.example', name: 'Shop' }
  serviceId = idOf(await world.call('alice', 'POST', '/services', { ...service, group_id: world.people.sharedGroupId }))
  ownServiceId = idOf(await world.call('alice', 'POST', '/services', service))
})
afterAll(() => world.drop())

const night = {
  start_minute: { day_of_week: 7, hour: 22, minute: 30 },
  end_minute: { day_of_week: 1, hour: 6, minute: 1 },
}
const hour = { start_time: '2026-12-01T10:00:00+01:00', end_time: '2026-12-01T11:00:00+01:00' }

/** No configuration made it. */
const byHand = { managed_key: null, managed_by: null, managed_state: null }

test('a suspension starts now and stops monitoring unless told otherwise', async () => {
  const created = await world.call('alice', 'POST', '/suspensions', {
    service_id: serviceId,
    end_time: '2026-12-24T00:00:00Z',
  })
  expect(created.headers['location']).toBe(`http://api.test/v3/suspensions/${idOf(created)}`)
  expect((await world.call('alice', 'GET', `/suspensions/${idOf(created)}`)).body).toEqual({
    id: idOf(created),
    service_id: serviceId,
    start_time: formatMoment(world.clock.now()),
    end_time: '2026-12-24T00:00:00Z',
    only_notifications: false,
    description: '',
    ...byHand,
  })
})

test('a suspension ends after it starts, also when only one side changes', async () => {
  const backwards = { service_id: serviceId, start_time: hour.end_time, end_time: hour.start_time }
  for (const body of [backwards, { ...backwards, start_time: hour.start_time }]) {
    const refused = await world.call('alice', 'POST', '/suspensions', body)
    expect([refused.status, errorsOf(refused.body)]).toEqual([422, [['incorrect_value', 'data.end_time']]])
  }
  const id = idOf(await world.call('alice', 'POST', '/suspensions', { service_id: serviceId, ...hour }))
  const late = await world.call('alice', 'PUT', `/suspensions/${id}`, { start_time: '2026-12-01T10:00:00Z' })
  expect([late.status, errorsOf(late.body)]).toEqual([422, [['incorrect_value', 'data.end_time']]])
  expect((await world.call('alice', 'PUT', `/suspensions/${id}`, { start_time: '2026-12-01T09:59:59Z' })).status).toBe(
    204,
  )
})

test('everything wrong with a suspension is told at once', async () => {
  const { status, body } = await world.call('alice', 'POST', '/suspensions', {
    service_id: 999_999,
    start_time: 'tomorrow',
    end_time: null,
    only_notifications: 1,
    reason: '',
  })
  expect(status).toBe(422)
  expect(errorsOf(body)).toEqual([
    ['incorrect_value', 'data.start_time'],
    ['incorrect_type', 'data.end_time'],
    ['incorrect_type', 'data.only_notifications'],
    ['unknown_field', 'data.reason'],
    ['incorrect_value', 'data.service_id'],
  ])
  const empty = await world.call('alice', 'POST', '/suspensions', {})
  expect(errorsOf(empty.body)).toEqual([
    ['missing_value', 'data.service_id'],
    ['missing_value', 'data.end_time'],
  ])
})

test('a suspension stays with its service, and takes the whole object back', async () => {
  const id = idOf(await world.call('alice', 'POST', '/suspensions', { service_id: serviceId, ...hour }))
  const { body } = await world.call('alice', 'GET', `/suspensions/${id}`)
  expect((await world.call('alice', 'PUT', `/suspensions/${id}`, body)).status).toBe(204)
  const moved = await world.call('alice', 'PUT', `/suspensions/${id}`, { service_id: ownServiceId })
  expect([moved.status, errorsOf(moved.body)]).toEqual([422, [['field_is_immutable', 'data.service_id']]])
})

test.each([
  ['/suspensions', hour],
  ['/scheduled_suspensions', { start: hour.start_time, end: hour.end_time }],
  ['/weekly_suspensions', night],
  ['/corrections', { ...hour, status: 'ok' }],
])('%s follow the rights to the service', async (path, values) => {
  const body = { service_id: serviceId, ...values }
  const id = idOf(await world.call('bob', 'POST', path, body))
  expect((await world.call('carol', 'GET', `${path}/${id}`)).status).toBe(200)
  expect((await world.call('charlie', 'GET', `${path}/${id}`)).status).toBe(404)
  for (const person of ['carol', 'rita'] as const) {
    expect((await world.call(person, 'POST', path, body)).status).toBe(403)
    expect((await world.call(person, 'PUT', `${path}/${id}`, { description: 'x' })).status).toBe(403)
    expect((await world.call(person, 'DELETE', `${path}/${id}`)).status).toBe(403)
  }
  const strange = await world.call('charlie', 'POST', path, body)
  expect([strange.status, errorsOf(strange.body)]).toEqual([422, [['incorrect_value', 'data.service_id']]])
  const hidden = await world.call('bob', 'POST', path, { ...body, service_id: ownServiceId })
  expect([hidden.status, errorsOf(hidden.body)]).toEqual([422, [['incorrect_value', 'data.service_id']]])
  const flags = async (person: 'adam' | 'bob' | 'carol' | 'rita') =>
    (await world.call(person, 'GET', `${path}/${id}/permissions`)).body
  expect(await flags('bob')).toEqual({ own: false, read: true, update: true, delete: true })
  expect(await flags('adam')).toEqual({ own: false, read: true, update: true, delete: true })
  expect(await flags('carol')).toEqual({ own: false, read: true, update: false, delete: false })
  expect(await flags('rita')).toEqual({ own: false, read: true, update: false, delete: false })
  expect((await world.call('adam', 'PUT', `${path}/${id}`, { description: 'Night' })).status).toBe(204)
  const found = await world.call('carol', 'GET', `${path}?query=nigh&fields=id&description~=NIGHT`)
  expect(found.body).toEqual([{ id }])
  expect((await world.call('bob', 'DELETE', `${path}/${id}`)).status).toBe(204)
  expect((await world.call('alice', 'GET', `${path}/${id}`)).status).toBe(404)
})

test('an archived service takes no new suspension; what it has can go', async () => {
  const archivedId = idOf(
    await world.call('alice', 'POST', '/services', { type_id: 'http', address: 'old.example', name: 'Old' }),
  )
  const id = idOf(await world.call('alice', 'POST', '/suspensions', { service_id: archivedId, ...hour }))
  await world.call('alice', 'POST', `/services/${archivedId}/archive`)
  for (const [method, path, body] of [
    ['POST', '/suspensions', { service_id: archivedId, ...hour }],
    ['POST', '/weekly_suspensions', { service_id: archivedId, ...night }],
    ['PUT', `/suspensions/${id}`, { description: 'x' }],
  ] as const) {
    const refused = await world.call('alice', method, path, body)
    expect([refused.status, errorsOf(refused.body)]).toEqual([422, [['service_is_archived', undefined]]])
  }
  expect((await world.call('alice', 'DELETE', `/suspensions/${id}`)).status).toBe(204)
})

test('scheduled suspensions are those suspensions that stop monitoring, under the older names', async () => {
  const id = idOf(await world.call('alice', 'POST', '/suspensions', { service_id: ownServiceId, ...hour }))
  const quiet = { service_id: ownServiceId, ...hour, only_notifications: true }
  const quietId = idOf(await world.call('alice', 'POST', '/suspensions', quiet))
  expect((await world.call('alice', 'GET', `/scheduled_suspensions/${id}`)).body).toEqual({
    id,
    service_id: ownServiceId,
    description: '',
    start: '2026-12-01T09:00:00Z',
    end: '2026-12-01T10:00:00Z',
  })
  expect((await world.call('alice', 'GET', `/scheduled_suspensions/${quietId}`)).status).toBe(404)
  const backwards = await world.call('alice', 'PUT', `/scheduled_suspensions/${id}`, { end: '2026-12-01T09:00:00Z' })
  expect([backwards.status, errorsOf(backwards.body)]).toEqual([422, [['incorrect_value', 'data.end']]])
  await world.call('alice', 'PUT', `/scheduled_suspensions/${id}`, { end: '2026-12-01T12:00:00Z' })
  const newer = await world.call('alice', 'GET', `/suspensions/${id}?fields=end_time,only_notifications`)
  expect(newer.body).toEqual({ end_time: '2026-12-01T12:00:00Z', only_notifications: false })
  const sorted = await world.call(
    'alice',
    'GET',
    `/services/${ownServiceId}/scheduled_suspensions?sort=-start&fields=id`,
  )
  expect(sorted.body).toEqual([{ id }])
  const service = await world.call('alice', 'GET', `/scheduled_suspensions/${id}/service?fields=id`)
  expect(service.body).toEqual({ id: ownServiceId })
})

test('a weekly suspension goes over the end of the week, to the minute', async () => {
  const id = idOf(await world.call('alice', 'POST', '/weekly_suspensions', { service_id: serviceId, ...night }))
  expect((await world.call('alice', 'GET', `/weekly_suspensions/${id}`)).body).toEqual({
    id,
    service_id: serviceId,
    ...night,
    only_notifications: false,
    description: '',
    ...byHand,
  })
  const { body } = await world.call('alice', 'GET', `/weekly_suspensions/${id}`)
  expect((await world.call('alice', 'PUT', `/weekly_suspensions/${id}`, body)).status).toBe(204)
  const nothing = await world.call('alice', 'PUT', `/weekly_suspensions/${id}`, { end_minute: night.start_minute })
  expect([nothing.status, errorsOf(nothing.body)]).toEqual([422, [['incorrect_value', 'data.end_minute']]])
  const wrong = await world.call('alice', 'POST', '/weekly_suspensions', {
    service_id: serviceId,
    start_minute: { day_of_week: 0, hour: 24, minute: 1.5 },
    end_minute: { day_of_week: 1, hour: 1, second: 1 },
  })
  expect(errorsOf(wrong.body)).toEqual([
    ['incorrect_value', 'data.start_minute.day_of_week'],
    ['incorrect_value', 'data.start_minute.hour'],
    ['incorrect_type', 'data.start_minute.minute'],
    ['unknown_field', 'data.end_minute.second'],
    ['missing_value', 'data.end_minute.minute'],
  ])
})

test('weekly suspensions sort by the minute of the week', async () => {
  const starts = [
    { day_of_week: 2, hour: 0, minute: 0 },
    { day_of_week: 1, hour: 23, minute: 5 },
    { day_of_week: 1, hour: 3, minute: 59 },
  ]
  const end_minute = { day_of_week: 5, hour: 0, minute: 0 }
  for (const start_minute of starts) {
    await world.call('alice', 'POST', '/weekly_suspensions', { service_id: ownServiceId, start_minute, end_minute })
  }
  const path = `/services/${ownServiceId}/weekly_suspensions?fields=start_minute&sort=start_minute`
  expect((await world.call('alice', 'GET', path)).body).toEqual(
    starts.toReversed().map((start_minute) => ({ start_minute })),
  )
})

test('suspensions are made for many services and deleted together', async () => {
  const body = { service_ids: [serviceId, 999_999, ownServiceId], end_time: hour.end_time, only_notifications: true }
  const made = await world.call('bob', 'POST', '/suspensions/bulk_create', body)
  const outcomes = made.answer
  expect(outcomes.map(({ service_id, ok, problems }) => [service_id, ok, errorsOf(problems)])).toEqual([
    [serviceId, true, []],
    [999_999, false, [['incorrect_value', 'data.service_id']]],
    [ownServiceId, false, [['incorrect_value', 'data.service_id']]],
  ])
  const id = outcomes[0]?.id ?? 0
  expect(outcomes.map((outcome) => outcome.id)).toEqual([id, null, null])
  const read = await world.call('alice', 'GET', `/suspensions/${id}?fields=only_notifications,end_time`)
  expect(read.body).toEqual({ only_notifications: true, end_time: '2026-12-01T10:00:00Z' })
  // A suspension for notices alone is none of the older kind.
  const older = await world.call('bob', 'POST', '/scheduled_suspensions/bulk_delete', { ids: [id] })
  expect(older.body).toMatchObject([{ id, ok: false, problems: [{ error: 'not_found' }] }])
  expect((await world.call('bob', 'POST', '/suspensions/bulk_delete', { ids: [id] })).body).toEqual([
    { id, ok: true, problems: [] },
  ])
  const older2 = await world.call('bob', 'POST', '/scheduled_suspensions/bulk_create', {
    service_ids: [serviceId],
    start: hour.start_time,
    end: hour.end_time,
  })
  expect(older2.body).toMatchObject([{ service_id: serviceId, ok: true }])
  const incomplete = await world.call('bob', 'POST', '/suspensions/bulk_create', { service_ids: [serviceId] })
  expect([incomplete.status, errorsOf(incomplete.body)]).toEqual([422, [['missing_value', 'data.end_time']]])
})

describe('many services selected at once', () => {
  const path = '/suspensions/bulk_create'
  const { end_time } = hour
  let tagged: number
  let archived: number
  const made = async (person: 'alice' | 'bob' | 'carol', body: object) => {
    const reply = await world.call(person, 'POST', path, { end_time, ...body })
    const outcomes = reply.answer
    if (reply.status === 200)
      await world.call(person, 'POST', '/suspensions/bulk_delete', { ids: outcomes.map(({ id }) => id) })
    return reply.status === 200 ? outcomes.map(({ service_id, ok }) => [service_id, ok]) : errorsOf(reply.body)
  }

  beforeAll(async () => {
    const service = { type_id: 'http', address: 'many.example', group_id: world.people.sharedGroupId }
    tagged = idOf(await world.call('alice', 'POST', '/services', { ...service, name: 'Tagged', tags: ['Maintained'] }))
    archived = idOf(await world.call('alice', 'POST', '/services', { ...service, name: 'Old', tags: ['Maintained'] }))
    await world.call('alice', 'POST', `/services/${archived}/archive`)
  })
  afterAll(async () => {
    for (const id of [tagged, archived]) await world.call('alice', 'DELETE', `/services/${id}`)
  })

  test('by groups, by tags, or all: of those that may be suspended', async () => {
    const group_ids = [world.people.sharedGroupId]
    expect(await made('alice', { group_ids })).toEqual([serviceId, tagged].map((id) => [id, true]))
    expect(await made('bob', { group_ids })).toEqual([serviceId, tagged].map((id) => [id, true]))
    expect(await made('alice', { tags: ['Maintained', 'unknown'] })).toEqual([[tagged, true]])
    expect(await made('bob', { all: true })).toEqual([serviceId, tagged].map((id) => [id, true]))
    const all = await made('alice', { all: true })
    expect(all).toContainEqual([ownServiceId, true])
    expect(all).not.toContainEqual([archived, true])
  })

  test('where nothing may be suspended the request is refused', async () => {
    expect(await made('carol', { group_ids: [world.people.sharedGroupId] })).toEqual([
      ['incorrect_value', 'data.group_ids'],
    ])
    expect(await made('alice', { tags: ['unknown'] })).toEqual([['incorrect_value', 'data.tags']])
    expect(await made('alice', { group_ids: [999_999] })).toEqual([['incorrect_value', 'data.group_ids']])
  })

  test('they are said in exactly one way', async () => {
    expect(await made('alice', {})).toEqual([['missing_value', 'data.service_ids']])
    expect(await made('alice', { all: false })).toEqual([['missing_value', 'data.service_ids']])
    expect(await made('alice', { service_ids: [serviceId], tags: ['Maintained'], all: true })).toEqual([
      ['incorrect_value', 'data.tags'],
      ['incorrect_value', 'data.all'],
    ])
    expect(await made('alice', { all: true, end_time: null, reason: '' })).toEqual([
      ['incorrect_type', 'data.end_time'],
      ['unknown_field', 'data.reason'],
    ])
  })

  test('weekly suspensions are made, changed and deleted for many too', async () => {
    const body = { group_ids: [world.people.sharedGroupId], ...night }
    const { body: outcomes } = await world.call('bob', 'POST', '/weekly_suspensions/bulk_create', body)
    const ids = (outcomes as { id: number; ok: boolean }[]).map(({ id }) => id)
    expect(outcomes).toMatchObject([
      { service_id: serviceId, ok: true },
      { service_id: tagged, ok: true },
    ])
    const quiet = { ids: [...ids, 999_999], only_notifications: true }
    expect((await world.call('bob', 'POST', '/weekly_suspensions/bulk_update', quiet)).body).toMatchObject([
      { ok: true },
      { ok: true },
      { ok: false },
    ])
    expect((await world.call('alice', 'GET', `/weekly_suspensions/${ids[0]}`)).body).toMatchObject({
      ...night,
      only_notifications: true,
    })
    expect((await world.call('carol', 'POST', '/weekly_suspensions/bulk_delete', { ids })).body).toMatchObject([
      { ok: false },
      { ok: false },
    ])
    expect((await world.call('bob', 'POST', '/weekly_suspensions/bulk_delete', { ids })).body).toMatchObject([
      { ok: true },
      { ok: true },
    ])
  })

  test('suspensions are changed together, each by its own rules', async () => {
    const { body: outcomes } = await world.call('alice', 'POST', path, { tags: ['Maintained'], ...hour })
    const [{ id }] = outcomes as [{ id: number }]
    const late = { ids: [id], end_time: hour.start_time }
    expect((await world.call('alice', 'POST', '/suspensions/bulk_update', late)).body).toMatchObject([
      { id, ok: false, problems: [{ error: 'incorrect_value', field: 'data.end_time' }] },
    ])
    const named = { ids: [id], description: 'A new disk' }
    expect((await world.call('alice', 'POST', '/suspensions/bulk_update', named)).body).toMatchObject([
      { id, ok: true },
    ])
    expect((await world.call('alice', 'GET', `/suspensions/${id}`)).body).toMatchObject({ description: 'A new disk' })
    await world.call('alice', 'DELETE', `/suspensions/${id}`)
  })
})

test.each([
  ['/suspensions', hour],
  ['/corrections', { ...hour, status: 'ok' }],
])('lists of %s can be asked for what touches a range', async (path, values) => {
  const id = idOf(await world.call('alice', 'POST', path, { service_id: serviceId, ...values }))
  const found = async (from: string, to: string) => {
    const { body } = await world.call('alice', 'GET', `${path}?service_id=${serviceId}&from=${from}&to=${to}&fields=id`)
    return (body as { id: number }[]).some((one) => one.id === id)
  }
  const [start, end] = ['2026-12-01T09:00:00Z', '2026-12-01T10:00:00Z']
  expect(await found(start, end)).toBe(true)
  expect(await found('2026-12-01T09:59:59Z', '2027-01-01T00:00:00Z')).toBe(true)
  expect(await found('2026-11-01T00:00:00Z', '2026-12-01T09:00:01Z')).toBe(true)
  expect(await found(end, '2027-01-01T00:00:00Z')).toBe(false)
  expect(await found('2026-11-01T00:00:00Z', start)).toBe(false)
  const backwards = await world.call('alice', 'GET', `${path}?from=${end}&to=${start}`)
  expect(errorsOf(backwards.body)).toEqual([['incorrect_value', 'query.from']])
  await world.call('alice', 'DELETE', `${path}/${id}`)
})

test('what belongs to a service goes with it', async () => {
  const id = idOf(
    await world.call('alice', 'POST', '/services', { type_id: 'http', address: 'gone.example', name: 'Gone' }),
  )
  const made = [
    ['/suspensions', await world.call('alice', 'POST', '/suspensions', { service_id: id, ...hour })],
    ['/weekly_suspensions', await world.call('alice', 'POST', '/weekly_suspensions', { service_id: id, ...night })],
    ['/corrections', await world.call('alice', 'POST', '/corrections', { service_id: id, ...hour, status: 'ok' })],
  ] as const
  expect((await world.call('alice', 'DELETE', `/services/${id}`)).status).toBe(204)
  for (const [path, reply] of made) {
    expect((await world.call('alice', 'GET', `${path}/${idOf(reply)}`)).status).toBe(404)
  }
})
