import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { apiWorld } from '../support/api.ts'
import { type FurnishedWorld, furnishedWorld } from '../support/furnished.ts'
import { pointersOf } from '../support/refused.ts'

let world: FurnishedWorld

beforeAll(async () => {
  world = await furnishedWorld()
})
afterAll(() => world.drop())

/** The ids of services with a sample of the metric. */
function idsIn(text: string, metric = 'latarnik_service_monitored'): readonly number[] {
  return [...text.matchAll(new RegExp(`^${metric}\\{service_id="(\\d+)"`, 'gm'))].map(([, id]) => Number(id)).toSorted()
}

const metrics = async (query = '', person: 'alice' | 'charlie' = 'alice') =>
  world.call(person, 'GET', `/metrics/services${query}`)

test('a caller scrapes the services that it may read, in OpenMetrics', async () => {
  const { shared, private: own, foreign } = world.serviceIds
  const reply = await metrics()
  expect(reply.headers['content-type']).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8')
  expect(reply.text.endsWith('# EOF\n')).toBe(true)
  expect(idsIn(reply.text)).toEqual(expect.arrayContaining([shared, own]))
  expect(idsIn(reply.text)).not.toContain(foreign)
  expect(idsIn((await metrics('', 'charlie')).text)).toEqual([foreign])
  expect(reply.text).toContain(`latarnik_service_up{service_id="${shared}",service="Sklep Łódź",type="http",group_id="`)
  expect(idsIn(reply.text, 'latarnik_service_up')).toContain(shared)
})

test('groups and tags choose among them', async () => {
  const { shared, private: own } = world.serviceIds
  await world.call('alice', 'PUT', `/services/${own}`, { tags: ['names'] })
  expect(idsIn((await metrics('?tags=NAMES')).text)).toEqual([own])
  expect(idsIn((await metrics('?tags=names&tags=none')).text)).toEqual([own])
  const ofGroup = idsIn((await metrics(`?group_id=${world.groupIds.shared}`)).text)
  expect([ofGroup.includes(shared), ofGroup.includes(own)]).toEqual([true, false])
  expect(idsIn((await metrics(`?group_id=${world.groupIds.foreign}`)).text)).toEqual([])
  expect(pointersOf(await metrics('?tags=a%00b'))).toEqual(['incorrect_value query.tags'])
  expect(pointersOf(await metrics('?group_id=x'))).toEqual(['incorrect_type query.group_id'])
  expect(pointersOf(await metrics('?owner=1'))).toEqual(['incorrect_value query.owner'])
})

test('a key that is narrowed to a group scrapes that group, and needs the scope to read', async () => {
  const { shared, private: own } = world.serviceIds
  const key = async (body: object) => {
    const reply = await world.call('alice', 'POST', '/api_keys', { name: 'Prometheus', ...body })
    return { authorization: `Bearer ${reply.answer.key}` }
  }
  const narrowed = await key({ scopes: ['read'], group_ids: [world.groupIds.shared] })
  const { text } = await world.call(null, 'GET', '/metrics/services', undefined, narrowed)
  expect([idsIn(text).includes(shared), idsIn(text).includes(own)]).toEqual([true, false])
  const writing = await world.call(null, 'GET', '/metrics/services', undefined, await key({ scopes: ['write'] }))
  expect(writing.status).toBe(403)
})

test('the response time and the state are those of the status', async () => {
  const { shared } = world.serviceIds
  await world.database.execute(sql`update service_statuses set last_response_time = 250 where service_id = ${shared}`)
  const { text } = await metrics()
  const measured = (metric: string) =>
    new RegExp(`^${metric}\\{service_id="${shared}",.*\\} (.+)$`, 'm').exec(text)?.[1]
  const status = (await world.call('alice', 'GET', `/service_statuses/${shared}`)).body as Record<string, unknown>
  expect(measured('latarnik_service_up')).toBe(status['summary'] === 'ok' ? '1' : '0')
  expect(measured('latarnik_service_response_time_seconds')).toBe('0.25')
  const at = Date.parse(String(status['last_analysis_time'])) / 1000
  expect(Number(measured('latarnik_service_last_analysis_timestamp_seconds'))).toBeCloseTo(at, 0)
})

test('where the operator has not switched it on there is nothing', async () => {
  const quiet = await apiWorld({ hasServiceMetrics: false })
  try {
    expect((await quiet.call('alice', 'GET', '/metrics/services')).status).toBe(404)
  } finally {
    await quiet.drop()
  }
})
