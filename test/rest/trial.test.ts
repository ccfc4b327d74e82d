import { Ajv2020 } from 'ajv/dist/2020.js'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { interfaceDescription } from '../../src/program/interface-description.ts'
import { errorTypeText } from '../../src/wording/error-types.ts'
import { type ApiWorld, apiWorld, authorizationOf } from '../support/api.ts'
import type { Person } from '../support/people.ts'
import { errorsOf, idOf } from '../support/replies.ts'

/** A definition is tried before anybody saves it. */
let world: ApiWorld
const json = { accept: 'application/json' }

beforeAll(async () => {
  world = await apiWorld()
})
afterAll(() => world.drop())
beforeEach(async () => {
  await world.database.execute(sql`truncate forced_analyses`)
  world.stations.answer = () => 'ok'
  world.stations.jobs.length = 0
})

const page = { type_id: 'http', address: 'shop.example.com/basket', extended_settings: { timeout: 5000 } }
const tryOut = (body: unknown, person: Person | null = 'alice', headers: Record<string, string> = {}) =>
  world.call(person, 'POST', '/services/trial', body, headers)
const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
const counts = async () =>
  world.database.query(sql`
    select (select count(*) from services) as services, (select count(*) from analyses_hot) as analyses,
      (select count(*) from tags) as tags, (select count(*) from notification_intents) as intents`)

describe('a trial', () => {
  test('is a line for each check with its details, then the verdict; nothing is kept', async () => {
    const before = await counts()
    const [first, second] = world.people.sensorIds
    world.stations.answer = ({ sensorId }) =>
      sensorId === first ? { errorTypeId: 4001, errorMessage: 'HTTP status 503' } : 'ok'
    const reply = await tryOut({ ...page, tags: ['made by nobody'], sensor_ids: [first, second] })
    expect([reply.status, reply.headers['content-type'], reply.headers['x-accel-buffering']]).toEqual([
      200,
      'application/x-ndjson',
      'no',
    ])
    const lines = linesOf(reply.text)
    expect(lines).toHaveLength(3)
    expect(lines[0]).toMatchObject({
      ...{ sensor_id: first, result: 'error', error_type_id: 4001, error_message: 'HTTP status 503' },
      details: { base_url: 'http://shop.example.com/basket', phases: { dns: null }, facts: {} },
    })
    expect(lines[0]?.['error_type']).toEqual(errorTypeText('http_not_spoken', 'en'))
    expect(lines[1]).toMatchObject({
      error_type: null,
      sensor_id: second,
      result: 'ok',
      details: { phases: { dns: 0.5, connect: 1.25 } },
    })
    expect(lines[2]).toEqual({
      verdict: 'ok',
      degraded_reasons: ['minority'],
      summary: { ok_checks_count: 1, error_checks_count: 1, unknown_checks_count: 0, error_tolerance: 51 },
    })
    expect(world.stations.jobs[0]).toMatchObject({ serviceId: 0, typeId: 'http', settings: { timeout: 5000 } })
    expect(await counts()).toEqual(before)
  })

  test('comes together to whoever accepts JSON', async () => {
    const { headers, body } = await tryOut(page, 'alice', json)
    expect(headers['content-type']).toBe('application/json')
    expect(body).toMatchObject({ checks: [{ result: 'ok' }, { result: 'ok' }, { result: 'ok' }], verdict: 'ok' })
  })

  test('is held to what a creation is held to, with pointers', async () => {
    const wrong = {
      ...page,
      address: 'https://other.example.com',
      interval: 1,
      extended_settings: { timeout: 1, x: 2 },
    }
    const { status, body } = await tryOut({ ...wrong, sensor_ids: [987_654] })
    expect(status).toBe(422)
    const made = await world.call('alice', 'POST', '/services', { ...wrong, name: 'x', sensor_ids: [987_654] })
    expect(errorsOf(body)).toEqual(errorsOf(made.body))
    expect(errorsOf(body).length).toBeGreaterThan(3)
    expect(errorsOf((await tryOut({ name: 'Nothing' })).body).map(([, field]) => field)).toEqual([
      'data.type_id',
      'data.address',
    ])
    expect(world.stations.jobs).toEqual([])
  })

  test('needs the right to create in the group', async () => {
    const inShared = { ...page, group_id: world.people.sharedGroupId }
    const statuses: [Person | null, number][] = []
    for (const person of ['adam', 'bob', 'carol', 'rita', 'charlie', null] as const)
      statuses.push([person, (await tryOut(inShared, person)).status])
    expect(statuses).toEqual([
      ['adam', 200],
      ['bob', 200],
      ['carol', 403],
      ['rita', 403],
      ['charlie', 422],
      [null, 401],
    ])
  })

  test('counts against the limits of the account and its sub-accounts; a refused one does not', async () => {
    await tryOut({ type_id: 'http' })
    const shared = { ...page, group_id: world.people.sharedGroupId }
    for (const person of ['alice', 'adam', 'alice'] as const) expect((await tryOut(shared, person)).status).toBe(200)
    const fourth = await tryOut(shared, 'adam')
    expect([fourth.status, errorsOf(fourth.body)]).toEqual([422, [['force_limit_exceeded', undefined]]])
    expect((await tryOut(page, 'charlie')).status).toBe(200)
  })

  test('without stations has no verdict', async () => {
    const groupId = idOf(
      await world.call('alice', 'POST', '/groups', { name: 'Empty', assigned_sensor_ids: { default: [] } }),
    )
    expect(linesOf((await tryOut({ ...page, group_id: groupId })).text)).toEqual([
      {
        verdict: 'none',
        degraded_reasons: [],
        summary: { ok_checks_count: 0, error_checks_count: 0, unknown_checks_count: 0, error_tolerance: null },
      },
    ])
  })

  test('ends for a client that hangs up, though a station keeps silent', async () => {
    world.stations.answer = ({ sensorId }) => (sensorId === world.people.sensorIds[0] ? 'ok' : 'silent')
    const address = await world.server.listen({ host: '127.0.0.1', port: 0 })
    const hangUp = new AbortController()
    const reply = await fetch(`${address}/v3/services/trial`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: authorizationOf('alice') },
      body: JSON.stringify({ ...page, extended_settings: { timeout: 120_000 } }),
      signal: hangUp.signal,
    })
    const reader = reply.body?.getReader()
    // The first line is there while others are waited for.
    const { value } = (await reader?.read()) ?? {}
    expect(JSON.parse(new TextDecoder().decode(value))).toMatchObject({ result: 'ok' })
    hangUp.abort()
    await expect(reader?.read()).rejects.toThrow()
    await expect.poll(() => connectionsOf()).toBe(0)
  })
})

const connectionsOf = () =>
  new Promise<number>((resolve) => world.server.server.getConnections((_error, count) => resolve(count)))

test('the description wants a definition, or a service: as the API does', async () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema(interfaceDescription() as object, 'openapi')
  const isDescribed = ajv.compile({ $ref: 'openapi#/components/schemas/services_trial_input' })
  const id = idOf(await world.call('alice', 'POST', '/services', { ...page, name: 'Shop' }))
  for (const [body, isRight] of [
    [page, true],
    [{ service_id: id }, true],
    [{ service_id: id, address: 'shop.example.com/cart' }, true],
    [{ type_id: 'http' }, false],
    [{ address: 'shop.example.com' }, false],
    [{}, false],
  ] as const) {
    expect([body, isDescribed(body)]).toEqual([body, isRight])
    expect([body, (await tryOut(body)).status]).toEqual([body, isRight ? 200 : 422])
  }
})

describe('a trial of a change', () => {
  const secrets = { ...page, extended_settings: { username: 'me', password: 'kept secret' } }
  let id: number
  beforeEach(async () => {
    id = idOf(
      await world.call('alice', 'POST', '/services', {
        ...secrets,
        name: 'Kept',
        group_id: world.people.sharedGroupId,
      }),
    )
  })

  test('keeps what is not sent, and the secrets for which null is sent; none is told', async () => {
    const reply = await tryOut({ service_id: id, address: 'new.example.com', extended_settings: { password: null } })
    expect(reply.status).toBe(200)
    expect(world.stations.jobs[0]).toMatchObject({ address: 'new.example.com', settings: { password: 'kept secret' } })
    expect(reply.text).not.toContain('kept secret')
    const { body } = await world.call('alice', 'GET', `/services/${id}`)
    expect(body).toMatchObject({ address: 'shop.example.com/basket' })
  })

  test('of somebody who has the service by a share wants its secrets again, but for harmless changes', async () => {
    const elsewhere = await tryOut({ service_id: id, address: 'mine.example.com' }, 'bob')
    expect(errorsOf(elsewhere.body)).toEqual([['incorrect_value', 'data.extended_settings.password']])
    expect((await tryOut({ service_id: id, name: 'Other' }, 'bob')).status).toBe(200)
    const again = { username: 'me', password: 'told again' }
    const told = await tryOut({ service_id: id, address: 'mine.example.com', extended_settings: again }, 'bob')
    expect(told.status).toBe(200)
    expect(world.stations.jobs.at(-1)).toMatchObject({ settings: { password: 'told again' } })
  })

  test('is for those who may modify the service', async () => {
    for (const person of ['carol', 'rita'] as const) expect((await tryOut({ service_id: id }, person)).status).toBe(403)
    expect(errorsOf((await tryOut({ service_id: id }, 'charlie')).body)).toEqual([
      ['incorrect_value', 'data.service_id'],
    ])
  })

  test('has the type of the service', async () => {
    expect(errorsOf((await tryOut({ service_id: id, type_id: 'dns' })).body)).toEqual([
      ['field_is_immutable', 'data.type_id'],
    ])
    expect((await tryOut({ service_id: id, type_id: 'http' })).status).toBe(200)
  })
})

describe('a custom analysis of a service', () => {
  test('checks it with other settings, and keeps nothing', async () => {
    const service = { ...page, name: 'Shop', group_id: world.people.sharedGroupId }
    const id = idOf(await world.call('alice', 'POST', '/services', service))
    const before = await counts()
    const custom = { address: 'shop.example.com/other' }
    const reply = await world.call('alice', 'POST', `/services/${id}/force_custom_analysis`, custom, json)
    expect(reply.body).toMatchObject({ verdict: 'ok', summary: { error_checks_count: 0 } })
    const { checks } = reply.body as { readonly checks: readonly { readonly details: { readonly base_url: string } }[] }
    expect(new Set(checks.map(({ details }) => details.base_url))).toEqual(new Set(['http://shop.example.com/other']))
    expect(await counts()).toEqual(before)
    const told = await world.call('alice', 'GET', '/accounts/my_account/logs/audit?operation~=custom')
    expect(told.body).toEqual([])
    const stored = await world.call('alice', 'GET', `/services/${id}?fields=address`)
    expect(stored.body).toEqual({ address: 'shop.example.com/basket' })
    const as = async (person: Person) =>
      (await world.call(person, 'POST', `/services/${id}/force_custom_analysis`, {}, json)).status
    expect([await as('alice'), await as('charlie')]).toEqual([200, 404])
  })
})
