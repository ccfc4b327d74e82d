import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { type PauseOrder, pauseServices, resumeServices, type Selection } from '../../src/cli/maintenance.ts'
import { type Remote, remoteOf } from '../../src/cli/remote.ts'
import { momentOf, spanOf } from '../../src/cli/time-span.ts'
import { applyBoundaries, claimBoundaries } from '../../src/service-state/pauses.ts'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { type Person, passwordOf } from '../support/people.ts'
import { idOf } from '../support/replies.ts'

let api: ApiWorld
let server: string

beforeAll(async () => {
  api = await apiWorld()
  server = await api.server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => api.drop())
beforeEach(async () => {
  await api.database.execute(sql`delete from wide_suspensions`)
  await api.database.execute(sql`delete from services`)
})

const minute = 60_000

function asked(person: Person = 'alice'): Remote {
  const login = { LATARNIK_USERNAME: person, LATARNIK_PASSWORD: passwordOf(person) }
  return remoteOf({ server: `${server}/` }, login)
}

async function add(name: string, more: object = {}, person: Person = 'alice'): Promise<number> {
  const service = { type_id: 'http', name, address: 'shop.example.com', ...more }
  return idOf(await api.call(person, 'POST', '/services', service))
}

function order(minutes: number, more: Partial<PauseOrder> = {}): PauseOrder {
  const now = api.clock.now()
  return { now, until: now + minutes * minute, onlyNotifications: false, description: '', ...more }
}

const pause = (selection: Selection, minutes: number, more: Partial<PauseOrder> = {}) =>
  pauseServices(asked(), selection, order(minutes, more))
const resume = (selection: Selection) => resumeServices(asked(), selection, api.clock.now())

/** `service monitoring_status` of everything, by its name. */
async function states(): Promise<string[]> {
  const { body } = await api.call('alice', 'GET', '/services?embed=status.monitoring_status&fields=name&sort=name')
  return (body as { name: string; status: { monitoring_status: string } }[]).map(
    ({ name, status }) => `${name} ${status.monitoring_status}`,
  )
}

/** The same at a later moment, once the calendars have spoken. */
async function statesAt(at: number): Promise<string[]> {
  api.clock.advance(at - api.clock.now())
  await api.database.transaction(async (transaction) => {
    await applyBoundaries(transaction, await claimBoundaries(transaction, at, 500))
  })
  return states()
}

async function groupCalled(name: string): Promise<number> {
  const { body } = await api.call('alice', 'GET', `/groups?name=${name}`)
  const [known] = body as { id: number }[]
  return known?.id ?? idOf(await api.call('alice', 'POST', '/groups', { name }))
}

async function suspensions(
  kind = 'suspensions',
): Promise<readonly { readonly end_time: string; readonly description: string }[]> {
  const { body } = await api.call('alice', 'GET', `/${kind}?sort=id`)
  return body as { end_time: string; description: string }[]
}

test('a tag is paused and resumed; the rest goes on', async () => {
  await add('cart', { tags: ['web'] })
  await add('mail', { tags: ['post'] })
  await add('shop', { tags: ['web'] })
  expect(await pause({ tag: ['web'] }, 15, { description: 'Version 7' })).toMatchObject({
    made: 2,
    extended: 0,
    kept: 0,
  })
  expect(await states()).toEqual(['cart suspended', 'mail on', 'shop suspended'])
  expect((await suspensions('wide_suspensions'))[0]?.description).toBe('latarnik pause: Version 7')
  expect(await suspensions()).toEqual([])
  api.clock.advance(5 * minute)
  expect(await resume({ tag: ['web'] })).toMatchObject({ ended: 2 })
  expect(await states()).toEqual(['cart on', 'mail on', 'shop on'])
})

test('a tag that there is not is told', async () => {
  await add('cart', { tags: ['web'] })
  await expect(pause({ tag: ['web', 'nosuch'] }, 15)).rejects.toThrow('There is no tag nosuch, or you may not see it.')
  await expect(resume({ tag: ['nosuch'] })).rejects.toThrow('There is no tag nosuch')
})

test('run again, it only moves the end, never to an earlier moment', async () => {
  await add('cart', { tags: ['web'] })
  await pause({ tag: ['web'] }, 15)
  expect(await pause({ tag: ['WEB'] }, 5)).toMatchObject({ made: 0, extended: 0, kept: 1 })
  await add('shop', { tags: ['web'] })
  expect(await pause({ tag: ['web'] }, 30)).toMatchObject({ made: 0, extended: 2, kept: 0 })
  const ends = (await suspensions('wide_suspensions')).map(({ end_time }) => Date.parse(end_time))
  expect(ends).toEqual([Math.floor((api.clock.now() + 30 * minute) / 1000) * 1000])
})

test.each<[string, Selection, () => Promise<object>]>([
  ['a tag', { tag: ['web'] }, async () => ({ tags: ['web'] })],
  ['a group', { group: ['Cluster'] }, async () => ({ group_id: await groupCalled('Cluster') })],
  ['everything', { all: true }, async () => ({})],
])(
  '%s: a service that comes while it lasts is paused, too, and all end at the exact second',
  async (_what, chosen, place) => {
    await add('cart', { tags: ['web'], group_id: await groupCalled('Cluster') })
    const began = api.clock.now()
    const { made, follows } = await pause(chosen, 15)
    expect([made, follows.length]).toEqual([1, 1])
    await add('late', await place())
    const end = Math.ceil((began + 15 * minute) / 1000) * 1000
    expect(await statesAt(began + minute)).toEqual(['cart suspended', 'late suspended'])
    expect(await statesAt(end - 1)).toEqual(['cart suspended', 'late suspended'])
    expect(await statesAt(end)).toEqual(['cart on', 'late on'])
  },
)

test('a service that loses the tag is no longer paused', async () => {
  const cart = await add('cart', { tags: ['web'] })
  await pause({ tag: ['web'] }, 15)
  expect(await statesAt(api.clock.now() + minute)).toEqual(['cart suspended'])
  await api.call('alice', 'PUT', `/services/${cart}`, { tags: [] })
  expect(await statesAt(api.clock.now() + 2 * minute)).toEqual(['cart on'])
})

test('a tag that no service has yet is paused for those that get it', async () => {
  await api.call('alice', 'POST', '/tags', { name: 'soon' })
  expect(await pause({ tag: ['soon'] }, 15)).toMatchObject({ made: 0, follows: ['tag soon'] })
  await add('cart', { tags: ['soon'] })
  expect(await statesAt(api.clock.now() + minute)).toEqual(['cart suspended'])
  expect(await resume({ tag: ['soon'] })).toMatchObject({ ended: 1, areas: ['tag soon'] })
  expect(await statesAt(api.clock.now() + minute)).toEqual(['cart on'])
})

test('what somebody else suspended stays suspended', async () => {
  const service_id = await add('cart', { tags: ['web'] })
  const end_time = new Date(api.clock.now() + 60 * minute).toISOString()
  await api.call('alice', 'POST', '/suspensions', { service_id, end_time })
  await pause({ tag: ['web'] }, 15)
  expect(await resume({ tag: ['web'] })).toMatchObject({ ended: 1 })
  expect(await states()).toEqual(['cart suspended'])
  expect(await resume({ tag: ['web'] })).toMatchObject({ ended: 0 })
})

test('a group, services by name and number, and everything', async () => {
  const group = idOf(await api.call('alice', 'POST', '/groups', { name: 'Web servers' }))
  const cart = await add('cart', { group_id: group })
  await add('mail')
  await add('shop')
  expect(await pause({ group: ['Web servers'] }, 15)).toMatchObject({ made: 1 })
  const one = await resume({ service: [String(cart)] })
  expect([one.ended, [...one.refusals]]).toEqual([
    0,
    [[`group ${group} is still paused: latarnik resume --group ${group}`, 1]],
  ])
  expect(await pause({ service: ['mail', String(cart)] }, 15)).toMatchObject({ made: 2 })
  expect(await pause({ all: true }, 15)).toMatchObject({ made: 3, kept: 0 })
  expect(await resume({ all: true })).toMatchObject({ ended: 3 })
  expect(await states()).toEqual(['cart on', 'mail on', 'shop on'])
})

test('what is only read is not paused, and quiet hours are no stop', async () => {
  await add('cart')
  await add('bobs', {}, 'bob')
  expect(await pause({ all: true }, 15, { onlyNotifications: true })).toMatchObject({ made: 1 })
  expect(await states()).toEqual(['cart on'])
  expect(await pause({ all: true }, 15)).toMatchObject({ made: 1 })
  expect(await states()).toEqual(['cart suspended'])
})

describe('it says clearly', () => {
  const refusal = (selection: Selection) =>
    pause(selection, 15).then(
      () => '',
      (error: Error) => error.message,
    )

  test('what it does not find, or cannot tell apart', async () => {
    await add('twice')
    await add('twice')
    expect(await refusal({})).toBe('Choose services by one of --tag, --group, --service or --all.')
    expect(await refusal({ tag: ['web'], all: true })).toBe(
      'Choose services by one of --tag, --group, --service or --all.',
    )
    await api.database.execute(sql`delete from services`)
    expect(await refusal({ all: true })).toBe('No service is selected that you may suspend.')
    await add('twice')
    await add('twice')
    expect(await refusal({ group: ['Nobody'] })).toMatch(/^There is none of the groups called Nobody/)
    expect(await refusal({ service: ['twice'] })).toMatch(/^Several of the services are called twice.*: \d+, \d+\.$/)
  })

  test('why an installation cannot be asked', async () => {
    const why = (flags: object, environment: NodeJS.ProcessEnv = {}) => {
      try {
        return remoteOf(flags, environment)
          .ask((remote) => remote.all('/services'))
          .then(
            () => '',
            (error: Error) => error.message,
          )
      } catch (error) {
        return (error as Error).message
      }
    }
    expect(await why({})).toBe('Name the installation: --server, or LATARNIK_URL.')
    expect(await why({ server: 'nonsense' })).toMatch(/is no address: nonsense\. /)
    expect(await why({ server })).toBe('Set LATARNIK_TOKEN, or LATARNIK_USERNAME and LATARNIK_PASSWORD.')
    expect(await why({ server, token: 'wrong' })).toMatch(/refuses \(401\)\..*Is the token, or the password, right\?$/)
    expect(await why({ server: 'http://127.0.0.1:1', token: 'x' })).toMatch(/cannot be reached: /)
  })

  test('that an address redirects, without handing the login on', async () => {
    const other = createServer((_request, response) => response.writeHead(302, { Location: `${server}/v3` }).end())
    onTestFinished(() => void other.close())
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const address = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
    const { ask } = remoteOf({ server: address, token: 'x' })
    await expect(ask((remote) => remote.all('/services'))).rejects.toThrow(/redirects to/)
  })
})

test.each([
  ['15m', 900],
  ['1h30m', 5400],
  ['2D', 172_800],
  ['90s', 90],
])('%s is %i seconds', (text, seconds) => {
  expect(spanOf(text)).toBe(seconds * 1000)
})

test.each(['', '15', 'm', '0m', '-5m', '1.5h', '900d', '15 m'])('%j is no span', (text) => {
  expect(() => spanOf(text)).toThrow()
})

test('a time of day is the next one on this machine; a moment is itself', () => {
  const now = new Date(2026, 10, 21, 12, 0).getTime()
  expect(momentOf('13:30', now)).toBe(now + 90 * minute)
  expect(momentOf('12:00', now)).toBe(new Date(2026, 10, 22, 12, 0).getTime())
  expect(momentOf('2026-12-24T08:00:00Z', now)).toBe(Date.UTC(2026, 11, 24, 8))
  for (const text of ['25:00', 'noon', '2020-01-01T00:00:00Z', '2026-12-24'])
    expect(() => momentOf(text, now)).toThrow()
})
