import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Api } from '../../src/configuration/api.ts'
import { isEnding } from '../../src/configuration/plan.ts'
import { changeLines, summaryOf } from '../../src/configuration/show.ts'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { apiFor, applied, changesOf, exported, forgetAll, planned } from '../support/configuring.ts'

let world: ApiWorld
let api: Api
let server: string

beforeAll(async () => {
  world = await apiWorld()
  server = await world.server.listen({ host: '127.0.0.1', port: 0 })
  api = apiFor(server, 'alice')
})
afterAll(() => world.drop())
beforeEach(() => forgetAll(world.database))

const environment = {
  SECRET_SLACK_URL: 'https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX',
}

async function example(): Promise<Record<string, string>> {
  const path = 'docs/examples/configuration.yaml'
  return { [path]: await readFile(path, 'utf8') }
}

const service = (members: string) => ({
  'a.yaml': `version: 1\nservices:\n  shop:\n    ${members.replaceAll('\n', '\n    ')}\n`,
})
const shop = 'name: Shop\ntype_id: http\naddress: shop.example.com'

async function shopRow(): Promise<Readonly<Record<string, unknown>>> {
  const { body } = await world.call('alice', 'GET', '/services?managed_key=shop')
  return (body as Readonly<Record<string, unknown>>[])[0] ?? {}
}

test('the example of the documentation has every kind, is applied whole, and applied again it changes nothing', async () => {
  const files = await example()
  const first = await applied(api, files, { environment })
  expect(first.filter((result) => !result.endsWith(' done'))).toEqual([])
  expect(first.length).toBe(30)
  expect(changesOf((await planned(api, files, { environment })).plan)).toEqual([])
  const again = await exported(api, world.clock.now(), 'shop')
  // The default group is in no file.
  expect(changesOf((await planned(api, { 'export.yaml': again.yaml }, { environment })).plan)).toEqual([
    'update groups.grupa-domyslna',
  ])
})

test('a change of a file changes that alone', async () => {
  await applied(api, service(shop))
  const files = service(`${shop}\ninterval: 120\nextended_settings: { timeout: 5000 }`)
  expect(changesOf((await planned(api, files)).plan)).toEqual([
    'update services.shop interval extended_settings.timeout',
  ])
  expect(await applied(api, files)).toEqual(['update services.shop done'])
  expect(await shopRow()).toMatchObject({ interval: 120, extended_settings: { timeout: 5000 }, managed_by: 'latarnik' })
  expect(await applied(api, files)).toEqual([])
})

test('what somebody changed by hand is told from a change of the files, and mended', async () => {
  const files = service(`${shop}\ninterval: 120`)
  await applied(api, files)
  const { id } = await shopRow()
  await world.call('alice', 'PUT', `/services/${id}`, { interval: 600, name: 'Sklep' })
  expect(changesOf((await planned(api, files)).plan)).toEqual(['update services.shop name(hand) interval(hand)'])
  const both = service(`${shop}\ninterval: 300`)
  expect(changesOf((await planned(api, both)).plan)).toEqual(['update services.shop name(hand) interval(both)'])
  await applied(api, files)
  expect(await shopRow()).toMatchObject({ interval: 120, name: 'Shop' })
})

test('values that the API shows in other words are no change', async () => {
  const files = service(
    'name: Shop\ntype_id: http\naddress: Shop.Example.com\ntags: [b, a, b]\nextended_settings: { timeout: "5000" }',
  )
  await applied(api, files)
  expect(changesOf((await planned(api, files)).plan)).toEqual([])
  const { id } = await shopRow()
  await world.call('alice', 'PUT', `/services/${id}`, { extended_settings: { timeout: 6000 } })
  expect(changesOf((await planned(api, files)).plan)).toEqual(['update services.shop extended_settings.timeout(hand)'])
})

test('a change made between plan and apply is not overwritten', async () => {
  await applied(api, service(shop))
  const found = await planned(api, service(`${shop}\ninterval: 120`))
  const { id } = await shopRow()
  await world.call('alice', 'PUT', `/services/${id}`, { interval: 300 })
  const results: string[] = []
  await found.apply((_change, outcome) => results.push(outcome.result))
  expect(results).toEqual(['conflict'])
  expect(await shopRow()).toMatchObject({ interval: 300 })
})

test('a refused object stops those that need it, and nothing else; its faults have a place in the file', async () => {
  const files = {
    'a.yaml': `version: 1
services:
  router:
    name: Router
    type_id: ping
    address: 192.0.2.1
    extended_settings:
      no_such_setting: 1
  shop:
    ${shop.replaceAll('\n', '\n    ')}
    parent_ids: [router]
  other:
    ${shop.replaceAll('\n', '\n    ')}
`,
  }
  const results: string[] = []
  await (await planned(api, files)).apply((change, outcome) => {
    const name = isEnding(change) ? '' : change.definition.pointer
    const place =
      outcome.result === 'refused' ? ` ${outcome.faults.map(({ place: at }) => `${at?.file}:${at?.line}`).join()}` : ''
    results.push(`${name} ${outcome.result}${place}`)
  })
  expect(results.toSorted()).toEqual([
    'services.other done',
    'services.router refused a.yaml:8',
    'services.shop skipped',
  ])
})

describe('secrets', () => {
  const secret = service(`${shop}\nextended_settings: { username: anna, password: "\${SECRET_P}" }`)

  test('are sent once, and again only when they differ or somebody changed them by hand', async () => {
    await applied(api, secret, { environment: { SECRET_P: 'first' } })
    expect(await shopRow()).toMatchObject({ set_secrets: ['password'] })
    expect(changesOf((await planned(api, secret, { environment: { SECRET_P: 'first' } })).plan)).toEqual([])
    const other = { environment: { SECRET_P: 'second' } }
    expect(changesOf((await planned(api, secret, other)).plan)).toEqual([
      'update services.shop extended_settings.password',
    ])
    await applied(api, secret, other)
    expect(changesOf((await planned(api, secret, other)).plan)).toEqual([])
    const { id, managed_state: state } = await shopRow()
    expect(JSON.stringify(state)).not.toMatch(/first|second/)
    await world.call('alice', 'PUT', `/services/${id}`, { interval: 900 })
    expect(changesOf((await planned(api, secret, other)).plan)).toEqual([])
    await world.call('alice', 'PUT', `/services/${id}`, { extended_settings: { password: 'by hand' } })
    const [change] = (await planned(api, secret, other)).plan.changes
    expect(change).toMatchObject({
      differences: [{ path: 'extended_settings.password', isUnknown: true, hidden: `\${SECRET_P}` }],
    })
  })

  test('that are not set here stay as they are; a new object needs them', async () => {
    await expect(planned(api, secret)).rejects.toThrow(
      /^a\.yaml:7:\d+: services\.shop\.extended_settings\.password: SECRET_P is not set\.$/,
    )
    await applied(api, secret, { environment: { SECRET_P: 'first' } })
    const { plan } = await planned(api, secret)
    expect(changesOf(plan)).toEqual([])
    expect(plan.notes).toEqual([
      'services.shop.extended_settings.password: SECRET_P is not set here; the secret stays as it is.',
    ])
    expect(changesOf((await planned(api, secret, { environment: { SECRET_P: 'first' } })).plan)).toEqual([])
  })
})

describe('what no file has any more', () => {
  test('stays without --prune; with it only what has the mark is deleted', async () => {
    await world.call('alice', 'POST', '/services', { name: 'By hand', type_id: 'http', address: 'x.example.com' })
    await applied(api, service(shop), { mark: 'other' })
    await applied(api, {
      'a.yaml': `version: 1\ngroups: { g: { name: G } }\nservices: { s: { ${shop.replaceAll('\n', ', ')}, group_id: g } }`,
    })
    const empty = { 'a.yaml': 'version: 1' }
    const { plan } = await planned(api, empty)
    expect([changesOf(plan), plan.left.length]).toEqual([[], 2])
    expect(await applied(api, empty, { isPruning: true })).toEqual(['delete services.s done', 'delete groups.g done'])
    const { body } = await world.call('alice', 'GET', '/services?fields=name&sort=name')
    expect(body).toEqual([{ name: 'By hand' }, { name: 'Shop' }])
  })

  const inGroup = `version: 1\ngroups: { g: { name: G } }\nservices: { s: { ${shop.replaceAll('\n', ', ')}, group_id: g } }`
  const empty = { 'a.yaml': 'version: 1' }
  const idIn = async (path: string) => {
    const { body } = await world.call('alice', 'GET', path)
    return (body as readonly { readonly id: number }[])[0]?.id
  }

  test('a group stays that holds a service of nobody or of another mark, and the plan says so', async () => {
    await applied(api, { 'a.yaml': inGroup })
    const group_id = await idIn('/groups?managed_key=g')
    const byHand = { name: 'By hand', type_id: 'http', address: 'x.example.com', group_id }
    await world.call('alice', 'POST', '/services', byHand)
    const found = await planned(api, empty, { isPruning: true })
    expect(changesOf(found.plan)).toEqual(['delete services.s', 'stay groups.g'])
    expect(found.plan.changes.flatMap((change) => changeLines(change, found.installation))).toEqual([
      '- services.s "Shop"',
      '! groups.g "G"  (stays: it holds 1 service that this configuration did not make)',
    ])
    expect(await applied(api, empty, { isPruning: true })).toEqual(['delete services.s done', 'stay groups.g held'])
    const { body } = await world.call('alice', 'GET', '/services?fields=name,group_id')
    expect(body).toEqual([{ name: 'By hand', group_id }])
  })

  test('a group stays when something was put into it after the plan', async () => {
    await applied(api, { 'a.yaml': inGroup })
    const found = await planned(api, empty, { isPruning: true })
    const group_id = await idIn('/groups?managed_key=g')
    await world.call('alice', 'POST', '/services', {
      name: 'Late',
      type_id: 'http',
      address: 'x.example.com',
      group_id,
    })
    const results: string[] = []
    await found.apply((change, outcome) => results.push(`${change.action} ${outcome.result}`))
    expect(results).toEqual(['delete done', 'delete held'])
    expect((await world.call('alice', 'GET', '/services?fields=name')).body).toEqual([{ name: 'Late' }])
  })

  test('a group goes when its service moves elsewhere in the same files', async () => {
    await applied(api, { 'a.yaml': inGroup })
    const moved = {
      'a.yaml': inGroup.replace('g: { name: G }', 'h: { name: H }').replace('group_id: g', 'group_id: h'),
    }
    expect(await applied(api, moved, { isPruning: true })).toEqual([
      'create groups.h done',
      'update services.s done',
      'delete groups.g done',
    ])
  })

  test('a contact, an escalation and a status page stay that hold parts made by hand', async () => {
    const files = {
      'a.yaml': `version: 1
contacts: { anna: { name: Anna } }
status_pages: { page: { title: Page, slug: prune-page, components: { web: { name: Web } } } }
`,
    }
    await applied(api, files)
    const contact_id = await idIn('/contacts?managed_key=anna')
    const status_page_id = await idIn('/status_pages?managed_key=page')
    const parent_id = await idIn('/status_page_components?managed_by=latarnik')
    const address = { contact_id, notification_channel_id: 'email', address: 'a@example.com' }
    expect(await world.call('alice', 'POST', '/contact_addresses', address)).toMatchObject({ status: 201 })
    const component = { status_page_id, parent_id, name: 'By hand' }
    expect(await world.call('alice', 'POST', '/status_page_components', component)).toMatchObject({ status: 201 })
    const { plan } = await planned(api, empty, { isPruning: true })
    expect(changesOf(plan).toSorted()).toEqual([
      'stay contacts.anna',
      'stay status_page_components.page/web',
      'stay status_pages.page',
    ])
    expect((await applied(api, empty, { isPruning: true })).filter((result) => !result.endsWith(' held'))).toEqual([])
  })

  test('services below each other are deleted from below, in one run', async () => {
    const below = (key: string, parent: string) =>
      `  ${key}: { ${shop.replaceAll('\n', ', ')}${parent === '' ? '' : `, parent_ids: [${parent}]`} }\n`
    await applied(api, {
      'a.yaml': `version: 1\nservices:\n${below('router', '')}${below('front', 'router')}${below('cart', 'front')}`,
    })
    expect(await applied(api, empty, { isPruning: true })).toEqual([
      'delete services.cart done',
      'delete services.front done',
      'delete services.router done',
    ])
  })

  test('a renamed tag is not a change of somebody else', async () => {
    const tagged = `version: 1\ntags: { web: { name: Web } }\nservices: { s: { ${shop.replaceAll('\n', ', ')}, tags: [web] } }`
    await applied(api, { 'a.yaml': tagged })
    const renamed = { 'a.yaml': 'version: 1\ntags: { web: { name: WWW } }' }
    expect(await applied(api, renamed, { isPruning: true })).toEqual(['update tags.web done', 'delete services.s done'])
  })

  test('an adopted object loses its mark and is not deleted, even after later changes', async () => {
    const { body } = await world.call('alice', 'POST', '/services', {
      ...{ name: 'Shop', type_id: 'http', address: 'shop.example.com' },
    })
    const { id } = body as { readonly id: number }
    const adopting = service(`adopt: ${id}\n${shop}`)
    const first = await planned(api, adopting)
    expect(first.plan.changes.flatMap((change) => changeLines(change, first.installation))).toEqual([
      `~ services.shop  (adopted: ${id} "Shop"; only the mark changes)`,
    ])
    expect(summaryOf(first.plan)).toBe(
      '0 to create, 0 to change, 0 to delete, 0 as they should be (mark latarnik). 1 stays as it is but for the mark.',
    )
    await applied(api, adopting)
    await applied(api, service(`${shop}\ninterval: 120`))
    const found = await planned(api, empty, { isPruning: true })
    expect(found.plan.changes.flatMap((change) => changeLines(change, found.installation))).toEqual([
      '~ services.shop "Shop"  (released: it was adopted, so it loses its mark and is not deleted)',
    ])
    expect(await applied(api, empty, { isPruning: true })).toEqual(['release services.shop released'])
    const { body: row } = await world.call('alice', 'GET', `/services/${id}`)
    expect(row).toMatchObject({ name: 'Shop', managed_key: null, managed_by: null, managed_state: null })
  })

  test('is not deleted if somebody changed it meanwhile; the default group is only released', async () => {
    await applied(api, {
      'a.yaml': `version: 1\ngroups: { d: { adopt: my_default_group, name: Everything } }\nservices: { shop: { ${shop.replaceAll('\n', ', ')} } }`,
    })
    const found = await planned(api, { 'a.yaml': 'version: 1' }, { isPruning: true })
    await world.call('alice', 'PUT', `/services/${(await shopRow())['id']}`, { interval: 900 })
    const results: string[] = []
    await found.apply((change, outcome) => results.push(`${change.action} ${outcome.result}`))
    expect(results).toEqual(['delete conflict', 'release released'])
  })
})

test('pruning takes nothing away that the files still name: a file is probably missing', async () => {
  const page =
    'version: 1\nstatus_pages:\n  shop: { title: Shop, slug: shop, components: { front: { name: Front, service_id: shop } } }\n'
  await applied(api, { ...service(shop), 'page.yaml': page })
  const forgotten = { 'page.yaml': page }
  expect(changesOf((await planned(api, forgotten)).plan)).toEqual([])
  await expect(planned(api, forgotten, { isPruning: true })).rejects.toThrow(
    'page.yaml:3:72: status_pages.shop.components.front.service_id: No file defines shop, so pruning would take it away. Is a file missing?',
  )
  const both = { ...forgotten, 'b.yaml': `${service(shop)['a.yaml']}` }
  expect(changesOf((await planned(api, both, { isPruning: true })).plan)).toEqual([])
  // Under a new key it stays, so the old one may be named until the files are done.
  const moved = `version: 1\nmoved: [{ kind: services, from: shop, to: front }]\nservices:\n  front: { ${shop.replaceAll('\n', ', ')} }\n`
  expect(changesOf((await planned(api, { ...forgotten, 'b.yaml': moved }, { isPruning: true })).plan)).toEqual([
    'update services.front',
  ])
})

test('a new key keeps the object with its history, and the parts below it', async () => {
  const people = (key: string, more = '') => ({
    'a.yaml': `version: 1\n${more}contacts:\n  ${key}: { name: Anna, addresses: { mail: { notification_channel_id: email, address: a@example.com } } }\n`,
  })
  await applied(api, people('anna'))
  const before = (await world.call('alice', 'GET', '/contacts?fields=id')).body
  const moved = people('anna-k', 'moved: [{ kind: contacts, from: anna, to: anna-k }]\n')
  expect(changesOf((await planned(api, moved)).plan)).toEqual([
    'update contacts.anna-k',
    'update contacts.anna-k.addresses.mail',
  ])
  await applied(api, moved)
  expect((await world.call('alice', 'GET', '/contacts?fields=id')).body).toEqual(before)
  expect(changesOf((await planned(api, moved)).plan)).toEqual([])
  expect(changesOf((await planned(api, people('anna-k'), { isPruning: true })).plan)).toEqual([])
})

test('the permissions are those of the login', async () => {
  await applied(api, service(shop))
  const reader = apiFor(server, 'rita')
  expect(await applied(reader, service(shop))).toEqual([])
  const results = await applied(reader, service(`${shop}\ninterval: 120`))
  expect(results).toEqual([expect.stringMatching(/^update services\.shop refused services\.shop: .*read/i)])
})
