import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { dayLength, hourLength } from '../../src/domain/calendars/durations.ts'
import type { Monitoring } from '../../src/monitoring/start.ts'
import { registryWays } from '../../src/registries/ask.ts'
import { HostDomains } from '../../src/registries/host-domains.ts'
import { Registries } from '../../src/registries/registries.ts'
import { databaseStore } from '../../src/registries/store.ts'
import { intentsOf, type MonitoringWorld, monitoringWorld } from '../support/monitoring.ts'
import { describedDomain, json, openRegistry, type Registry } from '../support/registry.ts'

/** The domains of the hosts of services that stations check, with a registry on loopback. */

const domain = 'shop-of-tests.com'
const path = `/rdap/domain/${domain}`
const hourly = 3600
const conditionIds = ['degraded', 'degraded_end']
let world: MonitoringWorld
let registry: Registry
let monitoring: Monitoring
let hosts: HostDomains

function openHosts(): HostDomains {
  const { database, clock } = world
  const { bootstrapUrl } = registry
  const registries = new Registries({
    store: databaseStore(database),
    ways: registryWays('all'),
    clock,
    bootstrapUrl,
    whois: null,
  })
  return new HostDomains({ registries, clock })
}

/** A process with nothing in its memory. */
async function startAnew(): Promise<void> {
  await monitoring.stop()
  hosts = openHosts()
  monitoring = await start()
}

function start(): Promise<Monitoring> {
  const domainOf: HostDomains['of'] = (type, address) => hosts.of(type, address)
  const check = () => Promise.reject(new Error('no service of these tests is checked by the core'))
  return world.start({ core: { check, domainOf, tidy: async () => undefined } })
}

beforeAll(async () => {
  world = await monitoringWorld()
})
beforeEach(async () => {
  registry = await openRegistry()
  hosts = openHosts()
  monitoring = await start()
})
afterEach(async () => {
  await monitoring.stop()
  await hosts.rest()
  await registry.close()
  await world.clear()
  await world.database.execute(sql`truncate registrations, registry_servers`)
})
afterAll(() => world.drop())

const questions = () => registry.asked.filter((asked) => asked === path).length
const answer = (end: number | null) => registry.answers.set(path, json(describedDomain(domain, { end })))

async function add(more: object = {}): Promise<number> {
  const id = await world.addService({ typeId: 'https', interval: hourly, conditionIds, ...more })
  await world.database.execute(sql`update services set address = ${`www.${domain}/cart`} where id = ${id}`)
  return id
}

/** Lets rounds pass one by one, and what they ask for is read meanwhile. */
async function pass(seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += hourly) {
    await hosts.rest()
    await world.pass(monitoring, Math.min(hourly, seconds - passed))
  }
  await hosts.rest()
}

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

function certificate(endsAt: number) {
  const expiry = { kind: 'certificate', id: 'AA', name: 'shop', endsAt } as const
  world.stations.answer = () => ({ result: 'ok', errorTypeId: null, errorMessage: null, expiry })
}

test('the domain of the host is warned of once each, with one question a day for all services', async () => {
  const [one, other] = [await add(), await add({ typeId: 'smtp_helo' })]
  const endsAt = world.clock.now() + 22 * dayLength
  answer(endsAt)
  await monitoring.drain()
  await pass((21.5 * dayLength) / 1000)
  for (const id of [one, other]) {
    expect(await warningsOf(id)).toEqual([21, 7, 1].map((days) => ['degraded', 'domain', days]))
    expect(await shown(id)).toEqual({ expires_at: endsAt, degraded_reasons: ['domain'] })
  }
  expect(questions()).toBe(22)
  answer(endsAt + 365 * dayLength)
  await pass((1.5 * dayLength) / 1000)
  expect(await shown(one)).toEqual({ expires_at: endsAt + 365 * dayLength, degraded_reasons: [] })
  expect((await warningsOf(one)).slice(3)).toEqual([['degraded_end', null, null]])
})

test('certificate and domain are told apart, and the nearest end is shown', async () => {
  const now = world.clock.now()
  const id = await add()
  certificate(now + 6 * dayLength)
  answer(now + 5 * dayLength)
  await monitoring.drain()
  await pass(3 * hourly)
  expect(await warningsOf(id)).toEqual([
    ['degraded', 'certificate', 7],
    ['degraded', 'domain', 7],
  ])
  expect(await shown(id)).toEqual({
    expires_at: now + 5 * dayLength,
    degraded_reasons: ['certificate', 'domain'],
  })
  certificate(now + 90 * dayLength)
  await pass(4 * hourly)
  expect(await shown(id)).toMatchObject({ degraded_reasons: ['domain'] })
  expect(await warningsOf(id)).toHaveLength(2)
})

test('a restart neither forgets nor tells again, though the registry is silent', async () => {
  const id = await add()
  const endsAt = world.clock.now() + 6 * dayLength
  answer(endsAt)
  await monitoring.drain()
  await pass(2 * hourly)
  registry.answers.set(path, json('<html>', {}, 500))
  await world.database.execute(sql`truncate registrations`)
  await startAnew()
  await pass(12 * hourly)
  expect(await shown(id)).toEqual({ expires_at: endsAt, degraded_reasons: ['domain'] })
  expect(await warningsOf(id)).toEqual([['degraded', 'domain', 7]])
})

test('another address has another domain, and one without a domain none', async () => {
  const id = await add()
  answer(world.clock.now() + 6 * dayLength)
  await monitoring.drain()
  await pass(2 * hourly)
  expect((await shown(id))?.expires_at).not.toBeNull()
  for (const address of ['other-of-tests.com/', '192.0.2.1/']) {
    await world.database.execute(sql`update services set address = ${address} where id = ${id}`)
    await pass(4 * hourly)
    expect(await shown(id)).toEqual({ expires_at: null, degraded_reasons: [] })
  }
  expect(registry.asked).not.toContain('/rdap/domain/192.0.2.1')
})

test('no days, no warning; types without certificates have no domain; private names are not asked for', async () => {
  const endsAt = world.clock.now() + 3 * dayLength
  answer(endsAt)
  const silent = await add({ settings: { warning_days: '[]' } })
  const pinged = await add({ typeId: 'ping' })
  const private_ = await add()
  await world.database.execute(sql`update services set address = 'printer.office.internal/' where id = ${private_}`)
  await monitoring.drain()
  await pass(2 * hourly)
  expect(await shown(silent)).toEqual({ expires_at: endsAt, degraded_reasons: [] })
  expect(await warningsOf(silent)).toEqual([])
  expect(await shown(pinged)).toMatchObject({ expires_at: null })
  expect(await shown(private_)).toMatchObject({ expires_at: null })
  expect(new Set(registry.asked)).toEqual(new Set(['/dns.json', path]))
})

test('rounds never wait, and many domains are asked for few at a time', async () => {
  let under = 0
  let most = 0
  const read = async () => {
    under += 1
    most = Math.max(most, under)
    await new Promise((resolve) => setImmediate(resolve))
    under -= 1
    return Promise.reject(new Error('the database is away'))
  }
  const many = new HostDomains({ registries: { read }, clock: world.clock })
  const names = Array.from({ length: 50 }, (_, index) => `host-${index}.com`)
  for (const name of names) expect(many.of({ addressForm: 'web' }, name)).toEqual({ name, end: undefined })
  await many.rest()
  expect(most).toBe(2)
  world.clock.advance(hourLength)
  expect(many.of({ addressForm: 'web' }, 'host-1.com')?.end).toBeUndefined()
  await many.rest()
})
