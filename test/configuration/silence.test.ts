import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Api } from '../../src/configuration/api.ts'
import { untoldAfter, untoldNow, untoldText } from '../../src/configuration/silence.ts'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { apiFor, applied, forgetAll, planned } from '../support/configuring.ts'

/** Services of files that tell nobody of a failure: known before they are made, and after. */

let world: ApiWorld
let api: Api

beforeAll(async () => {
  world = await apiWorld({ mustConfirmAddresses: true })
  api = apiFor(await world.server.listen({ host: '127.0.0.1', port: 0 }), 'alice')
})
afterAll(() => world.drop())
beforeEach(() => forgetAll(world.database))

const hook = 'settings: { url: https://hooks.example.com/in }'
const service = (key: string, more = '') => `  ${key}: { name: ${key}, type_id: http, address: a.test${more} }\n`
const file = (text: string) => ({ 'a.yaml': `version: 1\n${text}` })
const inShop = 'groups:\n  shop: { name: Shop }\n'

/** The keys before and after the files are applied, which must agree. */
async function untoldOf(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const before = await untoldAfter(api, (await planned(api, files)).plan)
  expect((await applied(api, files)).filter((result) => !result.endsWith(' done'))).toEqual([])
  const { plan } = await planned(api, files)
  expect(await untoldAfter(api, plan)).toEqual(before)
  expect(await untoldNow(api, plan)).toEqual(before)
  const keys = before.map(({ key }) => key)
  // The API says the same, but of an account without any address nothing.
  if (await hasAddresses()) expect(await warnedOf()).toEqual(keys)
  return keys
}

async function rowsAt(path: string): Promise<readonly { readonly [name: string]: unknown }[]> {
  return (await api.send({ method: 'GET', path })).body as readonly { readonly [name: string]: unknown }[]
}

async function hasAddresses(): Promise<boolean> {
  const paths = ['/notification_addresses?fields=id', '/contacts?fields=id']
  return (await Promise.all(paths.map(rowsAt))).some((rows) => rows.length > 0)
}

/** The keys of the services that the API warns of. */
async function warnedOf(): Promise<readonly string[]> {
  const services = await rowsAt('/services?fields=managed_key,warnings&managed_by=latarnik&sort=id')
  return services.flatMap((row) =>
    JSON.stringify(row['warnings']).includes('nobody_told') ? [String(row['managed_key'])] : [],
  )
}

test('new services notify by a webhook of their group that stands in the same files', async () => {
  const many = Array.from({ length: 20 }, (_none, at) => service(`s${at}`, ', group_id: shop')).join('')
  const address = `notification_addresses:\n  chat: { notification_channel_id: webhook, group_id: shop, ${hook} }\n`
  expect(await untoldOf(file(`${inShop}services:\n${many}${address}`))).toEqual([])
})

test('a webhook of the default group is nothing to services of another one', async () => {
  const address = `notification_addresses:\n  chat: { notification_channel_id: webhook, ${hook} }\n`
  const services = `${service('a')}${service('b', ', group_id: shop')}`
  expect(await untoldOf(file(`${inShop}services:\n${services}${address}`))).toEqual(['b'])
})

test('services that are there keep their channels, so a new webhook is not theirs until the files say so', async () => {
  const services = `services:\n${service('a')}`
  expect(await untoldOf(file(services))).toEqual(['a'])
  const address = `notification_addresses:\n  chat: { notification_channel_id: webhook, ${hook} }\n`
  expect(await untoldOf(file(services + address))).toEqual(['a'])
  const named = `services:\n${service('a', ', notification_channel_ids: [webhook]')}`
  expect(await untoldOf(file(named + address))).toEqual([])
})

test.each([
  [
    'contacts of the service',
    `contacts: { anna: { name: Anna } }\nservices:\n${service('a', ', contact_ids: [anna]')}`,
  ],
  [
    'contacts of the group',
    `contacts: { anna: { name: Anna } }\ngroups: { shop: { name: Shop, contact_ids: [anna] } }\nservices:\n${service('a', ', group_id: shop')}`,
  ],
  [
    'contacts of a tag',
    `contacts: { anna: { name: Anna } }\ntags: { web: { name: Web, contact_ids: [anna] } }\nservices:\n${service('a', ', tags: [web]')}`,
  ],
  ['no channel by choice', `services:\n${service('a', ', notification_channel_ids: []')}`],
  ['no failure by choice', `services:\n${service('a', ', notification_condition_ids: [recovery]')}`],
  ['paused', `services:\n${service('a', ', is_active: false')}`],
])('%s: nothing is missing', async (_what, text) => {
  expect(await untoldOf(file(text))).toEqual([])
})

test('an address that was refused, or waits for its confirmation, tells nobody once the files are applied', async () => {
  const address = (group: string, more: string) =>
    `  ${group}: { group_id: ${group}, notification_channel_id: ${more} }\n`
  const files = file(
    [
      'groups: { good: { name: Good }, wrong: { name: Wrong }, mail: { name: Mail } }\n',
      `services:\n${['good', 'wrong', 'mail'].map((key) => service(key, `, group_id: ${key}`)).join('')}`,
      `notification_addresses:\n${address('good', `webhook, ${hook}`)}`,
      `${address('wrong', 'webhook, settings: { url: not an address }')}${address('mail', 'email, address: anna@example.com')}`,
    ].join(''),
  )
  const found = await planned(api, files)
  expect(await untoldAfter(api, found.plan)).toEqual([])
  const outcomes = [...(await found.apply(() => undefined)).values()].map(({ result }) => result)
  expect(outcomes.filter((result) => result !== 'done')).toEqual(['refused'])
  const untold = await untoldNow(api, found.plan)
  // Objects are made several at once, so either may be the first.
  expect(untold.toSorted((one, other) => other.key.localeCompare(one.key))).toEqual([
    { key: 'wrong', group: 'Wrong', isWaiting: false },
    { key: 'mail', group: 'Mail', isWaiting: true },
  ])
  expect((await warnedOf()).toSorted()).toEqual(['mail', 'wrong'])
  expect(untoldText(untold)).toContain('. 1 of them will tell an address once its holder confirms it. Give ')
})

test('a service that was refused is none that tells nobody', async () => {
  const found = await planned(api, file(`services:\n${service('a', ', extended_settings: { colour: 1 }')}`))
  expect((await untoldAfter(api, found.plan)).map(({ key }) => key)).toEqual(['a'])
  await found.apply(() => undefined)
  expect(await untoldNow(api, found.plan)).toEqual([])
})

test('one sentence names groups and some services, however many there are', () => {
  expect(untoldText([])).toBeNull()
  expect(untoldText([{ key: 'a', group: 'Shop', isWaiting: false }])).toMatch(
    /^1 service tells nobody of a failure: 1 in the group "Shop" \(a\)\. Give /,
  )
  const many = Array.from({ length: 3000 }, (_none, at) => ({ key: `s${at}`, group: `G${at % 10}`, isWaiting: false }))
  const text = untoldText(many) ?? ''
  expect(text).toMatch(/^3000 services tell nobody of a failure: 300 in the group "G0" \(s0, s10, s20 and 297 more\); /)
  expect(text).toContain('; and in 5 more groups. ')
  expect(text.length).toBeLessThan(800)
})
