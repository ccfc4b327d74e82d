import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addSensor } from '../../src/cli/sensors.ts'
import { declaredResources, interfaceDescription } from '../../src/program/interface-description.ts'
import { operationsOf } from '../../src/rest/routes.ts'
import { contractOf } from '../support/contract.ts'
import { descriptionOf } from '../support/described.ts'
import { type FurnishedWorld, furnishedWorld } from '../support/furnished.ts'
import { ownerFor } from '../support/people.ts'

/** Names are shown in subjects of mails, in logs, terminals and tables: one line, without control characters. */

const registry = declaredResources()
const description = descriptionOf(interfaceDescription())
let world: FurnishedWorld
beforeAll(async () => {
  world = await furnishedWorld()
})
afterAll(() => world.drop())

const breaks = ['\r\nBcc: x@example.com', '\n', '\t', '\u001b[2J', '\u0085', '\u2028', '\u007f', '\u202e', '\u2067']

const texts = registry.all
  .filter(({ operations }) => operations.includes('update'))
  .flatMap((resource) =>
    Object.entries(resource.fields)
      .filter(([, field]) => field.kind === 'text' && field.oneOf === undefined && !field.internal)
      .filter(([, { readOnly, immutable }]) => !readOnly && !immutable)
      .map(([name, field]) => [resource.name, name, resource, field] as const),
  )

describe('a text of a change', () => {
  test.each(texts)('%s %s is one line, or meant to be more', async (_resource, name, resource, field) => {
    const { changeable } = contractOf(world, registry, resource, description)
    const { path } = await changeable()
    const person = ownerFor(resource)
    const put = (value: string) => world.call(person, 'PUT', path, { [name]: value })
    for (const broken of breaks) {
      const { status, body } = await put(`a${broken}b`)
      const problem = expect.objectContaining({ error: 'incorrect_value', field: `data.${name}` })
      if (field.multiline === true) expect([name, status, body]).not.toEqual([name, 422, [problem]])
      else expect([name, status, body]).toEqual([name, 422, expect.arrayContaining([problem])])
    }
  })
})

test('the names are among them', () => {
  const named = texts.filter(([, name, , { multiline }]) => name === 'name' && multiline !== true)
  expect(named.map(([resource]) => resource).sort()).toEqual(
    expect.arrayContaining(['accounts', 'admin/accounts', 'admin/oauth_clients', 'groups', 'services', 'tags']),
  )
  expect(operationsOf(registry.get('services'), registry).length).toBeGreaterThan(0)
})

test('a refusal says what is expected', async () => {
  const headers = { 'accept-language': 'en' }
  const { body } = await world.call('alice', 'POST', '/groups', { name: 'a\r\nb' }, headers)
  expect(body).toMatchObject([
    { error: 'incorrect_value', field: 'data.name', message: expect.stringContaining('one line without control') },
  ])
})

test('a name from before stays readable, can be written back, and keeps no other field from a change', async () => {
  const { id } = (await world.call('alice', 'POST', '/groups', { name: 'Old' })).answer
  await world.database.execute(sql`update groups set name = ${'two\nlines'} where id = ${id}`)
  const path = `/groups/${id}`
  const { body } = await world.call('alice', 'GET', path)
  expect(body).toMatchObject({ name: 'two\nlines' })
  expect((await world.call('alice', 'PUT', path, body)).status).toBe(204)
  expect((await world.call('alice', 'PUT', path, { periodic_daily_reports: false })).status).toBe(204)
  expect((await world.call('alice', 'PUT', path, { name: 'three\nlines' })).status).toBe(422)
  expect((await world.call('alice', 'PUT', path, { name: 'one line' })).status).toBe(204)
})

test('names of every script are taken, those that turn the reading around are not', async () => {
  const fine = ['خادم الويب 2', 'שרת \u200e(ראשי)', '👩\u200d👩\u200d👧', 'a \u2068שרת\u2069 b']
  for (const name of fine) expect((await world.call('alice', 'POST', '/groups', { name })).status).toBe(201)
  const { body } = await world.call('alice', 'POST', '/groups', { name: 'pay\u202elap' }, { 'accept-language': 'en' })
  expect(body).toMatchObject([{ error: 'incorrect_value', message: expect.stringContaining('order of reading') }])
  const { id } = (await world.call('alice', 'POST', '/groups', { name: 'Turned' })).answer
  await world.database.execute(sql`update groups set name = ${'old\u202eeman'} where id = ${id}`)
  expect((await world.call('alice', 'PUT', `/groups/${id}`, { name: 'old\u202eeman' })).status).toBe(204)
})

test('the command line holds sensors to the same', async () => {
  const added = addSensor(world.database, 'a\nb', { city: '', country: '', now: world.clock.now() })
  await expect(added).rejects.toThrow('one line')
  const turned = addSensor(world.database, 'a\u202eb', { city: '', country: '', now: world.clock.now() })
  await expect(turned).rejects.toThrow('order of reading')
})
