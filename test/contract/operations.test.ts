import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { declaredResources, interfaceDescription } from '../../src/program/interface-description.ts'
import type { Operation } from '../../src/rest/call.ts'
import { allOperations } from '../../src/rest/routes.ts'
import { descriptionOf } from '../support/described.ts'
import { type FurnishedWorld, furnishedWorld } from '../support/furnished.ts'
import { ownerFor } from '../support/people.ts'
import { pointersOf } from '../support/refused.ts'
import { type Duty, duties } from './duties.ts'

/** The duties of every operation, derived or written by hand. */
const registry = declaredResources()
const description = descriptionOf(interfaceDescription())
let world: FurnishedWorld

beforeAll(async () => {
  world = await furnishedWorld()
})
afterAll(() => world.drop())

const operations = allOperations(registry)

function heldTo(duty: Duty): (readonly [string, Operation])[] {
  return operations.filter(duties[duty].of).map((operation) => [operation.id, operation])
}

const emptyBody = ({ method }: Operation) => (method === 'POST' || method === 'PUT' ? '{}' : undefined)
/** A bare value of any kind has no example of its own. */
const exampleOf = (operation: Operation) => {
  const example = description.exampleOf(operation) ?? emptyBody(operation)
  return typeof example === 'string' && operation.body !== undefined ? JSON.stringify(example) : example
}
const pathOf = ({ path }: Operation) => world.fill(path)

describe.each(heldTo(1))('%s', (_id, operation) => {
  test(duties[1].sentence, async () => {
    const body = emptyBody(operation) === undefined ? undefined : '{broken'
    const reply = await world.call(null, operation.method, pathOf(operation), body)
    description.check(operation, reply)
    expect([reply.status, pointersOf(reply)]).toEqual([401, ['missing_credentials']])
  })
})

describe.each(heldTo(2))('%s', (_id, operation) => {
  test(duties[2].sentence, async () => {
    const reply = await world.call('dora', operation.method, pathOf(operation), emptyBody(operation))
    description.check(operation, reply)
    expect([reply.status, pointersOf(reply)]).toEqual([403, ['forbidden']])
  })
})

describe.each(heldTo(3))('%s', (_id, operation) => {
  test.each(['alice', 'adam', 'charlie'] as const)(`${duties[3].sentence}: %s`, async (person) => {
    const reply = await world.call(person, operation.method, pathOf(operation), description.exampleOf(operation))
    description.check(operation, reply)
    expect([reply.status, pointersOf(reply)]).toEqual([403, ['forbidden']])
  })
})

describe.each(heldTo(4))('%s', (_id, operation) => {
  test(duties[4].sentence, async () => {
    const person = operation.access === 'open' ? null : ownerFor(operation)
    const form = await world.call(person, operation.method, pathOf(operation), 'a=1', { 'content-type': 'text/plain' })
    description.check(operation, form)
    expect(form.status).toBe(415)
    const broken = await world.call(person, operation.method, pathOf(operation), '{broken')
    description.check(operation, broken)
    expect([broken.status, pointersOf(broken)]).toEqual([400, ['incorrect_json data']])
  })
})

describe.each(heldTo(4))('%s', (_id, operation) => {
  test('asks for a body just where it is described as needed', async () => {
    const person = operation.access === 'open' ? null : ownerFor(operation)
    const reply = await world.call(person, operation.method, pathOf(operation))
    description.check(operation, reply)
    // A required object may be missing, such as a session that waits for its code.
    const problems = reply.status < 400 ? [] : pointersOf(reply)
    const isAsked = problems.some((problem) => problem === 'missing_value data' || problem === 'not_found')
    expect([isAsked, reply.text]).toEqual([description.needsBody(operation), reply.text])
  })
})

describe.each(heldTo(5))('%s', (_id, operation) => {
  test(duties[5].sentence, async () => {
    const person = ownerFor(operation)
    // With a session where there is one: some objects are of a session.
    const headers = person === 'alice' ? { authorization: `Bearer ${world.tokens.alice}` } : {}
    const reply = await world.call(person, 'GET', pathOf(operation), undefined, headers)
    description.check(operation, reply)
    expect([reply.status, reply.status === 200 ? '' : reply.text]).toEqual([200, ''])
  })
})

describe.each(heldTo(6))('%s', (_id, operation) => {
  test(duties[6].sentence, async () => {
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

describe.each(heldTo(7))('%s', (_id, operation) => {
  test(duties[7].sentence, async () => {
    const missing = operation.path.replace(/\{\w+\}/, '987654321').replaceAll(/\{\w+\}/g, '1')
    const reply = await world.call(ownerFor(operation), operation.method, missing, exampleOf(operation))
    description.check(operation, reply)
    expect([reply.status, pointersOf(reply)]).toEqual([404, ['not_found']])
  })
})

describe.each(heldTo(8))('%s', (_id, operation) => {
  test(duties[8].sentence, async () => {
    const reply = await world.call('charlie', operation.method, pathOf(operation), description.exampleOf(operation))
    description.check(operation, reply)
    expect([reply.status, pointersOf(reply)]).toEqual([404, ['not_found']])
  })
})
