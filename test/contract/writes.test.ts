import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { declaredResources, interfaceDescription } from '../../src/program/interface-description.ts'
import type { Resource } from '../../src/rest/declare.ts'
import type { Field } from '../../src/rest/fields.ts'
import { exampleOf } from '../../src/rest/schemas.ts'
import { type Contract, contractOf, fieldOf, fieldsOf, type Shown } from '../support/contract.ts'
import { descriptionOf } from '../support/described.ts'
import { type FurnishedWorld, furnishedWorld } from '../support/furnished.ts'
import { ownerFor } from '../support/people.ts'
import { pointersOf } from '../support/refused.ts'

/** Every resource × every standard write, from the declarations alone. */
const registry = declaredResources()
const description = descriptionOf(interfaceDescription())
let world: FurnishedWorld

beforeAll(async () => {
  world = await furnishedWorld()
})
afterAll(() => world.drop())

const having = (name: string) =>
  registry.all
    .filter(({ operations }) => operations.some((known) => known === name))
    .map((resource) => [resource.name, resource] as const)

function contract(resource: Resource): Contract {
  return contractOf(world, registry, resource, description)
}

/** A value that the field cannot have. */
function wrongFor(field: Field): unknown {
  return ['text', 'moment'].includes(field.kind) ? { wrong: true } : 'wrong'
}

describe.each(having('create'))('creating one of %s', (_name, resource) => {
  const writable = () => fieldsOf(resource, (field) => !field.readOnly && field.kind !== 'json')

  test('with the published example gives a place where it can be read', async () => {
    const { create, example } = contract(resource)
    const body = example()
    const { location, id } = await create(body)
    const reply = await world.call(ownerFor(resource), 'GET', location)
    expect(reply.status).toBe(200)
    expect(reply.body).toMatchObject({ id })
    for (const [name, value] of Object.entries(body)) {
      const { kind, writeOnly } = fieldOf(resource, name)
      if (kind !== 'json' && !writeOnly) expect((reply.body as Shown)[name]).toEqual(value)
    }
  })

  test('says everything that is wrong with the values at once', async () => {
    const { listPath } = contract(resource)
    const wrong = Object.fromEntries(writable().map((name) => [name, wrongFor(fieldOf(resource, name))]))
    const reply = await world.call(ownerFor(resource), 'POST', listPath, { ...wrong, no_such_field: 1 })
    expect(reply.status).toBe(422)
    const expected = [...writable().map((name) => `incorrect_type data.${name}`), 'unknown_field data.no_such_field']
    expect(pointersOf(reply)).toEqual(expect.arrayContaining(expected))
  })

  test('needs its required fields, and takes none that only the server sets', async () => {
    const { listPath } = contract(resource)
    const required = fieldsOf(resource, (field) => field.required).map((name) => `missing_value data.${name}`)
    expect(pointersOf(await world.call(ownerFor(resource), 'POST', listPath, {}))).toEqual(
      expect.arrayContaining(required),
    )
    const own = fieldsOf(resource, (field) => field.readOnly)
    const sent = Object.fromEntries(own.map((name) => [name, exampleOf(fieldOf(resource, name))]))
    expect(pointersOf(await world.call(ownerFor(resource), 'POST', listPath, sent))).toEqual(
      expect.arrayContaining(own.map((name) => `field_is_read_only data.${name}`)),
    )
  })

  test('is not for read-only users', async () => {
    const { listPath, example } = contract(resource)
    const reply = await world.call('rita', 'POST', listPath, example())
    expect([reply.status, pointersOf(reply)]).toEqual([403, ['forbidden']])
  })
})

describe.each(having('update'))('changing one of %s', (_name, resource) => {
  test('the whole object may come back as it was shown, and a part or nothing of it', async () => {
    const { changeable, read, change } = contract(resource)
    const { path } = await changeable()
    const before = await read(path)
    world.clock.advance(3000)
    await change(path, before.body)
    await change(path, {})
    for (const [name, value] of Object.entries(before.body as Shown)) await change(path, { [name]: value })
    const after = (await read(path)).body as Shown
    const steady = Object.keys(after).filter((name) => !resource.fields[name]?.computed)
    for (const name of steady) expect([name, after[name]]).toEqual([name, (before.body as Shown)[name]])
  })

  test('a field that cannot change is refused with another value', async () => {
    const { changeable, read } = contract(resource)
    const { path } = await changeable()
    const before = (await read(path)).body as Shown
    for (const name of fieldsOf(
      resource,
      (known) => (known.readOnly || known.immutable) && !known.computed && !known.writeOnly,
    )) {
      const field = fieldOf(resource, name)
      const candidates = [
        ...(field.oneOf ?? []),
        exampleOf(field),
        true,
        false,
        7,
        'x',
        '2020-01-01T00:00:00Z',
        [],
        null,
      ]
      const other = candidates.find((one) => isOther(field, one, before[name]))
      const reply = await world.call(ownerFor(resource), 'PUT', path, { [name]: other })
      expect([name, reply.status, pointersOf(reply)]).toEqual([name, 422, [`field_is_immutable data.${name}`]])
    }
  })

  test('says everything that is wrong with the values at once', async () => {
    const { changeable, read } = contract(resource)
    const { path } = await changeable()
    const names = fieldsOf(resource, (field) => field.kind !== 'json')
    const before = await read(path)
    const wrong = Object.fromEntries(names.map((name) => [name, wrongFor(fieldOf(resource, name))]))
    const reply = await world.call(ownerFor(resource), 'PUT', path, { ...wrong, no_such_field: 1 })
    expect(reply.status).toBe(422)
    expect(pointersOf(reply)).toEqual(
      expect.arrayContaining([
        ...names.map((name) => `incorrect_type data.${name}`),
        'unknown_field data.no_such_field',
      ]),
    )
    expect((await read(path)).body).toEqual(before.body)
  })

  test('is not for read-only users', async () => {
    const { changeable } = contract(resource)
    const { path } = await changeable()
    const reply = await world.call('rita', 'PUT', path, {})
    expect([403, 404]).toContain(reply.status)
  })

  test('is not found where the object is not', async () => {
    for (const path of contract(resource).missing()) {
      const reply = await world.call(ownerFor(resource), 'PUT', path, {})
      expect([path, reply.status, pointersOf(reply)]).toEqual([path, 404, ['not_found']])
    }
  })
})

function isOther(field: Field, candidate: unknown, present: unknown): boolean {
  const types: Readonly<Record<string, string>> = {
    integer: 'number',
    decimal: 'number',
    text: 'string',
    moment: 'string',
    boolean: 'boolean',
  }
  if (candidate === present) return false
  if (candidate === null) return field.nullable === true
  if (field.kind === 'list') return Array.isArray(candidate)
  if (field.kind === 'json') return true
  if (field.oneOf !== undefined) return field.oneOf.some((value) => value === candidate)
  if (field.kind === 'moment') return String(candidate).startsWith('2020')
  return typeof candidate === types[field.kind]
}

describe.each(having('remove'))('removing one of %s', (_name, resource) => {
  test('makes it not found, and is not for read-only users', async () => {
    const { removable } = contract(resource)
    const { path } = await removable()
    expect([403, 404]).toContain((await world.call('rita', 'DELETE', path)).status)
    const reply = await world.call(ownerFor(resource), 'DELETE', path)
    expect([reply.status, reply.text]).toEqual([204, ''])
    for (const method of ['GET', 'DELETE'] as const)
      expect((await world.call(ownerFor(resource), method, path)).status).toBe(404)
    for (const missing of contract(resource).missing()) {
      expect((await world.call(ownerFor(resource), 'DELETE', missing)).status).toBe(404)
    }
  })
})
