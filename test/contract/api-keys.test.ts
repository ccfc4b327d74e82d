import { afterAll, beforeAll, expect, test } from 'vitest'
import { keyScopes } from '../../src/domain/access/key-scopes.ts'
import { declaredResources, interfaceDescription } from '../../src/program/interface-description.ts'
import type { Operation } from '../../src/rest/call.ts'
import { allOperations } from '../../src/rest/routes.ts'
import type { Reply } from '../support/api.ts'
import { descriptionOf } from '../support/described.ts'
import { type FurnishedWorld, furnishedWorld } from '../support/furnished.ts'
import { ownerFor, type Person } from '../support/people.ts'

/** Every operation has a scope, a key without it is refused precisely, and a narrowed key has no side door. */
const operations = allOperations(declaredResources())
const document = interfaceDescription()
const description = descriptionOf(document)
const isFree = ({ access }: Operation) => access === 'public' || access === 'open'
const guarded = operations.filter((operation) => !isFree(operation))
let world: FurnishedWorld

beforeAll(async () => {
  world = await furnishedWorld()
})
afterAll(() => world.drop())

let made = 0

async function keyOf(person: Person, body: object): Promise<string> {
  made += 1
  const reply = await world.call(person, 'POST', '/api_keys', { name: `Key ${made}`, ...body })
  expect([reply.status, reply.text]).toEqual([201, expect.stringContaining('lat_')])
  return (reply.body as { key: string }).key
}

const sendable = (example: unknown) => (typeof example === 'string' ? JSON.stringify(example) : example)

function ask(key: string, { method }: Operation, path: string, body?: unknown): Promise<Reply> {
  return world.call(null, method, path, sendable(body), { authorization: `Bearer ${key}` })
}

const symbolOf = ({ body }: Reply) => (body as readonly { error: string }[] | undefined)?.[0]?.error

test('every operation behind a login says its scope, and the document says the same', () => {
  const withoutKeys = guarded.filter(({ scope }) => scope === 'none').map(({ id }) => id)
  expect(withoutKeys.toSorted()).toEqual([
    'accounts.change_password',
    'accounts.disable_2fa',
    'accounts.enable_2fa',
    'accounts.set_up_2fa',
    'accounts.verify_2fa',
    'auth_token.read',
    'auth_token.remove',
    'passkeys.options',
    'passkeys.register',
    'sessions.passkey_2fa_options',
    'sessions.verify_2fa',
    'sessions.verify_passkey',
  ])
  const known = new Set<string | undefined>([...keyScopes, 'none'])
  const paths = document['paths'] as Record<string, Record<string, { security?: readonly object[] }>>
  for (const { id, scope, path, method, access, forNarrowedKeys } of guarded) {
    expect([id, known.has(scope)]).toEqual([id, true])
    expect([id, typeof forNarrowedKeys]).toEqual([id, 'boolean'])
    if (access === 'administrator') expect([id, scope]).toEqual([id, 'admin'])
    const told = paths[path]?.[method.toLowerCase()]?.security?.find((one) => 'api_key' in one)
    expect([id, told]).toEqual([id, scope === 'none' ? undefined : { api_key: [scope] }])
  }
  expect(new Set(guarded.map(({ scope }) => scope))).toEqual(new Set([...keyScopes, 'none']))
})

test('a key without the scope is refused before anything else, and told which one it lacks', async () => {
  for (const scope of keyScopes) {
    const person = scope === 'admin' ? 'dora' : 'alice'
    const others = keyScopes.filter((other) => other !== scope && (other !== 'admin' || person === 'dora'))
    const key = await keyOf(person, { scopes: others })
    const meant = guarded.filter((one) => one.scope === scope && ownerFor(one) === person)
    expect(meant.length).toBeGreaterThan(5)
    for (const operation of meant) {
      const reply = await ask(key, operation, world.fill(operation.path), {})
      expect([operation.id, reply.status, symbolOf(reply)]).toEqual([operation.id, 403, 'insufficient_scope'])
      expect(reply.headers['www-authenticate']).toBe(
        `Bearer realm="Latarnik", error="insufficient_scope", scope="${scope}"`,
      )
    }
  }
})

test('a key with the scope reads everything that its owner reads', async () => {
  const key = await keyOf('alice', { scopes: keyScopes.filter((scope) => scope !== 'admin') })
  const readings = guarded.filter(
    ({ method, access, scope, isStream }) =>
      method === 'GET' && access === 'customer' && scope !== 'none' && isStream !== true,
  )
  for (const operation of readings) {
    const path = world.fill(operation.path)
    const own = await world.call('alice', 'GET', path)
    const reply = await ask(key, operation, path)
    expect([operation.id, reply.status]).toEqual([operation.id, own.status])
  }
})

/** Objects outside a key for the shared group: the other group, its service, its address. */
function outside(): Readonly<Record<string, number>> {
  const { serviceIds, groupIds, addressIds } = world
  return {
    groups: groupIds.private,
    services: serviceIds.private,
    service_statuses: serviceIds.private,
    notification_addresses: addressIds.private,
  }
}

const everything = ['read', 'write', 'notifications', 'reports', 'account']
const marks = ['Prywatna', 'Nazwy', 'ns1.example.com', 'alice@example.com']

async function narrowedKeys(): Promise<readonly string[]> {
  const tagged = await world.call('alice', 'PUT', `/services/${world.serviceIds.shared}`, { tags: ['inside'] })
  expect(tagged.status).toBe(204)
  return [
    await keyOf('alice', { scopes: everything, group_ids: [world.groupIds.shared] }),
    await keyOf('alice', { scopes: everything, tags: ['inside'] }),
    await keyOf('alice', { scopes: everything, tags: ['inside'], group_ids: [world.groupIds.shared] }),
  ]
}

test('a narrowed key does not find what lies outside, by any operation on one object', async () => {
  const tried = new Set<string>()
  for (const key of await narrowedKeys()) {
    for (const operation of guarded) {
      const name = operation.path.split('/')[1] ?? ''
      const id = outside()[name]
      if (id === undefined || !operation.path.includes('/{_id}') || operation.scope === 'none') continue
      tried.add(operation.id)
      const path = world.fill(operation.path.replace('{_id}', String(id)))
      const reply = await ask(key, operation, path, description.exampleOf(operation))
      const isRefused = reply.status === 404 || (reply.status === 403 && symbolOf(reply) === 'api_key_is_narrowed')
      expect([operation.id, reply.status, reply.text, isRefused]).toEqual([
        operation.id,
        reply.status,
        reply.text,
        true,
      ])
    }
  }
  expect(tried.size).toBeGreaterThan(80)
})

test('a word of a dictionary below an object needs what the object needs', () => {
  const reading = guarded.filter(({ method }) => method === 'GET')
  const above = new Map(reading.map((operation) => [operation.path, operation]))
  const dictionaries = new Set(
    declaredResources()
      .all.filter(({ tag }) => tag === 'dictionaries')
      .map(({ name }) => name),
  )
  const below = reading.flatMap((operation) => {
    const [item = '', name = ''] = operation.path.match(/^(\/\w+\/\{_id\})\/\w+$/)?.slice(1) ?? []
    const object = above.get(item)
    return name === '' && object !== undefined && dictionaries.has(operation.resource ?? '')
      ? [[operation, object]]
      : []
  })
  const shown = (of: 0 | 1) => below.map((pair) => [pair[0]?.id, pair[of]?.scope, pair[of]?.forNarrowedKeys])
  expect(shown(0)).toEqual(shown(1))
  expect(below.map(([operation]) => operation?.id)).toEqual(
    expect.arrayContaining(['accounts.language', 'contact_addresses.channel', 'report_templates.sections']),
  )
})

test('no list, search, chart or summary shows a narrowed key anything from outside', async () => {
  let shown = 0
  for (const key of await narrowedKeys()) {
    for (const operation of guarded) {
      const isReading = operation.method === 'GET' || operation.id.endsWith('.search')
      if (!isReading || operation.isStream === true || operation.scope === 'none' || operation.scope === 'admin')
        continue
      const query = operation.id === 'services.history_bars' ? `?id=${world.serviceIds.private}` : ''
      const reply = await ask(
        key,
        operation,
        world.fill(operation.path) + query,
        operation.method === 'POST' ? {} : undefined,
      )
      if (reply.status === 200) shown += 1
      const found = marks.filter((mark) => reply.text.includes(mark))
      expect([operation.id, found]).toEqual([operation.id, []])
      if (operation.forNarrowedKeys !== true) expect([operation.id, reply.status]).toEqual([operation.id, 403])
    }
  }
  expect(shown).toBeGreaterThan(100)
})

test('a narrowed key creates nothing outside, whatever its body names', async () => {
  const beyond: Readonly<Record<string, number>> = {
    group_id: world.groupIds.private,
    service_id: world.serviceIds.private,
  }
  const creating = guarded.filter(
    ({ method, path, scope, body, id }) =>
      method === 'POST' &&
      !path.includes('{') &&
      scope !== 'none' &&
      scope !== 'admin' &&
      body !== undefined &&
      !id.endsWith('.search'),
  )
  let tried = 0
  const keys = await narrowedKeys()
  const [, tagged] = keys
  for (const key of keys) {
    for (const operation of creating) {
      const example = description.exampleOf(operation) as Readonly<Record<string, unknown>>
      const named = Object.keys(beyond).filter((field) => Object.hasOwn(operation.body ?? {}, field))
      for (const field of named) {
        // A service with the tag lies within a key for the tag alone, in any group.
        if (key === tagged && operation.id === 'services.bulk_change_group') continue
        const reply = await ask(key, operation, operation.path, { ...example, [field]: beyond[field] })
        const elements = Array.isArray(reply.body) ? (reply.body as readonly { ok?: boolean }[]) : []
        const isRefused = reply.status >= 400 || elements.every(({ ok }) => ok === false)
        expect([operation.id, field, isRefused, reply.text]).toEqual([operation.id, field, true, reply.text])
        tried += 1
      }
      if (operation.forNarrowedKeys !== true) {
        const reply = await ask(key, operation, operation.path, example)
        expect([operation.id, symbolOf(reply)]).toEqual([operation.id, 'api_key_is_narrowed'])
      }
    }
  }
  expect(tried).toBeGreaterThan(20)
})

test('a bulk operation of a narrowed key reaches no element outside, and no selection does', async () => {
  const bulk = guarded.filter(({ path, scope }) => path.includes('/bulk_') && scope !== 'none')
  expect(bulk.length).toBeGreaterThan(10)
  const ids: Readonly<Record<string, number>> = outside()
  for (const key of await narrowedKeys()) {
    for (const operation of bulk) {
      const name = Object.hasOwn(operation.body ?? {}, 'service_ids') ? 'service_ids' : 'ids'
      const id = name === 'service_ids' ? world.serviceIds.private : ids[operation.path.split('/')[1] ?? '']
      if (id === undefined) continue
      const path = world.fill(operation.path)
      const body = { ...(description.exampleOf(operation) as object), [name]: [id] }
      const reply = await ask(key, operation, path, body)
      const outcomes = Array.isArray(reply.body) ? (reply.body as readonly { ok?: boolean }[]) : []
      expect([operation.id, reply.text, outcomes.some(({ ok }) => ok === true)]).toEqual([
        operation.id,
        reply.text,
        false,
      ])
    }
    const everywhere = { all: true, start_time: '2026-12-01T00:00:00Z', end_time: '2026-12-01T01:00:00Z' }
    const reply = await world.call(null, 'POST', '/suspensions/bulk_create', everywhere, {
      authorization: `Bearer ${key}`,
    })
    const reached = (reply.body as readonly { service_id: number }[]).map(({ service_id }) => service_id)
    expect(reached).toEqual([world.serviceIds.shared])
  }
})
