import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { claimRegistration } from '../../src/database/services/registrations.ts'
import { dayLength, hourLength } from '../../src/domain/calendars/durations.ts'
import { errorType } from '../../src/domain/judging/error-types.ts'
import type { Monitoring } from '../../src/monitoring/start.ts'
import { registryWays } from '../../src/registries/ask.ts'
import { openRegistries, type RegistryChecks } from '../../src/registries/open.ts'
import { analysesOf, intentsOf, type MonitoringWorld, monitoringWorld, statusOf } from '../support/monitoring.ts'
import { describedDomain, json, openRegistry, type Registry } from '../support/registry.ts'

/** Services of type `domain`: their rounds, warnings and failures, with a registry on loopback. */

const domain = 'shop.example'
const path = `/rdap/domain/${domain}`
const hourly = 3600
const conditionIds = ['failure', 'recovery', 'degraded', 'degraded_end']
let world: MonitoringWorld
let registry: Registry
let monitoring: Monitoring

function openCore(): RegistryChecks {
  const { database, clock } = world
  return openRegistries({
    database,
    clock,
    ways: registryWays('all'),
    bootstrapUrl: registry.bootstrapUrl,
    whois: null,
    watchesHosts: true,
  })
}

beforeAll(async () => {
  world = await monitoringWorld()
})
beforeEach(async () => {
  registry = await openRegistry()
  monitoring = await world.start({ core: openCore() })
})
afterEach(async () => {
  await monitoring.stop()
  await registry.close()
  await world.clear()
  await world.database.execute(sql`truncate registrations, registry_servers`)
})
afterAll(() => world.drop())

const questions = () => registry.asked.filter((asked) => asked === path).length
const answer = (end: number | null, more = {}) =>
  registry.answers.set(path, json(describedDomain(domain, { end, more })))
const addDomain = (settings = {}) => world.addService({ typeId: 'domain', interval: hourly, conditionIds, settings })

async function warningsOf(id: number) {
  const told = await intentsOf(world.database, id)
  return told.map(({ notification_condition_id: condition, facts }) => {
    return [condition, facts.degraded?.expiry?.kind ?? null, facts.degraded?.expiry?.days ?? null]
  })
}

async function shown(id: number) {
  const [row] = await world.database.query<{ expires_at: number | null; degraded_reasons: string[] }>(
    sql`select expires_at, degraded_reasons from services join service_statuses on service_id = id where id = ${id}`,
  )
  return row
}

test('each warning is told once, one question a day is asked, and a renewal ends it', async () => {
  const id = await addDomain()
  const endsAt = world.clock.now() + 22 * dayLength
  answer(endsAt)
  await monitoring.drain()
  expect(await shown(id)).toEqual({ expires_at: endsAt, degraded_reasons: [] })
  expect(await analysesOf(world.database, id)).toMatchObject([{ verdict: 'ok', sensor_ids: [0], results: ['o'] }])
  expect(world.stations.jobs).toEqual([])
  await world.pass(monitoring, (21.5 * dayLength) / 1000)
  expect(await warningsOf(id)).toEqual([21, 7, 1].map((days) => ['degraded', 'domain', days]))
  expect(await shown(id)).toEqual({ expires_at: endsAt, degraded_reasons: ['domain'] })
  expect(questions()).toBe(22)
  const [first] = await intentsOf(world.database, id)
  expect(first?.event_id).toBe(`degraded:domain:${domain}:${endsAt}:21`)
  answer(endsAt + 365 * dayLength)
  await world.pass(monitoring, (1.5 * dayLength) / 1000)
  expect(await shown(id)).toEqual({ expires_at: endsAt + 365 * dayLength, degraded_reasons: [] })
  expect((await warningsOf(id)).slice(3)).toEqual([['degraded_end', null, null]])
})

test('days of its own, or none, decide on warnings', async () => {
  answer(world.clock.now() + 5 * dayLength)
  const [never, often] = [await addDomain({ warning_days: '[]' }), await addDomain({ warning_days: '[30,6]' })]
  await monitoring.drain()
  expect(await warningsOf(never)).toEqual([])
  expect(await warningsOf(often)).toEqual([['degraded', 'domain', 6]])
  expect(questions()).toBe(1)
})

test('an end that has passed is a failure once the registry names it afterwards', async () => {
  const id = await addDomain()
  answer(world.clock.now() + hourLength / 2)
  await monitoring.drain()
  await world.pass(monitoring, 10 * hourly)
  expect((await statusOf(world.database, id))?.state).toBe('ok')
  await world.pass(monitoring, 16 * hourly)
  const failed = (await analysesOf(world.database, id)).at(-1)
  expect(failed?.verdict).toBe('failure')
  expect(JSON.stringify(failed?.failures)).toContain(String(errorType('domain_expired').id))
  const told = await intentsOf(world.database, id)
  expect(told.at(-1)).toMatchObject({
    notification_condition_id: 'failure',
    facts: { checks: [{ sensor_id: 0, sensor_name: 'Registry', result: 'error' }] },
  })
})

test('a registry that cannot be asked is no alarm, and unknown in the end', async () => {
  const id = await addDomain()
  answer(world.clock.now() + 8 * dayLength)
  await monitoring.drain()
  for (const behave of [json('', { 'retry-after': '60' }, 429), json('<html>'), json('', {}, 500)]) {
    registry.answers.set(path, behave)
    await world.pass(monitoring, dayLength / 1000)
  }
  // The last answer counts for three days.
  expect((await analysesOf(world.database, id)).map(({ verdict }) => verdict)).not.toContain('failure')
  await world.pass(monitoring, 2 * hourly)
  const [unknown] = await world.database.query<{ unknown_reason: string | null; valid_until: number }>(
    sql`select unknown_reason, valid_until from service_statuses where service_id = ${id}`,
  )
  expect(unknown?.unknown_reason).not.toBeNull()
  expect(unknown?.valid_until).toBeLessThan(world.clock.now())
  expect(await warningsOf(id)).toEqual([
    ['degraded', 'domain', 21],
    ['degraded', 'domain', 7],
  ])
  expect(questions()).toBeLessThan(20)
})

test('name servers, registrar and signature are compared', async () => {
  answer(null, { secureDNS: { delegationSigned: false } })
  const settings = [
    { expected_name_servers: 'ns1.shop.example.' },
    { expected_name_servers: 'ns9.shop.example' },
    { expected_registrar: 'bad names' },
    { require_dnssec: true },
  ]
  const ids = await Promise.all(settings.map(addDomain))
  await monitoring.drain()
  const verdicts = await Promise.all(ids.map(async (id) => (await analysesOf(world.database, id)).at(-1)?.verdict))
  expect(verdicts).toEqual(['ok', 'failure', 'failure', 'failure'])
  expect(questions()).toBe(1)
})

test('processes share answers and pauses, and a restart asks nothing again', async () => {
  answer(world.clock.now() + 90 * dayLength)
  const job = {
    ...{ serviceId: 1, sensorId: 0, typeId: 'domain', address: `www.${domain}`, settings: {} },
    ...{ startAt: world.clock.now(), deadlineAt: world.clock.now() + 60_000 },
  }
  const checked = await Promise.all([openCore(), openCore(), openCore()].map((core) => core.check(job)))
  // A caller that comes while another process asks learns nothing yet, and never something false.
  expect(checked.map(({ result }) => result)).toContain('ok')
  expect(checked.map(({ result }) => result)).not.toContain('error')
  expect((await openCore().check(job)).result).toBe('ok')
  expect(questions()).toBe(1)
  registry.answers.set('/rdap/domain/mill.example', json('', { 'retry-after': '3600' }, 503))
  await openCore().check({ ...job, address: 'mill.example' })
  const asked = registry.asked.length
  const refused = await openCore().check({ ...job, address: 'barn.example' })
  expect(refused).toMatchObject({
    result: 'unknown',
    errorTypeId: errorType('registry_refused').id,
    responseTime: null,
  })
  expect(registry.asked).toHaveLength(asked)
})

test('a process that dies while it asks leaves the question to others', async () => {
  const id = await addDomain()
  answer(world.clock.now() + 90 * dayLength)
  expect((await claimRegistration(world.database, domain, world.clock.now())).isDue).toBe(true)
  await monitoring.drain()
  expect(questions()).toBe(0)
  expect(await analysesOf(world.database, id)).toMatchObject([{ verdict: 'none' }])
  await world.pass(monitoring, 2 * hourly)
  expect((await statusOf(world.database, id))?.state).toBe('ok')
  expect(questions()).toBe(1)
})

test('a domain that nobody watches any more is forgotten', async () => {
  const core = openCore()
  answer(world.clock.now() + 90 * dayLength)
  await addDomain()
  await monitoring.drain()
  world.clock.advance(90 * dayLength)
  await core.tidy()
  expect(await world.database.query(sql`select domain from registrations`)).toHaveLength(1)
  world.clock.advance(2 * dayLength)
  await core.tidy()
  expect(await world.database.query(sql`select domain from registrations`)).toEqual([])
})
