import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { lockTagsOf } from '../../src/database/services/tags.ts'
import { countLimits } from '../../src/domain/input/count-limits.ts'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import type { Person } from '../support/people.ts'
import { pointersOf } from '../support/refused.ts'
import { idOf } from '../support/replies.ts'

let api: ApiWorld

beforeAll(async () => {
  api = await apiWorld()
})
afterAll(() => api.drop())
beforeEach(async () => {
  await api.database.execute(sql`delete from tags`)
  await api.database.execute(sql`delete from services`)
})

const http = { type_id: 'http', name: 'Sklep', address: 'shop.example.com' }

async function newService(tags?: readonly string[], more: object = {}, person: Person = 'alice'): Promise<number> {
  const body = { ...http, ...more, ...(tags === undefined ? {} : { tags }) }
  return idOf(await api.call(person, 'POST', '/services', body))
}

async function tagsOf(id: number, person: Person = 'alice'): Promise<unknown> {
  const reply = await api.call(person, 'GET', `/services/${id}?fields=tags`)
  expect([reply.status, reply.status === 200 ? '' : reply.text]).toEqual([200, ''])
  return reply.answer.tags
}

async function setTags(id: number, tags: unknown, person: Person = 'alice') {
  return api.call(person, 'PUT', `/services/${id}`, { tags })
}

/** No configuration made it, and nobody is told of its services. */
const byHand = { contact_ids: [], contact_group_ids: [], managed_key: null, managed_by: null, managed_state: null }

interface Tag {
  readonly id: number
  readonly owner_id: number
  readonly name: string
  readonly color: string | null
}

async function listed(person: Person = 'alice'): Promise<readonly Tag[]> {
  const reply = await api.call(person, 'GET', '/tags?limit=100')
  expect(reply.status).toBe(200)
  return reply.body as Tag[]
}

const namesOf = async (person: Person = 'alice') => (await listed(person)).map(({ name }) => name)

async function found(query: string, person: Person = 'alice'): Promise<readonly number[]> {
  const reply = await api.call(person, 'GET', `/services?fields=id&${query}`)
  expect([reply.status, reply.status === 200 ? '' : reply.text]).toEqual([200, ''])
  return reply.answer.map(({ id }) => id)
}

describe('the tags of a service', () => {
  test('are none unless they are set; unknown names are made, known ones are shown as they were made', async () => {
    const plain = await newService()
    expect(await tagsOf(plain)).toEqual([])
    expect(await listed()).toEqual([])
    const id = await newService(['web', 'Łódź'])
    expect(await tagsOf(id)).toEqual(['web', 'Łódź'])
    const other = await newService(['łódź', 'WEB', 'web', 'new'])
    expect(await tagsOf(other)).toEqual(['Łódź', 'web', 'new'])
    const ownerId = api.people.ids.alice
    const whole = ['web', 'Łódź', 'new'].map((name) => ({
      id: expect.any(Number),
      owner_id: ownerId,
      name,
      color: null,
      ...byHand,
    }))
    expect(await listed()).toEqual(whole)
  })

  test('are replaced as a whole, kept by other changes, and may be sent back', async () => {
    const id = await newService(['web', 'shop'])
    expect((await setTags(id, ['shop', 'new'])).status).toBe(204)
    expect(await tagsOf(id)).toEqual(['shop', 'new'])
    expect((await api.call('alice', 'PUT', `/services/${id}`, { name: 'Other' })).status).toBe(204)
    expect((await setTags(id, ['shop', 'new'])).status).toBe(204)
    expect(await tagsOf(id)).toEqual(['shop', 'new'])
    expect((await setTags(id, [])).status).toBe(204)
    expect(await tagsOf(id)).toEqual([])
    // An unused tag stays until somebody deletes it.
    expect(await namesOf()).toEqual(['web', 'shop', 'new'])
  })

  test('follow the tag when it is renamed, and lose it when it is deleted', async () => {
    const id = await newService(['web', 'shop'])
    const [web, shop] = await listed()
    expect((await api.call('alice', 'PUT', `/tags/${web?.id}`, { name: 'Site', color: '#1F6feb' })).status).toBe(204)
    expect(await tagsOf(id)).toEqual(['Site', 'shop'])
    expect(await found('tags=web')).toEqual([])
    expect(await found('tags=site')).toEqual([id])
    expect((await api.call('alice', 'DELETE', `/tags/${shop?.id}`)).status).toBe(204)
    expect(await tagsOf(id)).toEqual(['Site'])
    // A new tag of the same name is another one.
    await newService(['shop'])
    expect(await tagsOf(id)).toEqual(['Site'])
  })

  test('find it: repeated means or, without regard to case, and together with other filters', async () => {
    const [web, both, shop, plain] = [
      await newService(['Web']),
      await newService(['web', 'shop'], { name: 'Both' }),
      await newService(['shop']),
      await newService(),
    ]
    expect(await found('tags=WEB')).toEqual([web, both])
    expect(await found('tags=web&tags=shop')).toEqual([web, both, shop])
    expect(await found('tags=web&name=both')).toEqual([both])
    expect(await found('tags=none')).toEqual([])
    expect(await found('tags=none&tags=shop')).toEqual([both, shop])
    const body = { filters: { tags: ['web', 'shop'] }, fields: ['id'] }
    const searched = await api.call('alice', 'POST', '/services/search', body)
    expect(searched.answer.map(({ id }) => id)).toEqual([web, both, shop])
    expect(await found('')).toHaveLength([web, both, shop, plain].length)
    const times = { start_time: '2030-01-01T00:00:00Z', end_time: '2030-01-02T00:00:00Z' }
    const suspension = idOf(await api.call('alice', 'POST', '/suspensions', { service_id: shop, ...times }))
    const reply = await api.call('alice', 'GET', '/suspensions?service.tags=shop&fields=id')
    expect(reply.body).toEqual([{ id: suspension }])
  })

  test.each([
    ['web', ['incorrect_type data.tags']],
    [[1], ['incorrect_type data.tags[0]']],
    [['fine', ''], ['value_too_short data.tags[1]']],
    [['x'.repeat(51)], ['value_too_long data.tags[0]']],
    [Array.from({ length: 51 }, (_, number) => `tag ${number}`), ['value_too_long data.tags']],
  ])('cannot be %j', async (tags, problems) => {
    const id = await newService(['web'])
    const reply = await setTags(id, tags)
    expect([reply.status, pointersOf(reply)]).toEqual([422, problems])
    expect([await tagsOf(id), await namesOf()]).toEqual([['web'], ['web']])
  })

  test('are not made by a change that is refused', async () => {
    const id = await newService()
    const reply = await api.call('alice', 'PUT', `/services/${id}`, { tags: ['new'], interval: 1 })
    expect(reply.status).toBe(422)
    expect(await namesOf()).toEqual([])
  })

  test('end with the bound of the account', async () => {
    await api.database.execute(sql`
      insert into tags (owner_id, name) select ${api.people.ids.alice}, 'tag ' || number
      from generate_series(1, ${countLimits.tags - 1}::int) number`)
    const id = await newService(['tag 1', 'last'])
    const reply = await setTags(id, ['tag 1', 'last', 'too many'])
    expect([reply.status, pointersOf(reply)]).toEqual([422, ['limit_exceeded data.tags']])
    expect((await setTags(id, ['tag 2', 'LAST'])).status).toBe(204)
    expect(await tagsOf(id)).toEqual(['tag 2', 'last'])
  })

  test('are made once by many at the same moment', async () => {
    const ids = [await newService(), await newService(), await newService(), await newService()]
    const replies = await Promise.all(ids.map((id, index) => setTags(id, [index % 2 === 0 ? 'Same' : 'same', 'both'])))
    expect(replies.map(({ status }) => status)).toEqual([204, 204, 204, 204])
    const names = await namesOf()
    expect(names.map((name) => name.toLowerCase()).toSorted()).toEqual(['both', 'same'])
    for (const id of ids) expect(await tagsOf(id)).toEqual([...names].toSorted((one) => (/same/i.test(one) ? -1 : 1)))
  })
})

describe('in a shared group', () => {
  test('names belong to the owner of the service, whoever sets them', async () => {
    const id = await newService(['web'], { group_id: api.people.sharedGroupId })
    await newService(['bob'], {}, 'bob')
    expect((await setTags(id, ['WEB', 'from bob'], 'bob')).status).toBe(204)
    for (const person of ['alice', 'adam', 'rita', 'bob', 'carol'] as const) {
      expect([person, await tagsOf(id, person)]).toEqual([person, ['web', 'from bob']])
      expect([person, await found('tags=from bob', person)]).toEqual([person, [id]])
    }
    expect(await namesOf()).toEqual(['web', 'from bob'])
    expect(await namesOf('bob')).toEqual(['bob'])
    expect((await setTags(id, ['no'], 'carol')).status).toBe(403)
    expect((await setTags(id, ['no'], 'rita')).status).toBe(403)
    expect((await setTags(id, ['no'], 'charlie')).status).toBe(404)
    expect(await namesOf()).toEqual(['web', 'from bob'])
  })
})

describe('a tag', () => {
  const post = (body: object, person: Person = 'alice') => api.call(person, 'POST', '/tags', body)

  test('has a name and perhaps a color', async () => {
    const id = idOf(await post({ name: 'web', color: '#1f6feb' }))
    const ownerId = api.people.ids.alice
    expect(await listed()).toEqual([{ id, owner_id: ownerId, name: 'web', color: '#1f6feb', ...byHand }])
    expect((await api.call('alice', 'PUT', `/tags/${id}`, { color: null })).status).toBe(204)
    expect((await api.call('alice', 'GET', `/tags/${id}`)).body).toMatchObject({ color: null })
  })

  test.each([
    [{}, ['missing_value data.name']],
    [{ name: '' }, ['value_too_short data.name']],
    [{ name: 'x'.repeat(51) }, ['value_too_long data.name']],
    [{ name: 'web', color: 'red' }, ['incorrect_value data.color']],
    [{ name: 'web', color: '#12345' }, ['incorrect_value data.color']],
    [{ name: 'web', owner_id: 987_654 }, ['incorrect_value data.owner_id']],
    [{ name: 'ŻÓŁĆ' }, ['value_is_not_unique data.name']],
  ])('cannot be %j', async (body, problems) => {
    await post({ name: 'Żółć' })
    const reply = await post(body)
    expect([reply.status, pointersOf(reply)]).toEqual([422, problems])
  })

  test('keeps its name apart from others when it is renamed, and may change its own case', async () => {
    const [one] = [idOf(await post({ name: 'one' })), idOf(await post({ name: 'two' }))]
    const rename = (name: string) => api.call('alice', 'PUT', `/tags/${one}`, { name })
    expect(pointersOf(await rename('TWO'))).toEqual(['value_is_not_unique data.name'])
    expect((await rename('ONE')).status).toBe(204)
    expect(await namesOf()).toEqual(['ONE', 'two'])
    // Another account has names of its own.
    expect((await post({ name: 'one' }, 'charlie')).status).toBe(201)
  })

  test('of two of one name made at the same moment one is refused', async () => {
    const replies = await Promise.all(['web', 'WEB', 'Web'].map((name) => post({ name })))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 422, 422])
  })

  test('is the owner’s: sub-accounts share it, read-only users and strangers change nothing', async () => {
    const id = idOf(await post({ name: 'web' }))
    expect(idOf(await post({ name: 'from adam' }, 'adam'))).toBeGreaterThan(0)
    expect(await namesOf('adam')).toEqual(['web', 'from adam'])
    expect((await listed())[1]?.owner_id).toBe(api.people.ids.alice)
    expect(await namesOf('rita')).toEqual(['web', 'from adam'])
    expect((await post({ name: 'no' }, 'rita')).status).toBe(403)
    expect((await api.call('rita', 'PUT', `/tags/${id}`, { name: 'no' })).status).toBe(403)
    for (const person of ['bob', 'carol', 'charlie'] as const) {
      expect((await api.call(person, 'GET', `/tags/${id}`)).status).toBe(404)
      expect((await api.call(person, 'DELETE', `/tags/${id}`)).status).toBe(404)
    }
  })
})

test('a process of before the first release, which locks the row of the account, makes no tag meanwhile', async () => {
  const { database, people } = api
  const ownerId = people.ids.alice
  const lockAsBefore = () =>
    database.execute(sql`select 1 from accounts where id = ${ownerId} for no key update nowait`)
  await database.transaction(async (transaction) => {
    await lockTagsOf(transaction, ownerId)
    await expect(lockAsBefore()).rejects.toMatchObject({ code: '55P03' })
  })
  expect(await lockAsBefore()).toBe(1)
})
