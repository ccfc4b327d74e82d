import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiWorld, apiWorld, type Reply } from '../support/api.ts'
import { problemsOf } from '../support/refused.ts'

let api: ApiWorld

beforeAll(async () => {
  api = await apiWorld()
})
afterAll(() => api.drop())

const tagOf = async (path: string) => String((await api.call('alice', 'GET', path)).headers['etag'])
const change = (path: string, body: unknown, tag?: string): Promise<Reply> =>
  api.call('alice', 'PUT', path, body, tag === undefined ? {} : { 'if-match': tag })
const nameOf = async (path: string) => ((await api.call('alice', 'GET', path)).body as { name: string }).name

async function newService(): Promise<string> {
  const body = { name: 'Shop', type_id: 'http', address: 'shop.example.com' }
  const reply = await api.call('alice', 'POST', '/services', body)
  return `/services/${reply.answer.id}`
}

describe('If-Match changes an object only in the version that the caller knows', () => {
  test('of two who read the same version the first writes, the second is told', async () => {
    const path = await newService()
    const tag = await tagOf(path)
    expect((await change(path, { name: 'First' }, tag)).status).toBe(204)
    const second = await change(path, { name: 'Second' }, tag)
    expect([second.status, problemsOf(second).map(({ error }) => error)]).toEqual([412, ['object_changed']])
    expect(await nameOf(path)).toBe('First')
    expect((await change(path, { name: 'Second' }, await tagOf(path))).status).toBe(204)
    expect(await nameOf(path)).toBe('Second')
  })

  test('of two at the same moment one writes', async () => {
    const path = await newService()
    const tag = await tagOf(path)
    const replies = await Promise.all(['One', 'Other', 'Third'].map((name) => change(path, { name }, tag)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([204, 412, 412])
  })

  test('a list of tags, the weak form of one and * are understood; without the header the last one wins', async () => {
    const path = await newService()
    const tag = await tagOf(path)
    expect((await change(path, { name: 'A' }, `"other", ${tag}`)).status).toBe(204)
    expect((await change(path, { name: 'B' }, `W/${await tagOf(path)}`)).status).toBe(204)
    expect((await change(path, { name: 'C' }, '*')).status).toBe(204)
    expect((await change(path, { name: 'D' }, '"other"')).status).toBe(412)
    expect((await change(path, { name: 'D' })).status).toBe(204)
  })

  test('a deletion is refused as well; what is not there is not found', async () => {
    const path = await newService()
    const tag = await tagOf(path)
    await change(path, { name: 'Changed' })
    expect((await api.call('alice', 'DELETE', path, undefined, { 'if-match': tag })).status).toBe(412)
    expect((await api.call('alice', 'DELETE', path, undefined, { 'if-match': await tagOf(path) })).status).toBe(204)
    expect((await change(path, { name: 'Gone' }, tag)).status).toBe(404)
  })

  test('who may not change it is told that, whatever the tag', async () => {
    const path = await newService()
    const reply = await api.call('rita', 'PUT', path, { name: 'Not mine' }, { 'if-match': '"other"' })
    expect(reply.status).toBe(403)
  })

  test('what is made with PUT is not there in any version', async () => {
    const group = await api.call('alice', 'POST', '/groups', { name: 'Shared soon' })
    const path = `/groups/${group.answer.id}/shares/${api.people.ids.charlie}`
    expect((await change(path, {}, '*')).status).toBe(412)
    expect((await change(path, {})).status).toBe(204)
    const tag = await tagOf(path)
    expect((await change(path, { can_delete_services: true }, tag)).status).toBe(204)
    expect((await change(path, { can_delete_services: false }, tag)).status).toBe(412)
  })
})
