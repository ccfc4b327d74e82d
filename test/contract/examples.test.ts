import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { declaredResources, interfaceDescription } from '../../src/program/interface-description.ts'
import type { Operation } from '../../src/rest/call.ts'
import { allOperations, componentOf, operationsOf } from '../../src/rest/routes.ts'
import { contractOf } from '../support/contract.ts'
import { descriptionOf } from '../support/described.ts'
import { type FurnishedWorld, furnishedWorld } from '../support/furnished.ts'
import { ownerFor } from '../support/people.ts'

/** The examples that the documentation page fills in are answered, not refused. */
const registry = declaredResources()
const document = interfaceDescription() as unknown as Document
const description = descriptionOf(interfaceDescription())
let world: FurnishedWorld

beforeAll(async () => {
  world = await furnishedWorld()
})
afterAll(() => world.drop())

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly example?: unknown
  readonly schema: { readonly default?: unknown }
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly parameters: readonly Parameter[] }>>>>
}

function parametersOf({ path, method }: Operation): readonly Parameter[] {
  return document.paths[path]?.[method.toLowerCase()]?.parameters ?? []
}

const filledIn = ({ example, schema }: Parameter) => example ?? schema.default

/** Open operations need a token from a mail; a stream goes on as long as somebody listens. */
const reads = allOperations(registry).filter(
  ({ method, access, answers }) =>
    method === 'GET' && access !== 'open' && answers[200]?.contentType !== 'text/event-stream',
)

test.each(reads.map((operation) => [operation.id, operation] as const))(
  '%s answers what its page fills in',
  async (_id, operation) => {
    const given = parametersOf(operation).filter(
      (parameter) => parameter.in === 'query' && filledIn(parameter) !== undefined,
    )
    const query = new URLSearchParams(Object.fromEntries(given.map((one) => [one.name, String(filledIn(one))])))
    const person = ownerFor(operation)
    const headers = person === 'alice' ? { authorization: `Bearer ${world.tokens.alice}` } : {}
    const reply = await world.call(person, 'GET', `${world.fill(operation.path)}?${query}`, undefined, headers)
    expect([reply.status, reply.status === 200 ? '' : reply.text]).toEqual([200, ''])
  },
)

/** Objects that everybody has or sees; others have ids of their own. */
const named = ['accounts', 'user_data', 'groups', 'packages', 'service_types', 'error_types', 'sensors']

test.each([...named, 'dictionaries/languages', 'dictionaries/time_zones'])(
  'the identifier that is filled in for one of %s is there',
  async (name) => {
    const operation = operationsOf(registry.get(name), registry).find(
      ({ id }) => id === `${componentOf(registry.get(name))}.read`,
    )
    if (operation === undefined) throw new Error(`${name} cannot be read`)
    const [parameter] = parametersOf(operation)
    const path = operation.path.replace(/\{\w+\}/, String(parameter?.example))
    const reply = await world.call('alice', 'GET', path)
    expect([path, reply.status]).toEqual([path, 200])
  },
)

const changing = registry.all.filter(({ operations }) => operations.includes('update'))

describe.each(changing.map((resource) => [resource.name, resource] as const))(
  'changing one of %s',
  (_name, resource) => {
    test('takes the published example', async () => {
      const update = operationsOf(resource, registry).find(({ id }) => id === `${componentOf(resource)}.update`)
      if (update === undefined) throw new Error(`${resource.name} cannot be changed`)
      const { changeable, change } = contractOf(world, registry, resource, description)
      const { path } = await changeable()
      expect(description.exampleOf(update)).not.toEqual({})
      await change(path, description.exampleOf(update))
    })
  },
)

test.each(['suspensions', 'scheduled_suspensions'])(
  'an example of %s can be planned years from now too',
  async (name) => {
    world.clock.advance(3 * 365 * 86_400_000)
    const made = contractOf(world, registry, registry.get(name), description)
    await made.create(made.example())
  },
)
