import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { HostProofs } from '../../src/status-pages/host-proofs.ts'
import { type FurnishedWorld, furnishedWorld } from '../support/furnished.ts'
import type { Person } from '../support/people.ts'
import { errorsOf, idOf } from '../support/replies.ts'

/** Status pages at hosts of their own: permitted by the operator, and proven by a DNS record. */

let world: FurnishedWorld
let proofs: HostProofs
/** The TXT records of the world; null: no name server answers. */
let records: Map<string, readonly string[]> | null = new Map()
let number = 0

beforeAll(async () => {
  world = await furnishedWorld()
  proofs = new HostProofs({
    ...{ database: world.database, clock: world.clock },
    lookUp: async (name) => {
      if (records === null) throw new Error('silence')
      return records.get(name) ?? []
    },
    onFault: (error) => {
      throw error
    },
  })
})
afterAll(() => world.drop())
beforeEach(() => {
  records = new Map()
})

interface Shown {
  readonly host: string | null
  readonly host_state: string | null
  readonly host_record: { readonly name: string; readonly value: string } | null
  readonly host_checked_at: string | null
}

async function page(person: Person, more: object = {}) {
  number += 1
  const slug = `hosted-${number}`
  const reply = await world.call(person, 'POST', '/status_pages', { slug, title: slug, ...more })
  expect([reply.status, reply.text]).toEqual([201, expect.any(String)])
  return { id: idOf(reply), slug, person }
}

type Page = Awaited<ReturnType<typeof page>>

const put = ({ id, person }: Page, body: object) => world.call(person, 'PUT', `/status_pages/${id}`, body)
const shown = async ({ id, person }: Page) =>
  (await world.call(person, 'GET', `/status_pages/${id}?fields=host,host_state,host_record,host_checked_at`))
    .body as Shown

async function setRecord(one: Page): Promise<void> {
  const { host_record: record } = await shown(one)
  if (record === null) throw new Error('There is no record to set.')
  records?.set(record.name, [...(records.get(record.name) ?? []), record.value])
}

/** The slug of the page that a visitor of the host sees. */
async function slugAt(host: string): Promise<string | undefined> {
  world.pages.start()
  await world.pages.stop()
  return world.pages.slugOfHost(host)
}

const refusalOf = ({ status, body }: { readonly status: number; readonly body: unknown }) => [status, errorsOf(body)]

describe('a host of its own', () => {
  test('that the operator does not permit is refused, and the answer says which are permitted', async () => {
    const one = await page('alice')
    for (const host of ['status.example.com', 'api.test', 'pages.test', 'shops.test']) {
      const reply = await put(one, { host })
      expect(refusalOf(reply)).toEqual([422, [['incorrect_value', 'data.host']]])
      expect(reply.text).toContain('*.shops.test, *.pages.test')
    }
    expect(
      refusalOf(await world.call('alice', 'POST', '/status_pages', { slug: 'x', title: 'x', host: 'api.test' })),
    ).toEqual([422, [['incorrect_value', 'data.host']]])
  })

  test('is not served before its record is seen, and is afterwards', async () => {
    const host = 'status.shops.test'
    const one = await page('alice', { host })
    expect(await shown(one)).toMatchObject({
      host_state: 'waiting',
      host_record: {
        type: 'TXT',
        name: `_latarnik.${host}`,
        value: expect.stringMatching(/^latarnik-status-page=[0-9a-f]{32}$/),
      },
      host_checked_at: null,
    })
    await proofs.look()
    expect(await shown(one)).toMatchObject({ host_state: 'waiting', host_checked_at: expect.any(String) })
    expect(await slugAt(host)).toBeUndefined()
    expect((await world.server.inject({ url: '/', headers: { host } })).payload).not.toContain(one.slug)
    await setRecord(one)
    expect((await world.call('alice', 'POST', `/status_pages/${one.id}/check_host`)).status).toBe(204)
    await proofs.look()
    expect(await shown(one)).toMatchObject({ host_state: 'proven' })
    expect(await slugAt(host)).toBe(one.slug)
    expect((await world.server.inject({ url: '/', headers: { host } })).payload).toContain(`<h1>${one.slug}</h1>`)
    const { url } = JSON.parse(
      (await world.server.inject({ url: '/api/v2/status.json', headers: { host } })).payload,
    ).page
    expect(url).toBe(`http://${host}`)
  })

  test('goes to whoever proves it, however early another tenant asked for it', async () => {
    const host = 'www.shops.test'
    const squatter = await page('charlie', { host })
    const owner = await page('alice', { host })
    await setRecord(owner)
    await proofs.look()
    expect([(await shown(squatter)).host_state, (await shown(owner)).host_state]).toEqual(['waiting', 'proven'])
    expect(await slugAt(host)).toBe(owner.slug)
    const third = await page('charlie')
    expect(refusalOf(await put(third, { host }))).toEqual([422, [['value_is_not_unique', 'data.host']]])
    // The record of another page proves nothing.
    const late = await put(squatter, { title: 'Squatter' })
    expect(late.status).toBe(204)
    await world.call('charlie', 'POST', `/status_pages/${squatter.id}/check_host`)
    await proofs.look()
    expect((await shown(squatter)).host_state).toBe('waiting')
  })

  test('stays proven while name servers are silent, and lapses a day after its record', async () => {
    const host = 'long.shops.test'
    const one = await page('alice', { host })
    await setRecord(one)
    await proofs.look()
    const set = records
    const lookAfter = async (ms: number) => {
      world.clock.advance(ms)
      await proofs.look()
      return (await shown(one)).host_state
    }
    records = null
    expect(await lookAfter(3 * 86_400_000)).toBe('proven')
    records = set
    expect(await lookAfter(3_600_000)).toBe('proven')
    records = new Map()
    expect(await lookAfter(3_600_000)).toBe('proven')
    expect(await lookAfter(86_400_000)).toBe('lapsed')
    expect(await slugAt(host)).toBeUndefined()
    records = set
    expect(await lookAfter(3_600_000)).toBe('proven')
  })

  test('has another token with another name, and none without a name', async () => {
    const one = await page('alice', { host: 'one.shops.test' })
    await setRecord(one)
    await proofs.look()
    const first = await shown(one)
    await put(one, { host: 'ONE.shops.test' })
    expect(await shown(one)).toMatchObject({ host: 'one.shops.test', host_state: 'proven' })
    await put(one, { host: 'two.shops.test' })
    const second = await shown(one)
    expect(second).toMatchObject({ host_state: 'waiting' })
    expect(second.host_record?.value).not.toBe(first.host_record?.value)
    await put(one, { host: null })
    expect(await shown(one)).toEqual({ host: null, host_state: null, host_record: null, host_checked_at: null })
    expect(await slugAt('one.shops.test')).toBeUndefined()
  })

  test("below the operator's own domain is free: the first has it, without a proof", async () => {
    const host = 'shop.pages.test'
    const first = await page('charlie', { host })
    expect(await shown(first)).toMatchObject({ host_state: 'free', host_record: null })
    expect(await slugAt(host)).toBe(first.slug)
    for (const spelled of [host, `${host}.`, `${host.toUpperCase()}:8080`, `${host}.:443`]) {
      const { payload } = await world.server.inject({ url: '/', headers: { host: spelled } })
      expect([spelled, payload.includes(`<h1>${first.slug}</h1>`)]).toEqual([spelled, true])
    }
    const second = await page('alice')
    expect(refusalOf(await put(second, { host }))).toEqual([422, [['value_is_not_unique', 'data.host']]])
    await put(first, { host: null })
    expect((await put(second, { host })).status).toBe(204)
  })

  test("below the operator's own domain shows neither API nor console nor other pages, with a page or without", async () => {
    const [taken, other] = ['taken.pages.test', 'nobody.pages.test']
    const one = await page('alice', { host: taken })
    expect(await slugAt(taken)).toBe(one.slug)
    const paths = [
      '/login',
      '/v3/groups',
      '/status',
      `/status/${one.slug}`,
      '/badges/x.svg',
      '//',
      '/../login',
      '/console',
    ]
    for (const host of [taken, other, `${other}.`])
      for (const path of [...paths, ...(host === taken ? [] : ['/', '/subscribe'])]) {
        const { statusCode, headers, payload } = await world.server.inject({ url: path, headers: { host } })
        expect([host, path, statusCode, headers['set-cookie']]).toEqual([host, path, 404, undefined])
        expect(payload).toContain('<h1>There is no page here</h1>')
      }
  })

  test('is looked up by those alone who may change the page', async () => {
    const one = await page('alice', { host: 'mine.shops.test' })
    expect((await world.call('charlie', 'POST', `/status_pages/${one.id}/check_host`)).status).toBe(404)
  })
})

test('an account with many hosts that wait delays no host of another', async () => {
  await world.database.execute(sql`update status_pages set host_check_at = null`)
  const at = new Date(world.clock.now() - 60_000)
  await world.database.execute(sql`
    insert into status_pages (owner_id, slug, title, language_id, time_zone_id, created_at, updated_at, host, host_token,
      host_claimed_at, host_check_at)
    select ${world.people.ids.alice}, 'crowd-' || number, 'Crowd', 'en', 'utc', ${at}, ${at}, 'crowd-' || number || '.shops.test',
      'token-' || number, ${at}, ${at} from generate_series(1, 100) number`)
  const other = await page('charlie', { host: 'other.shops.test' })
  await setRecord(other)
  expect(await proofs.look()).toBe(true)
  expect((await shown(other)).host_state).toBe('proven')
  // The others have their turn, too.
  for (let looks = 0; looks < 5; looks += 1) await proofs.look()
  const waiting = await world.database.query(
    sql`select 1 from status_pages where slug like 'crowd-%' and host_checked_at is null`,
  )
  expect(waiting).toEqual([])
  await world.database.execute(sql`delete from status_pages where slug like 'crowd-%'`)
})
