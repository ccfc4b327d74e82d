import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { declaredResources, interfaceDescription } from '../../src/program/interface-description.ts'
import type { Operation } from '../../src/rest/call.ts'
import { allOperations } from '../../src/rest/routes.ts'
import { casesMet } from '../support/cases-met.ts'
import { fieldsOf, type Shown } from '../support/contract.ts'
import { codeOf } from '../support/credentials.ts'
import { descriptionOf } from '../support/described.ts'
import { type FurnishedWorld, furnishedWorld, isForEverybody } from '../support/furnished.ts'
import { type Person, passwordOf } from '../support/people.ts'
import { pointersOf } from '../support/refused.ts'

const hiddenOnes = casesMet('relations that are null to somebody, by list and person')

/** An unreadable object looks the same as a missing one from every side, and an invalid token opens nothing. */
const registry = declaredResources()
const operations = allOperations(registry)
const description = descriptionOf(interfaceDescription())
let world: FurnishedWorld

beforeAll(async () => {
  world = await furnishedWorld()
})
afterAll(() => world.drop())

const missing = 987_654_321

/** Of which something is shared with Bob and Carol, and something is not. */
const partlyShared: Readonly<Record<string, 'groupIds' | 'serviceIds' | 'addressIds'>> = {
  groups: 'groupIds',
  services: 'serviceIds',
  service_statuses: 'serviceIds',
  notification_addresses: 'addressIds',
}

const sendable = (example: unknown) => (typeof example === 'string' ? JSON.stringify(example) : example)

test('who was given one thing learns nothing of another of the same owner', async () => {
  const tried = new Set<string>()
  for (const operation of operations) {
    const name = operation.path.split('/')[1] ?? ''
    const kind = partlyShared[name]
    if (kind === undefined || !operation.path.includes('/{_id}') || operation.access !== 'customer') continue
    tried.add(name)
    const body = sendable(description.exampleOf(operation))
    const ofThing = (id: number) => world.fill(operation.path.replace('{_id}', String(id)))
    for (const person of ['bob', 'carol', 'charlie'] as const) {
      const hidden = await world.call(person, operation.method, ofThing(world[kind].private), body)
      const none = await world.call(person, operation.method, ofThing(missing), body)
      expect([operation.id, person, hidden.status, hidden.text]).toEqual([operation.id, person, 404, none.text])
      expect(hidden.headers['etag']).toBeUndefined()
    }
  }
  expect([...tried].toSorted()).toEqual(Object.keys(partlyShared).toSorted())
})

/** Things of Alice's, by the name of the field that refers to them. */
function hersByField(): Readonly<Record<string, number>> {
  const { serviceIds, groupIds, furtherIds, people } = world
  return {
    group_id: groupIds.private,
    service_id: serviceIds.private,
    template_id: furtherIds['report_templates'] ?? 0,
    owner_id: people.ids.alice,
  }
}

async function sameRefusal(operation: Operation, bodyOf: (id: number) => unknown, hers: number): Promise<void> {
  const answers = []
  for (const id of [hers, missing]) {
    const reply = await world.call('charlie', operation.method, operation.path, bodyOf(id))
    const told = reply.text.replaceAll(new RegExp(`\\b${id}\\b`, 'g'), 'ID')
    answers.push({ id: operation.id, status: reply.status, told })
  }
  expect(answers[0]).toEqual(answers[1])
  expect(answers[0]).not.toMatchObject({ status: 201 })
}

const creating = operations.filter(
  ({ method, path, access, body }) =>
    method === 'POST' && access === 'customer' && !path.includes('{') && body !== undefined,
)

test('a body that names something of somebody else is refused like one that names nothing', async () => {
  for (const operation of creating) {
    const example = description.exampleOf(operation) as Readonly<Record<string, unknown>>
    for (const [field, hers] of Object.entries(hersByField())) {
      if (Object.hasOwn(operation.body ?? {}, field))
        await sameRefusal(operation, (id) => ({ ...example, [field]: id }), hers)
    }
  }
})

test('and so is each element of a bulk operation, with its own answer', async () => {
  const { serviceIds, groupIds, plannedIds } = world
  const hers: Readonly<Record<string, number>> = {
    services: serviceIds.private,
    groups: groupIds.private,
    ...plannedIds,
  }
  const bulk = creating.filter(({ path }) => path.includes('/bulk_'))
  expect(bulk.length).toBeGreaterThan(10)
  for (const operation of bulk) {
    const name = Object.hasOwn(operation.body ?? {}, 'service_ids') ? 'service_ids' : 'ids'
    const id = name === 'service_ids' ? serviceIds.private : hers[operation.path.split('/')[1] ?? '']
    const reply = await world.call('charlie', 'POST', operation.path, {
      ...(description.exampleOf(operation) as object),
      [name]: [id, missing],
    })
    const [first, second] = reply.body as readonly { ok: boolean; problems: unknown }[]
    expect([operation.id, first?.ok, first?.problems]).toEqual([operation.id, false, second?.problems])
  }
})

test('a report template that selects things of somebody else is refused like one that selects nothing', async () => {
  const template = creating.find(({ id }) => id === 'report_templates.create')
  const { serviceIds, groupIds, people } = world
  if (template === undefined) throw new Error('Templates are created.')
  const scopes = [
    [(id: number) => ({ services: { by_id: [id] } }), serviceIds.private],
    [(id: number) => ({ services: { by_group_id: [id] } }), groupIds.private],
    [(id: number) => ({ services: { by_owner_id: [id] } }), people.ids.alice],
    [(id: number) => ({ groups: { by_id: [id] } }), groupIds.private],
    [(id: number) => ({ accounts: { by_id: [id] } }), people.ids.alice],
  ] as const
  for (const [scope, hers] of scopes) {
    await sameRefusal(template, (id) => ({ name: 'x', requested_scope: scope(id) }), hers)
  }
})

/** Fields that conditions alone read, of the list's own resource and of those that it embeds. */
function internalPaths(path: string): readonly string[] {
  const listed = registry.all.find((resource) => resource.path === path)
  const internalOf = (name: string) =>
    Object.entries(registry.get(name).fields).flatMap(([field, { internal }]) => (internal ? [field] : []))
  const related = Object.entries(listed?.relations ?? {}).filter(([name]) => listed?.embed.includes(name))
  return [
    ...(listed === undefined ? [] : internalOf(listed.name)),
    ...related.flatMap(([name, relation]) => internalOf(relation.to).map((field) => `${name}.${field}`)),
  ]
}

test('nobody filters or orders by what is only for conditions, or reads it', async () => {
  let tried = 0
  for (const { id, path, method, access } of operations) {
    if (method !== 'GET' || !id.endsWith('.list')) continue
    const person = access === 'administrator' ? 'dora' : 'alice'
    for (const hidden of internalPaths(path)) {
      for (const query of [`${hidden}=1`, `${hidden}~=1`, `sort=${hidden}`, `sort=-${hidden}`, `fields=${hidden}`]) {
        const reply = await world.call(person, 'GET', `${world.fill(path)}?${query}`)
        expect([path, query, reply.status]).toEqual([path, query, 422])
        tried += 1
      }
    }
  }
  expect(tried).toBeGreaterThan(100)
})

const lists = registry.all.filter(
  ({ operations: known, path, access }) => known.includes('list') && !path.includes('{') && access === 'customer',
)

describe.each(lists.filter(({ path }) => !isForEverybody(path)).map((resource) => [resource.name, resource] as const))(
  'a list of %s',
  (_name, resource) => {
    test.each<Person>(['adam', 'bob', 'carol'])(
      'tells %s nothing by filters on what is null to them',
      async (person) => {
        const read = (query: string) => world.call(person, 'GET', `${resource.path}?limit=1000&${query}`)
        for (const [name, relation] of Object.entries(resource.relations)) {
          if (!resource.embed.includes(name)) continue
          const rows = (await read(`embed=${name}`)).body as readonly Shown[]
          const hidden = rows.find((row) => row[name] === null && (row[relation.by] ?? null) !== null)
          if (!hiddenOnes(hidden)) continue
          const related = registry.get(relation.to)
          const [seen] = (
            await world.call('alice', 'GET', `/${relation.to}?limit=1&${relation.key}=${hidden[relation.by]}`)
          ).body as readonly Shown[]
          for (const field of fieldsOf(related, ({ filter }) => filter)) {
            if (seen === undefined || (seen[field] ?? null) === null || Array.isArray(seen[field])) continue
            const found = (await read(`embed=${name}&${name}.${field}=${encodeURIComponent(String(seen[field]))}`))
              .body as readonly Shown[]
            expect([name, field, found.filter((row) => row[name] === null)]).toEqual([name, field, []])
          }
        }
      },
    )
  },
)

describe('a token that does not hold', () => {
  async function tokenOf(person: Person, more: object = {}): Promise<string> {
    const reply = await world.call(null, 'POST', '/sessions', {
      username: person,
      password: passwordOf(person),
      ...more,
    })
    return (reply.body as { token: string }).token
  }
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

  async function secondFactor(): Promise<string> {
    const headers = bearer(await tokenOf('bob'))
    const act = (name: string, body?: unknown) =>
      world.call(null, 'POST', `/accounts/my_account/2fa/${name}`, body, headers)
    await act('setup')
    await act('verify', { code: await codeOf(world.database, world.people.ids.bob, world.clock.now()) })
    return tokenOf('bob')
  }

  /** Each with the only problem that it may be told. */
  async function tokens(): Promise<readonly (readonly [token: string, problem: string])[]> {
    const ended = await tokenOf('charlie')
    await world.call(null, 'DELETE', '/sessions/my_session', undefined, bearer(ended))
    const changed = await tokenOf('adam')
    await world.call('alice', 'POST', `/accounts/${world.people.ids.adam}/change_password`, {
      new_password: 'another one',
    })
    const blocked = await tokenOf('carol')
    await world.call('dora', 'POST', `/admin/accounts/${world.people.ids.carol}/block`)
    const stillBlocked = await tokenOf('charlie')
    await world.database.execute(sql`update accounts set is_blocked = true where id = ${world.people.ids.charlie}`)
    const expired = await tokenOf('alice', { expiration_duration: 60 })
    await world.database.execute(sql`
      update sessions set expiration_time = ${new Date(world.clock.now() - 1000)}
      where account_id = ${world.people.ids.alice} and expiration_duration = 60`)
    return [
      [ended, 'incorrect_credentials'],
      [changed, 'incorrect_credentials'],
      [blocked, 'incorrect_credentials'],
      [stillBlocked, 'account_blocked'],
      [expired, 'session_expired'],
      [await secondFactor(), 'second_factor_required'],
      ['x'.repeat(43), 'incorrect_credentials'],
      [world.sessionIds.alice, 'incorrect_credentials'],
    ]
  }

  test('opens no operation at all, not even one for everybody', async () => {
    const held = await tokens()
    const guarded = operations.filter(({ access }) => access !== 'open' && access !== 'unverified')
    for (const [index, operation] of guarded.entries()) {
      // Each operation meets three of them, each of them a third of all operations.
      for (const shift of [0, 1, 2]) {
        const [token = '', problem] = held[(index * 3 + shift) % held.length] ?? []
        const path = world.fill(operation.path)
        const reply = await world.call(null, operation.method, path, undefined, bearer(token))
        expect([operation.id, pointersOf(reply)]).toEqual([operation.id, [problem]])
      }
    }
  })
})
