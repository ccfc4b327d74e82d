import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { summaries } from '../../src/domain/judging/status.ts'
import { type FurnishedWorld, furnishedWorld } from '../support/furnished.ts'
import type { Person } from '../support/people.ts'
import { pointersOf } from '../support/refused.ts'
import { idOf } from '../support/replies.ts'

let world: FurnishedWorld

beforeAll(async () => {
  world = await furnishedWorld()
  await world.call('alice', 'PUT', `/services/${world.serviceIds.shared}`, { tags: ['counted'] })
  const kinds = [
    `check_status = 'ok', monitoring_status = 'on', valid_until = 'infinity', degraded_since = null`,
    `check_status = 'ok', monitoring_status = 'on', valid_until = 'infinity', degraded_since = '2026-01-01'`,
    `check_status = 'failure', monitoring_status = 'on', valid_until = 'infinity', degraded_since = '2026-01-01'`,
    `check_status = 'ok', monitoring_status = 'on', valid_until = '2000-01-01', degraded_since = null`,
    `check_status = 'failure', monitoring_status = 'off', valid_until = null, degraded_since = null`,
    `check_status = 'ok', monitoring_status = 'suspended', valid_until = null, degraded_since = null`,
  ]
  for (const [number, values] of kinds.entries()) {
    for (let copy = 0; copy <= number; copy += 1) {
      const name = `Counted ${number} ${copy}`
      const body = { type_id: 'http', address: 'counted.example', name }
      const id = idOf(await world.call('alice', 'POST', '/services', body))
      await world.database.execute(sql`update service_statuses set ${raw(values)} where service_id = ${id}`)
    }
  }
})
afterAll(() => world.drop())

const path = '/services/state_counts'

/** The same by a list for each number. */
async function listed(person: Person, query: string): Promise<object> {
  const conditions = Object.fromEntries(summaries.map((one) => [one, `status.summary=${one}`]))
  const all = Object.entries({ ...conditions, degraded: 'status.is_degraded=true' })
  const counts = all.map(async ([name, condition]) => {
    const { headers } = await world.call(person, 'GET', `/services?limit=0&${condition}&${query}`)
    return [name, Number(headers['x-total-count'])] as const
  })
  return Object.fromEntries(await Promise.all(counts))
}

test('each state is counted, degraded ones among the good ones', async () => {
  const { status, answer } = await world.call('alice', 'GET', `${path}?name~=counted`)
  expect([status, answer]).toEqual([200, { ok: 1 + 2, degraded: 2, failure: 3, unknown: 4, paused: 5, suspended: 6 }])
})

test.each([
  '',
  'query=counted',
  'status.check_status=ok',
  'status.is_degraded=true',
  'group.name~=e&permissions.update=true',
  'tags=counted',
  'is_archived=true',
  'id=0',
])('filters count as lists do: %s', async (query) => {
  for (const person of ['alice', 'bob', 'charlie'] as const) {
    const reply = await world.call(person, 'GET', `${path}?${query}`)
    expect([person, reply.status, reply.body]).toEqual([person, 200, await listed(person, query)])
  }
})

test('a key that is narrowed to a tag counts nothing beside it', async () => {
  const made = await world.call('alice', 'POST', '/api_keys', { name: 'one', scopes: ['read'], tags: ['counted'] })
  const authorization = `Bearer ${(made.body as { key: string }).key}`
  const { status, body } = await world.call(null, 'GET', path, undefined, { authorization })
  expect([status, body]).toEqual([200, await listed('alice', 'tags=counted')])
})

test('pages, orders and unknown filters are refused', async () => {
  const refused = await world.call('alice', 'GET', `${path}?limit=1&sort=id&fields=id&embed=status&nonsense=1`)
  expect([refused.status, pointersOf(refused)]).toEqual([
    422,
    ['embed', 'fields', 'limit', 'nonsense', 'sort'].map((name) => `incorrect_value query.${name}`),
  ])
  expect(refused.text).not.toContain('offset')
})

test('nobody who is not logged in counts', async () => {
  expect((await world.call(null, 'GET', path)).status).toBe(401)
})
