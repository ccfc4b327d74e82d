import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FurnishedWorld, furnishedWorld } from '../support/furnished.ts'
import { pointersOf } from '../support/refused.ts'

let world: FurnishedWorld

beforeAll(async () => {
  world = await furnishedWorld()
})
afterAll(() => world.drop())

async function idsOf(query: string): Promise<readonly number[]> {
  const { status, body } = await world.call('alice', 'GET', `/services?limit=1000&sort=id&${query}`)
  expect([query, status]).toEqual([query, 200])
  return (body as readonly { id: number }[]).map(({ id }) => id)
}

test.each(['name', 'group.name', 'owner.username', 'address'])('%s.contains finds what %s~ finds', async (path) => {
  const field = path.split('.')
  const embed = field.length > 1 ? `embed=${field[0]}` : ''
  const [row] = (await world.call('alice', 'GET', `/services?limit=1&${embed}`)).body as [Record<string, unknown>]
  const value = field.reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], row)
  const part = encodeURIComponent(String(value).slice(1, 3).toUpperCase())
  const found = await idsOf(`${path}.contains=${part}`)
  expect(found).toContain(row['id'])
  expect(found).toEqual(await idsOf(`${path}~=${part}`))
  expect(await idsOf(`${path}.contains=nowhere-at-all`)).toEqual([])
})

test('alternatives, and the same in the body of a search', async () => {
  const all = await idsOf('name.contains=a&name.contains=o')
  expect(all).toEqual(await idsOf('name~=a&name~=o'))
  const filters = { 'name.contains': ['a', 'o'] }
  const search = await world.call('alice', 'POST', '/services/search', { filters, sort: ['id'], limit: 1000 })
  expect(search.answer.map(({ id }) => id)).toEqual(all)
})

test('both count towards the bound of containment filters', async () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => `x${index}`)
  const search = (filters: unknown) => world.call('alice', 'POST', '/services/search', { filters })
  expect((await search({ 'name.contains': many(50), 'address~': many(50) })).status).toBe(200)
  expect(pointersOf(await search({ 'name.contains': many(50), 'address~': many(51) }))).toEqual([
    'value_too_long data.filters.address~',
  ])
})

test('a field without it refuses it', async () => {
  const refused = await world.call('alice', 'GET', '/services?interval.contains=1&constructor.contains=1&.contains=1')
  expect(pointersOf(refused)).toEqual([
    'incorrect_value query..contains',
    'incorrect_value query.constructor.contains',
    'incorrect_value query.interval.contains',
  ])
})
