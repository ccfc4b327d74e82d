import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Api } from '../../src/configuration/api.ts'
import { changeLines } from '../../src/configuration/show.ts'
import { declaredResources } from '../../src/program/interface-description.ts'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { apiFor, applied, changesOf, exported, forgetAll, model, planned } from '../support/configuring.ts'

/** Kinds of the account, its groups and its tags: wide suspensions, people of tags, templates, wallboards. */

let world: ApiWorld
let api: Api

beforeAll(async () => {
  world = await apiWorld()
  api = apiFor(await world.server.listen({ host: '127.0.0.1', port: 0 }), 'alice')
})
afterAll(() => world.drop())
beforeEach(() => forgetAll(world.database))

const empty = { 'a.yaml': 'version: 1' }
const hours = { end_time: '2036-01-02T00:00:00Z' }

async function idIn(path: string): Promise<number | undefined> {
  const { body } = await world.call('alice', 'GET', path)
  return (body as readonly { readonly id: number }[])[0]?.id
}

async function make(path: string, body: object): Promise<void> {
  expect(await world.call('alice', 'POST', path, body)).toMatchObject({ status: 201 })
}

test('a tag that files rename stays the same in services and wide suspensions, and pages follow', async () => {
  const files = (name: string) => ({
    'a.yaml': `version: 1
tags: { web: { name: ${name} } }
services: { s: { name: Shop, type_id: http, address: shop.example.com, tags: [web] } }
wide_weekly_suspensions:
  nights:
    tag: web
    start_minute: { day_of_week: 7, hour: 2, minute: 0 }
    end_minute: { day_of_week: 7, hour: 4, minute: 0 }
status_pages: { page: { title: Page, slug: tagged-page, components: { web: { name: Web, tag: web } } } }
`,
  })
  expect((await applied(api, files('Web'))).filter((result) => !result.endsWith(' done'))).toEqual([])
  expect(changesOf((await planned(api, files('WWW'))).plan)).toEqual([
    'update tags.web name',
    'update status_pages.page.components.web tag',
  ])
  expect(await applied(api, files('WWW'))).toEqual([
    'update tags.web done',
    'update status_pages.page.components.web done',
  ])
  expect(changesOf((await planned(api, files('WWW'))).plan)).toEqual([])
  const { body } = await world.call('alice', 'GET', '/wide_weekly_suspensions?fields=tag,managed_key')
  expect(body).toEqual([{ tag: 'WWW', managed_key: 'nights' }])
})

test('a service that names a tag by its name waits for it, so that no tag is there before it is made', async () => {
  const files = {
    'a.yaml': `version: 1
tags: { zolw: { name: żółw } }
services: { s: { name: Shop, type_id: http, address: shop.example.com, tags: [Żółw] } }
`,
  }
  const { plan } = await planned(api, files)
  const needs = plan.changes.flatMap((change) =>
    'needs' in change ? [[change.definition.pointer, ...change.needs.map(({ pointer }) => pointer)]] : [],
  )
  expect(needs).toEqual([['tags.zolw'], ['services.s', 'tags.zolw']])
  expect(await applied(api, files)).toEqual(['create tags.zolw done', 'create services.s done'])
  expect(changesOf((await planned(api, files)).plan)).toEqual([])
})

test('a group and a tag take their wide suspensions along, and the plan counts them', async () => {
  await applied(api, { 'a.yaml': 'version: 1\ngroups: { g: { name: G } }\ntags: { web: { name: Web } }' })
  await make('/wide_suspensions', { group_id: await idIn('/groups?managed_key=g'), ...hours })
  await make('/wide_suspensions', { tag: 'web', ...hours })
  await make('/wide_suspensions', hours)
  const { plan, installation } = await planned(api, empty, { isPruning: true })
  expect(plan.changes.flatMap((change) => changeLines(change, installation))).toEqual([
    '- groups.g "G"  (with 1 wide suspension)',
    '- tags.web "Web"  (with 1 wide suspension)',
  ])
  await applied(api, empty, { isPruning: true })
  const { body } = await world.call('alice', 'GET', '/wide_suspensions?fields=group_id,tag')
  expect(body).toEqual([{ group_id: null, tag: null }])
})

test('a group stays for the report address that somebody else made; templates, wallboards and suspensions go', async () => {
  await applied(api, {
    'a.yaml': `version: 1
groups: { g: { name: G, report_addresses: { boss: { address: boss@example.com, report_frequency: weekly } } } }
wide_suspensions: { day: { group_id: g, end_time: "2036-01-02T00:00:00Z" } }
wallboards: { wall: { name: Wall, group_ids: [g] } }
templates: { mails: { name: Mails, notification_channel_id: email, language_id: en, subject: S, body: B } }
`,
  })
  const address = { address: 'hand@example.com', report_frequency: 'daily' }
  await make('/periodic_report_addresses', { ...address, group_id: await idIn('/groups?managed_key=g') })
  await make('/wallboards', { name: 'By hand' })
  expect((await applied(api, empty, { isPruning: true })).toSorted()).toEqual([
    'delete periodic_report_addresses.g/boss done',
    'delete templates.mails done',
    'delete wallboards.wall done',
    'delete wide_suspensions.day done',
    'stay groups.g held',
  ])
  expect((await world.call('alice', 'GET', '/wallboards?fields=name')).body).toEqual([{ name: 'By hand' }])
  expect((await world.call('alice', 'GET', '/periodic_report_addresses?fields=address')).body).toEqual([
    { address: 'hand@example.com' },
  ])
})

test('an export tells a tag from another one whose name is its key', async () => {
  await applied(api, { 'a.yaml': 'version: 1\ntags: { web: { name: Strona } }' })
  await make('/tags', { name: 'web' })
  const page = { name: 'Shop', type_id: 'http', address: 'shop.example.com' }
  await make('/services', { ...page, tags: ['web', 'Strona'] })
  const { yaml } = await exported(api, world.clock.now())
  const { plan } = await planned(api, { 'a.yaml': yaml })
  expect(
    plan.changes.flatMap((change) => ('differences' in change ? change.differences.map(({ path }) => path) : 'ending')),
  ).toEqual([])
})

test('the people of a tag are those of the account', async () => {
  const told = 'version: 1\ncontacts: { anna: { name: Anna } }\ntags: { web: { name: Web, contact_ids: [anna] } }'
  expect(await applied(api, { 'a.yaml': told })).toEqual(['create contacts.anna done', 'create tags.web done'])
  const anna = await idIn('/contacts?managed_key=anna')
  const { body } = await world.call('alice', 'GET', '/tag_contacts?fields=name,contact_ids')
  expect(body).toEqual([{ name: 'Web', contact_ids: [anna] }])
  const foreign = await world.call('charlie', 'POST', '/tags', { name: 'web', contact_ids: [anna] })
  expect(foreign).toMatchObject({ status: 422, body: [{ error: 'incorrect_value', field: 'data.contact_ids[0]' }] })
})

test('the documentation says of every other resource that can be written why it is no kind', async () => {
  const text = await readFile('docs/configuration-as-code.md', 'utf8')
  const told = text.split('## What stays out')[1]?.split('\n## ')[0] ?? ''
  const listed = [...told.matchAll(/`([a-z_/]+)`/g)].map(([, name]) => name)
  const known = new Set(model.all.map(({ name }) => name))
  const written = declaredResources().all.filter(
    ({ name, operations }) =>
      !known.has(name) && operations.some((operation) => ['create', 'put', 'update'].includes(operation)),
  )
  expect(listed.toSorted()).toEqual(written.map(({ name }) => name).toSorted())
})
