import fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Api } from '../../src/configuration/api.ts'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { commitSeed } from '../support/commit-seed.ts'
import { apiFor, applied, changesOf, exported, forgetAll, model, planned } from '../support/configuring.ts'

/** An account that was made by hand, at random, comes out as a file that changes nothing, here and in a new account. */

let world: ApiWorld
let [alice, charlie]: Api[] = []

beforeAll(async () => {
  world = await apiWorld()
  const server = await world.server.listen({ host: '127.0.0.1', port: 0 })
  alice = apiFor(server, 'alice')
  charlie = apiFor(server, 'charlie')
})
afterAll(() => world.drop())

const name = fc.constantFrom(
  'Shop',
  'Sklep – Łódź',
  'a b',
  '東京',
  `\${HOME}`,
  'x: y # z',
  '"quoted"',
  'null',
  '1.0',
  'yes',
)
const text = fc.oneof(name, fc.constant(''), fc.constant('two\nlines'))
const some = <T>(values: readonly T[]) => fc.subarray([...values])
const minute = fc.record({
  day_of_week: fc.integer({ min: 1, max: 7 }),
  hour: fc.integer({ min: 0, max: 23 }),
  minute: fc.constantFrom(0, 30),
})

const serviceShape = fc.oneof(
  fc.record({
    type_id: fc.constantFrom('http', 'https'),
    address: fc.constantFrom('shop.example.com', 'Example.com/a?b=c'),
    extended_settings: fc.record(
      {
        timeout: fc.integer({ min: 1000, max: 20_000 }),
        username: fc.constant('anna'),
        password: fc.constantFrom('one', 'two'),
      },
      { requiredKeys: [] },
    ),
  }),
  fc.record({ type_id: fc.constant('ping'), address: fc.constantFrom('192.0.2.1', 'host.example.com') }),
  fc.record({
    type_id: fc.constant('heartbeat'),
    extended_settings: fc.record({ period: fc.integer({ min: 60, max: 600 }) }),
  }),
)

const account = fc.record({
  tags: fc.uniqueArray(fc.record({ name, color: fc.constantFrom(null, '#AABBCC', '#001122') }), {
    maxLength: 3,
    selector: (tag) => tag.name.toLowerCase(),
  }),
  contacts: fc.array(
    fc.record({
      name,
      language_id: fc.constantFrom('pl', 'en'),
      mails: fc.uniqueArray(fc.constantFrom('a@example.com', 'b@example.com'), { maxLength: 2 }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  contactGroups: fc.array(name, { maxLength: 2 }),
  rotation: fc.option(fc.record({ name, weekly: fc.boolean() })),
  escalation: fc.option(
    fc.record({ name, delays: fc.array(fc.integer({ min: 0, max: 900 }), { minLength: 1, maxLength: 3 }) }),
  ),
  groups: fc.array(fc.record({ name, periodic_daily_reports: fc.boolean() }), { maxLength: 2 }),
  services: fc.array(
    fc.record({
      shape: serviceShape,
      name,
      description: text,
      interval: fc.integer({ min: 60, max: 900 }),
      tags: some(['red', 'Blue']),
      notification_condition_ids: some(['failure', 'recovery']),
      is_active: fc.boolean(),
      place: fc.nat(2),
      hasParent: fc.boolean(),
      nights: fc.option(
        fc.tuple(minute, minute).filter(([one, other]) => JSON.stringify(one) !== JSON.stringify(other)),
      ),
    }),
    { maxLength: 5 },
  ),
  hasHook: fc.boolean(),
  wide: fc.array(
    fc.record({
      covered: fc.constantFrom('group', 'tag', 'both', 'account'),
      description: text,
      only_notifications: fc.boolean(),
      week: fc.option(fc.tuple(minute, minute).filter(([one, other]) => JSON.stringify(one) !== JSON.stringify(other))),
    }),
    { maxLength: 3 },
  ),
  tagsTell: fc.boolean(),
  reports: fc.uniqueArray(fc.constantFrom('a@example.com', 'b@example.com'), { maxLength: 2 }),
  templates: fc.array(fc.record({ name, language_id: fc.constantFrom('pl', 'en'), is_active: fc.boolean() }), {
    maxLength: 3,
  }),
  wallboard: fc.option(fc.record({ name, shows_addresses: fc.boolean(), isOfAll: fc.boolean() })),
  page: fc.option(
    fc.record({ access: fc.constantFrom('public', 'password'), description: text, hasTemplate: fc.boolean() }),
  ),
})

type Account = typeof account extends fc.Arbitrary<infer T> ? T : never

async function add(path: string, body: object): Promise<number> {
  const reply = await world.call('alice', 'POST', path, body)
  expect([path, reply.status, reply.body]).toEqual([path, 201, expect.anything()])
  return (reply.body as { id: number }).id
}

interface People {
  readonly contacts: readonly number[]
  readonly contactGroups: readonly number[]
  readonly escalation: number | null
}

async function makePeople({ contacts, contactGroups, rotation, escalation }: Account): Promise<People> {
  const ids: number[] = []
  for (const { mails, ...contact } of contacts) {
    const id = await add('/contacts', contact)
    ids.push(id)
    for (const address of mails)
      await add('/contact_addresses', { contact_id: id, notification_channel_id: 'email', address })
  }
  const teams: number[] = []
  for (const each of contactGroups) teams.push(await add('/contact_groups', { name: each, contact_ids: ids }))
  const shift = {
    every: rotation?.weekly ? 'week' : 'day',
    at: '09:00',
    ...(rotation?.weekly ? { day_of_week: 2 } : {}),
  }
  const duty = { name: rotation?.name, time_zone_id: 'utc', contact_ids: ids, shift, starts_on: '2026-11-02' }
  const rotations = rotation === null ? [] : [await add('/rotations', duty)]
  const people = { contacts: ids, contactGroups: teams }
  if (escalation === null) return { ...people, escalation: null }
  const steps = escalation.delays.map((delay) => ({ delay_seconds: delay, contact_ids: ids, rotation_ids: rotations }))
  return { ...people, escalation: await add('/escalations', { name: escalation.name, steps }) }
}

/** The objects that belong to groups, tags and the whole account. */
async function makeWide({ wide, tags, reports, templates, wallboard }: Account, groups: readonly number[]) {
  const [group] = groups
  const tag = tags.at(-1)?.name
  for (const { covered, week, ...suspension } of wide) {
    const body = {
      ...suspension,
      ...(group !== undefined && ['group', 'both'].includes(covered) ? { group_id: group } : {}),
      ...(tag !== undefined && ['tag', 'both'].includes(covered) ? { tag } : {}),
    }
    if (week === null) await add('/wide_suspensions', { ...body, end_time: '2036-01-02T00:00:00Z' })
    else await add('/wide_weekly_suspensions', { ...body, start_minute: week[0], end_minute: week[1] })
  }
  for (const address of reports)
    await add('/periodic_report_addresses', { address, report_frequency: 'weekly', group_id: group })
  for (const template of templates)
    await add('/templates', {
      ...template,
      notification_channel_id: 'email',
      subject: '{{headline}}',
      body: '{{reason}}',
    })
  if (wallboard === null) return
  const { isOfAll, ...board } = wallboard
  await add('/wallboards', { ...board, group_ids: isOfAll ? null : groups })
}

async function makeAccount(wanted: Account): Promise<void> {
  const { escalation: escalationId, contacts, contactGroups } = await makePeople(wanted)
  const told = wanted.tagsTell ? { contact_ids: contacts, contact_group_ids: contactGroups } : {}
  for (const tag of wanted.tags) await add('/tags', { ...tag, ...told })
  const groups: number[] = []
  for (const group of wanted.groups) groups.push(await add('/groups', { ...group, escalation_id: escalationId }))
  const made: number[] = []
  for (const { shape, place, hasParent, nights, ...service } of wanted.services) {
    const group = groups[place]
    const above = hasParent ? made.slice(-1) : []
    const id = await add('/services', {
      ...service,
      ...shape,
      parent_ids: above,
      ...(group === undefined ? {} : { group_id: group }),
    })
    made.push(id)
    if (nights !== null)
      await add('/weekly_suspensions', { service_id: id, start_minute: nights[0], end_minute: nights[1] })
  }
  if (wanted.hasHook)
    await add('/notification_addresses', {
      notification_channel_id: 'webhook',
      settings: { url: 'https://hooks.example.com/x' },
    })
  await add('/report_templates', {
    name: 'All',
    requested_scope: { services: { by_id: made }, groups: { by_id: groups } },
  })
  await makeWide(wanted, groups)
  if (wanted.page === null) return
  const { hasTemplate, ...shown } = wanted.page
  const password = wanted.page.access === 'password' ? { password: 'long enough' } : {}
  const page = await add('/status_pages', { slug: 'page', title: 'Page', ...shown, ...password })
  const parent = await add('/status_page_components', { status_page_id: page, name: 'All', position: 1 })
  const lines: number[] = []
  for (const id of made) {
    const line = { status_page_id: page, parent_id: parent, name: 'x', service_id: id, position: 2 }
    lines.push(await add('/status_page_components', line))
  }
  if (!hasTemplate) return
  const prepared = { name: 'Slow', title: 'Slow', body: 'Wait.', component_ids: lines }
  await add('/status_page_incident_templates', { status_page_id: page, ...prepared })
}

/** Everything that a person sees of the kinds, without what configuration as code adds. */
async function everything(): Promise<unknown> {
  const lists = await Promise.all(
    model.all.map(async ({ path }) => {
      const { body } = await world.call('alice', 'GET', `${path}?limit=1000&sort=id`)
      return (body as Readonly<Record<string, unknown>>[]).map(
        ({ managed_key: _key, managed_by: _by, managed_state: _state, updated_at: _at, ...row }) => row,
      )
    }),
  )
  return lists
}

/** Values for the secrets that the first account had. */
const secretsOf = (variables: readonly string[]) =>
  Object.fromEntries(variables.map((variable) => [variable, 'long enough, whatever it is']))

test('an export changes nothing, and makes the same account again', { timeout: 600_000 }, async () => {
  const random = fc.asyncProperty(account, async (wanted) => {
    await forgetAll(world.database)
    await makeAccount(wanted)
    const before = await everything()
    const first = await exported(alice as Api, world.clock.now())
    expect(parse(first.yaml, { version: '1.1' })).toEqual(parse(first.yaml))
    const taken = await planned(alice as Api, { 'a.yaml': first.yaml })
    const values = taken.plan.changes.map((change) => (change.action === 'update' ? change.differences : change.action))
    expect(values.flat()).toEqual([])
    expect(
      (await applied(alice as Api, { 'a.yaml': first.yaml })).filter((result) => !/^update .* done$/.test(result)),
    ).toEqual([])
    expect(await everything()).toEqual(before)
    const second = await exported(alice as Api, world.clock.now())
    for (const yaml of [first.yaml, second.yaml]) {
      expect(changesOf((await planned(alice as Api, { 'a.yaml': yaml })).plan)).toEqual([])
    }
    await world.database.execute(sql`update status_pages set slug = 'elsewhere'`)
    const settings = { environment: secretsOf(second.variables) }
    const copied = await applied(charlie as Api, { 'a.yaml': second.yaml }, settings)
    expect(copied.filter((result) => !result.endsWith(' done'))).toEqual([])
    const copy = await exported(charlie as Api, world.clock.now())
    expect(copy.yaml).toBe(second.yaml)
    expect(changesOf((await planned(charlie as Api, { 'a.yaml': second.yaml }, settings)).plan)).toEqual([])
  })
  await fc.assert(random, { numRuns: Number(process.env['ROUND_TRIPS'] ?? 6), seed: commitSeed(), endOnFailure: true })
})
