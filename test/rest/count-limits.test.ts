import type { FastifyInstance } from 'fastify'
import { raw } from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAuthenticator } from '../../src/auth/authenticate.ts'
import { declaredResources, interfaceDescription } from '../../src/program/interface-description.ts'
import { type CountLimit, type Resource, registryOf } from '../../src/rest/declare.ts'
import { itemPath } from '../../src/rest/paths.ts'
import { unlimited } from '../../src/rest/rate-limit.ts'
import { componentOf, operationsOf } from '../../src/rest/routes.ts'
import { buildApi } from '../../src/rest/server.ts'
import { authorizationOf } from '../support/api.ts'
import { exampleIn } from '../support/described.ts'
import { type FurnishedWorld, furnishedWorld } from '../support/furnished.ts'
import { ownerFor, type Person } from '../support/people.ts'
import { idOf } from '../support/replies.ts'

/** There is a limit to everything that a client can make. */
const registry = declaredResources()
const description = interfaceDescription()
const creatable = registry.all.filter(({ operations }) => operations.includes('create') || operations.includes('put'))

/** Other limits, and the tests that try them. */
const boundedOtherwise: Readonly<Record<string, string>> = {
  services: 'the package, and maximumArchivedServices (limits.test.ts)',
  'system/dns_diagnostics': 'diagnosticLimits (system.test.ts)',
  'system/traceroute_diagnostics': 'diagnosticLimits (system.test.ts)',
  custom_templates: 'there is one for each channel (templates.test.ts)',
  'admin/accounts': 'the operator’s own administrators, to whom accounts are trade',
  'admin/sensors': 'the operator’s own administrators, each with a station behind it',
}

let world: FurnishedWorld
let narrow: FastifyInstance

beforeAll(async () => {
  world = await furnishedWorld()
  narrow = await boundedBy(1)
})
afterAll(async () => {
  await narrow.close()
  await world.drop()
})

/** The same things behind an interface whose bounds are these. */
async function boundedBy(count: number): Promise<FastifyInstance> {
  const smaller = (resource: Resource, countLimit: CountLimit | undefined = resource.write.countLimit): Resource =>
    countLimit === undefined
      ? resource
      : { ...resource, write: { ...resource.write, countLimit: { ...countLimit, count } } }
  const { database, clock } = world
  return buildApi({
    database,
    clock,
    registry: registryOf(world.registry.all.map((resource) => smaller(resource))),
    authenticate: createAuthenticator({ database, clock, loginLimit: 100 }).authenticate,
    requestsPerMinute: unlimited,
    collation: raw(''),
    publicUrl: undefined,
    trustedProxies: [],
    log: world.server.log,
  })
}

interface Request {
  readonly person: Person
  readonly method: 'POST' | 'PUT'
  readonly path: string
  readonly body: object
}

/** The request that makes one more beside the furnished ones. */
function making(resource: Resource, name: string): Request {
  const isPut = resource.operations.includes('put')
  const id = `${componentOf(resource)}.${isPut ? 'put' : 'create'}`
  const operation = operationsOf(resource, registry).find((one) => one.id === id)
  if (operation === undefined) throw new Error(`There is no ${id}.`)
  const person = ownerFor(operation)
  // An account with which nothing is shared yet.
  if (isPut) {
    const path = itemPath(resource).replace('{_account_id}', String(world.people.ids.charlie))
    return { person, method: 'PUT', path: world.fill(path), body: {} }
  }
  const example = exampleIn(description, operation) as Readonly<Record<string, unknown>>
  const own = Object.keys(example).filter((field) => resource.fields[field]?.unique)
  const body = { ...example, ...Object.fromEntries(own.map((field) => [field, `${example[field]}-${name}`])) }
  return { person, method: 'POST', path: world.fill(operation.path), body }
}

const make = ({ person, method, path, body }: Request) => world.call(person, method, path, body)

/** The refusal of the narrow interface. */
async function refusalOf({ person, method, path, body }: Request): Promise<unknown> {
  const headers = { authorization: authorizationOf(person), 'content-type': 'application/json' }
  const reply = await narrow.inject({ method, url: `/v3${path}`, headers, payload: JSON.stringify(body) })
  if (reply.statusCode !== 422) return reply.statusCode
  return reply.json<{ error: string; message: string }[]>().map(({ error, message }) => `${error}: ${message}`)
}

const reached = (name: string) => [`limit_exceeded: The limit ${name} is reached: 1.`]

test.each(creatable.map(({ name }) => name))('%s end somewhere, with a problem that says so', async (name) => {
  const resource = registry.get(name)
  expect(Object.hasOwn(boundedOtherwise, name)).toBe(resource.write.countLimit === undefined)
  if (resource.write.countLimit === undefined) return
  const [first, next] = [making(resource, 'first'), making(resource, 'next')]
  // Of what is put there are some; of what is posted this is the first where it goes, or one more.
  if (first.method === 'POST') expect((await make(first)).status).toBe(201)
  expect(await refusalOf(next)).toEqual(reached(name))
  expect((await make(next)).status).toBe(first.method === 'POST' ? 201 : 204)
})

test.each(['notification_addresses', 'periodic_report_addresses'])(
  '%s are counted where they are put, and where they are moved to',
  async (name) => {
    const group = async () => idOf(await world.call('alice', 'POST', '/groups', { name: 'Fresh' }))
    const [full, empty] = [await group(), await group()]
    const { body, ...request } = making(registry.get(name), 'moved')
    const put = (groupId: number): Request => ({ ...request, body: { ...body, group_id: groupId } })
    expect(await refusalOf(put(full))).toBe(201)
    expect(await refusalOf(put(full))).toEqual(reached(name))
    const path = `/${name}/${idOf(await make(put(empty)))}`
    const change = (changed: object): Request => ({ person: 'alice', method: 'PUT', path, body: changed })
    expect(await refusalOf(change({ group_id: full }))).toEqual(reached(name))
    expect(await refusalOf(change({ group_id: empty, address: 'other@example.com' }))).toBe(204)
  },
)
