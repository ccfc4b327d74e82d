import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { declaredResources, interfaceDescription } from '../../src/interface-description.ts'
import type { Operation } from '../../src/rest/call.ts'
import { allOperations } from '../../src/rest/routes.ts'
import { descriptionOf } from '../support/described.ts'
import { type FurnishedWorld, furnishedWorld, isForEverybody } from '../support/furnished.ts'
import { ownerFor } from '../support/people.ts'
import { pointersOf } from '../support/refused.ts'

/** What holds for every operation, whether it is derived or written by hand. */
const registry = declaredResources()
const description = descriptionOf(interfaceDescription())
let world: FurnishedWorld

beforeAll(async () => {
  world = await furnishedWorld()
})
afterAll(() => world.drop())

const operations = allOperations(registry)

function named(chosen: (operation: Operation) => boolean): (readonly [string, Operation])[] {
  return operations.filter(chosen).map((operation) => [operation.id, operation])
}

const isFree = ({ access }: Operation) => access === 'public' || access === 'open'
const hasParameters = ({ path }: Operation) => path.includes('{')
const emptyBody = ({ method }: Operation) => (method === 'POST' || method === 'PUT' ? '{}' : undefined)
/** A bare value of any kind has no example of its own. */
const exampleOf = (operation: Operation) => {
  const example = description.exampleOf(operation) ?? emptyBody(operation)
  return typeof example === 'string' && operation.body !== undefined ? JSON.stringify(example) : example
}
const pathOf = ({ path }: Operation) => world.fill(path)

describe.each(named((operation) => !isFree(operation)))('%s', (_id, operation) => {
  test('asks who calls before anything else', async () => {
    const body = emptyBody(operation) === undefined ? undefined : '{broken'
    const reply = await world.call(null, operation.method, pathOf(operation), body)
    description.check(operation, reply)
    expect([reply.status, pointersOf(reply)]).toEqual([401, ['missing_credentials']])
  })
})

describe.each(named(({ access }) => access === 'customer'))('%s', (_id, operation) => {
  test('is not for administrators', async () => {
    const reply = await world.call('dora', operation.method, pathOf(operation), emptyBody(operation))
    description.check(operation, reply)
    expect([reply.status, pointersOf(reply)]).toEqual([403, ['forbidden']])
  })
})

describe.each(named(({ access }) => access === 'administrator'))('%s', (_id, operation) => {
  test.each(['alice', 'adam', 'charlie'] as const)('is not for customers: %s', async (person) => {
    const reply = await world.call(person, operation.method, pathOf(operation), description.exampleOf(operation))
    description.check(operation, reply)
    expect([reply.status, pointersOf(reply)]).toEqual([403, ['forbidden']])
  })
})

describe.each(named(({ body }) => body !== undefined))('%s', (_id, operation) => {
  test('takes JSON only', async () => {
    const person = operation.access === 'open' ? null : ownerFor(operation)
    const form = await world.call(person, operation.method, pathOf(operation), 'a=1', { 'content-type': 'text/plain' })
    description.check(operation, form)
    expect(form.status).toBe(415)
    const broken = await world.call(person, operation.method, pathOf(operation), '{broken')
    description.check(operation, broken)
    expect([broken.status, pointersOf(broken)]).toEqual([400, ['incorrect_json data']])
  })
})

/** What is open opens with a secret of its own. */
describe.each(named(({ method, access }) => method === 'GET' && access !== 'open'))('%s', (_id, operation) => {
  test('answers its owner what is described', async () => {
    const person = ownerFor(operation)
    // With a session where there is one: some objects are of a session.
    const headers = person === 'alice' ? { authorization: `Bearer ${world.tokens.alice}` } : {}
    const reply = await world.call(person, 'GET', pathOf(operation), undefined, headers)
    description.check(operation, reply)
    expect([reply.status, reply.status === 200 ? '' : reply.text]).toEqual([200, ''])
  })
})

describe.each(named(() => true))('%s', (_id, operation) => {
  test('stands in the methods of its path, and the others are refused', async () => {
    const options = await world.call(null, 'OPTIONS', pathOf(operation))
    expect(options.status).toBe(204)
    const allowed = String(options.headers['allow']).split(', ')
    expect(allowed).toContain(operation.method)
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH'] as const) {
      if (allowed.includes(method)) continue
      const reply = await world.call('alice', method, pathOf(operation))
      expect([method, reply.status, reply.headers['allow']]).toEqual([method, 405, options.headers['allow']])
    }
  })
})

describe.each(named((operation) => hasParameters(operation) && operation.access !== 'open'))('%s', (_id, operation) => {
  test('is not found below an object that is not there', async () => {
    const missing = operation.path.replace(/\{\w+\}/, '987654321').replaceAll(/\{\w+\}/g, '1')
    const reply = await world.call(ownerFor(operation), operation.method, missing, exampleOf(operation))
    description.check(operation, reply)
    expect([reply.status, pointersOf(reply)]).toEqual([404, ['not_found']])
  })
})

const ofSomebody = (operation: Operation) =>
  hasParameters(operation) &&
  !isFree(operation) &&
  operation.access !== 'administrator' &&
  !isForEverybody(operation.path)

describe.each(named(ofSomebody))('%s', (_id, operation) => {
  test('hides what belongs to strangers', async () => {
    const reply = await world.call('charlie', operation.method, pathOf(operation), description.exampleOf(operation))
    description.check(operation, reply)
    expect([reply.status, pointersOf(reply)]).toEqual([404, ['not_found']])
  })
})
