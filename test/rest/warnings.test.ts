import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { wordUnchecked } from '../../src/notifications/letter-text.ts'
import { tellUnchecked } from '../../src/service-state/untold.ts'
import { type ApiWorld, apiWorld } from '../support/api.ts'

let api: ApiWorld
let sensorId = 0
let groupId = 0

beforeAll(async () => {
  api = await apiWorld()
  await api.database.execute(
    sql`update user_data set email_address = 'alice@shop.example' where id = ${api.people.ids.alice}`,
  )
  const told = { notification_channel_id: 'email', address: 'alice@shop.example' }
  expect((await api.call('alice', 'POST', '/notification_addresses', told)).status).toBe(201)
})
beforeEach(async () => {
  await api.database.execute(sql`truncate messages, services, service_statuses, schedule cascade`)
  await api.database.execute(sql`delete from sensors`)
  const [sensor] = await api.database.query<{ id: number }>(sql`
    insert into sensors (name, category_ids, unsupported_type_ids) values ('Plain', '{default}', '{ping,fullpage}') returning id`)
  sensorId = sensor?.id ?? 0
  const group = await api.call('alice', 'GET', '/groups/my_default_group')
  groupId = group.answer.id
  await assign({ default: [sensorId] })
})
afterAll(() => api.drop())

interface Warned {
  readonly id: number
  readonly warnings: readonly { readonly warning: string; readonly field: string; readonly message: string }[]
}

const http = { type_id: 'http', name: 'Shop', address: 'shop.example.com' }

async function create(body: object): Promise<Warned> {
  const reply = await api.call('alice', 'POST', '/services', body)
  expect([reply.status, reply.text]).toEqual([201, expect.any(String)])
  return reply.body as Warned
}

function assign(sensors: object) {
  return api.call('alice', 'PUT', `/groups/${groupId}`, { assigned_sensor_ids: sensors })
}

async function read<T>(path: string, language = 'en'): Promise<T> {
  const reply = await api.call('alice', 'GET', path, undefined, { 'accept-language': language })
  expect(reply.status).toBe(200)
  return reply.body as T
}

function namesOf({ warnings }: Pick<Warned, 'warnings'>): readonly string[] {
  return warnings.map(({ warning, field }) => `${warning} ${field}`)
}

interface Unknown {
  readonly unknown_reason_id: string | null
  readonly unknown_reason_message: string | null
  readonly unknown_since: string | null
}

const unknownOf = (id: number, language?: string) =>
  read<Unknown>(`/service_statuses/${id}?fields=unknown_reason_id,unknown_reason_message,unknown_since`, language)

test.each([
  ['http', []],
  ['ping', ['no_capable_sensor type_id']],
  ['fullpage', ['no_capable_sensor type_id']],
  ['http_ipv6', ['no_capable_sensor type_id']],
  ['mobilepage', ['no_capable_sensor type_id']],
])('a new service of type %s is answered with warnings: %j', async (typeId, warnings) => {
  const made = await create({ ...http, type_id: typeId })
  expect(namesOf(made)).toEqual(warnings)
  expect(namesOf(await read<Warned>(`/services/${made.id}`))).toEqual(warnings)
  const status = await unknownOf(made.id)
  expect(status.unknown_reason_id).toBe(warnings.length === 0 ? null : 'no_capable_sensor')
  expect(status.unknown_since === null).toBe(warnings.length === 0)
})

test('the message is in the language of the caller, and what was read may be sent back', async () => {
  const { id } = await create({ ...http, type_id: 'ping' })
  const polish = await read<Warned>(`/services/${id}`, 'pl')
  expect(polish.warnings[0]?.message).toMatch(/^Żadna stacja/)
  expect((await unknownOf(id, 'pl')).unknown_reason_message).toBe(polish.warnings[0]?.message)
  expect((await unknownOf(id)).unknown_reason_message).toMatch(/^No station that could be asked/)
  const back = await api.call('alice', 'PUT', `/services/${id}`, { warnings: polish.warnings })
  expect([back.status, back.headers['latarnik-warning']]).toEqual([204, 'no_capable_sensor'])
})

test('a sensor that fails over counts, if its kind can check the service', async () => {
  await api.database.execute(sql`insert into sensors (name, category_ids) values ('Six', '{default,ipv6}')`)
  const without = await create({ ...http, type_id: 'http_ipv6' })
  expect(namesOf(without)).toEqual(['no_sensor sensor_ids'])
  await assign({ default: [sensorId], ipv6: [] })
  await api.database.execute(
    sql`update groups set assigned_sensor_ids = jsonb_set(assigned_sensor_ids, '{ipv6}', ${JSON.stringify([sensorId])}::jsonb)`,
  )
  expect(namesOf(await read<Warned>(`/services/${without.id}`))).toEqual([])
  await api.call('alice', 'PUT', `/services/${without.id}`, { extended_settings: { sensors_failover: false } })
  expect(namesOf(await read<Warned>(`/services/${without.id}`))).toEqual(['no_capable_sensor type_id'])
})

test('a change of a group that leaves active services without a sensor says so, there and in the group', async () => {
  const { id } = await create(http)
  const paused = await create({ ...http, is_active: false })
  const reply = await assign({})
  expect([reply.status, reply.headers['latarnik-warning']]).toEqual([204, 'no_sensor'])
  const group = await read<{ warnings: readonly { category: string; warning: string; field: string }[] }>(
    `/groups/${groupId}`,
  )
  expect(group.warnings).toMatchObject([
    { warning: 'no_sensor', category: 'default', field: 'assigned_sensor_ids.default' },
  ])
  expect(await unknownOf(id)).toMatchObject({ unknown_reason_id: 'no_sensor' })
  expect((await unknownOf(paused.id)).unknown_reason_id).toBeNull()
  const list = await read<readonly { id: number }[]>('/service_statuses?unknown_reason_id=no_sensor')
  expect(list.map((one) => one.id)).toEqual([id])

  const mended = await assign({ default: [sensorId] })
  expect([mended.status, mended.headers['latarnik-warning']]).toEqual([204, undefined])
  expect((await unknownOf(id)).unknown_reason_id).toBeNull()
  const [plan] = await api.database.query<{ due_at: number }>(sql`select due_at from schedule where service_id = ${id}`)
  expect(plan?.due_at).toBeLessThanOrEqual(api.clock.now() + 60_000)
})

test('services moved to a group without sensors are named in the header of the bulk operation', async () => {
  const made = await create(http)
  const empty = await api.call('alice', 'POST', '/groups', { name: 'Empty', assigned_sensor_ids: {} })
  const target = (empty.body as Warned).id
  expect(empty.body).toEqual({ id: target, warnings: [] })
  const moved = await api.call('alice', 'POST', '/services/bulk_change_group', { ids: [made.id], group_id: target })
  expect([moved.status, moved.headers['latarnik-warning']]).toEqual([200, 'no_sensor, nobody_told'])
})

test('the account is told once of the services that nobody can check, all in one letter', async () => {
  const { id } = await create({ ...http, type_id: 'ping' })
  // As names could be before they had to be one line.
  await api.database.execute(sql`update services set name = ${'One\nline'} where id = ${id}`)
  await create({ ...http, type_id: 'ping' })
  await create(http)
  expect(await tellUnchecked(api.database, api.clock.now() + 59_000)).toBe(0)
  expect(await tellUnchecked(api.database, api.clock.now() + 61_000)).toBe(2)
  expect(await tellUnchecked(api.database, api.clock.now() + 3_600_000)).toBe(0)
  const [letter, ...others] = await api.database.query<{
    facts: { services: { id: number; name: string; reason: string }[]; count: number }
    account_id: number
  }>(sql`select facts, account_id from messages`)
  expect(others).toEqual([])
  expect(letter?.account_id).toBe(api.people.ids.alice)
  expect(letter?.facts).toMatchObject({ count: 2, services: [{ reason: 'no_capable_sensor' }, { name: 'Shop' }] })
  const reader = { accountId: 1, username: 'alice', publicUrl: '', language: 'en', zone: 'UTC' } as const
  const { subject, text } = wordUnchecked(reader, letter?.facts ?? { services: [], count: 0 })
  expect(subject).toBe('Services that are not checked: 2')
  expect(text).toMatch(/^- One line \(\d+\): No station that could be asked/m)
})
