import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpointTable } from '../../scripts/coverage.ts'
import { errorTypes } from '../../src/domain/judging/error-types.ts'
import { dictionaries } from '../../src/resources/dictionaries/dictionaries.ts'
import { type ApiWorld, apiWorld } from '../support/api.ts'

interface Element {
  readonly id: string
  readonly name: string
  readonly description: string
}

let world: ApiWorld

beforeAll(async () => {
  world = await apiWorld()
})
afterAll(() => world.drop())

async function elements(name: string, language: string): Promise<readonly Element[]> {
  const headers = { 'accept-language': language }
  const reply = await world.call('alice', 'GET', `/dictionaries/${name}?limit=1000&sort=id`, undefined, headers)
  return reply.body as readonly Element[]
}

const names = dictionaries.map(({ name }) => name.replace(/^dictionaries\//, ''))

describe.each(names)('the dictionary %s', (name) => {
  test('names and describes every element, in Polish and in English', async () => {
    const [polish, english] = [await elements(name, 'pl'), await elements(name, 'en')]
    expect(polish.map(({ id }) => id)).toEqual(english.map(({ id }) => id))
    for (const element of [...polish, ...english]) {
      expect([element.id, element.name, element.description]).not.toContain('')
    }
    expect(polish.map(({ description }) => description)).not.toEqual(english.map(({ description }) => description))
  })
})

/** Dictionaries of interface 3.51 for what is not offered here, or elsewhere. */
const absent = [
  ['report_template_variables', 'names of reports made of variables'],
  ['template_variables', 'here, with fields of its own: template-variables.ts'],
] as const

test('the dictionaries are the sixteen of interface 3.51, without those whose thing is not here', () => {
  const known = endpointTable().flatMap(({ path }) => /^\/dictionaries\/(\w+)$/.exec(path)?.[1] ?? [])
  expect(known).toHaveLength(16)
  const missing = known.filter((name) => !names.includes(name))
  expect(missing.toSorted()).toEqual(absent.map(([name]) => name))
  expect(names.filter((name) => !known.includes(name))).toEqual([])
})

test('a category of error types lists its own', async () => {
  const reply = await world.call('alice', 'GET', '/dictionaries/error_type_categories/ping/error_types?fields=id')
  const pings = errorTypes.filter(({ stage }) => stage === 'ping')
  expect(reply.body).toEqual(pings.map(({ id }) => ({ id })))
  expect((await world.call('alice', 'GET', '/dictionaries/error_type_categories/none/error_types')).status).toBe(404)
})

test('a category of service types lists the sensors that can serve it', async () => {
  const sensors = async (category: string) =>
    (await world.call('alice', 'GET', `/dictionaries/service_type_categories/${category}/sensors?fields=id`)).body
  expect(await sensors('ipv6')).toEqual(world.people.sensorIds.map((id) => ({ id })))
  expect(await sensors('webappcheck')).toEqual([])
})

test('a type that the core checks has no sensors to choose', async () => {
  const path = `/groups/${world.people.sharedGroupId}/available_sensors/by_service_type`
  const sensors = async (type: string) => (await world.call('alice', 'GET', `${path}/${type}?fields=id`)).body
  expect(await sensors('http')).toEqual(world.people.sensorIds.map((id) => ({ id })))
  for (const type of ['heartbeat', 'domain', 'unheard']) expect(await sensors(type)).toEqual([])
})
