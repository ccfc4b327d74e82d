import sql, { raw } from 'sql-template-tag'
import { createAuthenticator } from '../../src/auth/authenticate.ts'
import { connect, type Database } from '../../src/database/connect.ts'
import type { ProblemSymbol } from '../../src/domain/input/problem-codes.ts'
import { maximumBodyBytes } from '../../src/rest/body.ts'
import type { CpuBudgetOptions } from '../../src/rest/cpu-budget.ts'
import { buildApi } from '../../src/rest/server.ts'
import type { Facts } from '../../src/wording/fill.ts'
import { type ApiWorld, authorizationOf, type Reply } from '../support/api.ts'
import { codeOf } from '../support/credentials.ts'
import { furnishHistory } from '../support/furnished.ts'
import { givePackage, type PackageOptions } from '../support/packages.ts'
import { type Person, passwordOf } from '../support/people.ts'
import { signsNothing, unrepeatableDelivery } from './address-problems.ts'
import { apiKeyCases } from './api-key-cases.ts'
import { objectInUse } from './object-in-use.ts'
import { managed, secondFactorCases } from './second-factor-cases.ts'

type Method = Parameters<ApiWorld['call']>[1]
type Headers = Record<string, string>

/** Sends the request; it may be sent again and is refused the same way. */
export type Ask = (headers: Headers) => Promise<Reply>

/** The smallest request that is refused with a symbol and nothing else. */
export interface ErrorCase {
  readonly field?: string
  /** The facts that the message names. */
  readonly facts?: Facts | ((reply: Reply) => Facts)
  /** Brings it about, and returns the request. */
  prepare(world: ApiWorld): Promise<Ask>
}

function asking(
  person: Person | null,
  method: Method,
  path: string | ((world: ApiWorld) => string | Promise<string>),
  body?: unknown,
  own: Headers = {},
): ErrorCase['prepare'] {
  return async (world) => {
    const there = typeof path === 'string' ? path : await path(world)
    return (headers) => world.call(person, method, there, body, { ...own, ...headers })
  }
}

const sharedGroup = ({ people }: ApiWorld) => `/groups/${people.sharedGroupId}`
const basic = (username: string, password: string) => ({ authorization: `Basic ${btoa(`${username}:${password}`)}` })
const http = { type_id: 'http', name: 'Sklep', address: 'shop.example.com' }

async function done(reply: Promise<Reply>): Promise<Reply> {
  const { status, text } = await reply
  if (status >= 300) throw new Error(`The case could not be prepared: ${status} ${text}`)
  return reply
}

async function newService(world: ApiWorld): Promise<string> {
  const reply = await done(world.call('alice', 'POST', '/services', http))
  return `/services/${(reply.body as { id: number }).id}`
}

async function newAddress(world: ApiWorld): Promise<string> {
  const address = { notification_channel_id: 'email', address: 'alice@example.com' }
  const reply = await done(world.call('alice', 'POST', '/notification_addresses', address))
  return `/notification_addresses/${(reply.body as { id: number }).id}`
}

async function tokenOf(world: ApiWorld, person: Person, more: object = {}): Promise<string> {
  const login = { username: person, password: passwordOf(person), ...more }
  return ((await done(world.call(null, 'POST', '/sessions', login))).body as { token: string }).token
}

function withToken(world: ApiWorld, token: string, method: Method, path: string, body?: unknown): Ask {
  return (headers) => world.call(null, method, path, body, { authorization: `Bearer ${token}`, ...headers })
}

/** A token that has passed the person's second factor, which is on from now on. */
async function withSecondFactor(world: ApiWorld, person: Person): Promise<string> {
  const token = await tokenOf(world, person)
  const account = (action: string, body?: unknown) =>
    done(withToken(world, token, 'POST', `/accounts/my_account/2fa/${action}`, body)({}))
  await account('setup')
  await account('verify', { code: await codeOf(world.database, world.people.ids[person], world.clock.now()) })
  return token
}

/** A request of Bob's, whose package is this. */
function within(limits: PackageOptions, path: string, body: unknown): ErrorCase['prepare'] {
  return async (world) => {
    await givePackage(world, 'bob', limits)
    return (headers) => world.call('bob', 'POST', path, body, headers)
  }
}

/** Another server over the same things. */
function elsewhere(
  url: string,
  options: { readonly database?: Database; readonly requestsPerMinute?: number; readonly cpu?: CpuBudgetOptions },
): ErrorCase['prepare'] {
  return async (world) => {
    const { database = world.database, requestsPerMinute = 0, cpu } = options
    const { clock, registry } = world
    const { authenticate } = createAuthenticator({ database, clock, loginLimit: 10 })
    const server = await buildApi({
      database,
      clock,
      registry,
      authenticate,
      requestsPerMinute: { anonymous: requestsPerMinute, account: requestsPerMinute },
      ...(cpu === undefined ? {} : { cpu }),
      collation: raw(''),
      publicUrl: undefined,
      trustedProxies: [],
      log: world.server.log,
    })
    const ask: Ask = async (headers) => {
      const reply = await server.inject({ method: 'GET', url, headers })
      return { status: reply.statusCode, headers: reply.headers, body: reply.json(), text: reply.payload }
    }
    if (requestsPerMinute > 0 || cpu !== undefined) await ask({})
    return ask
  }
}

export const errorCases: Readonly<Record<ProblemSymbol, ErrorCase>> = {
  incorrect_json: {
    field: 'data',
    facts: { line: 1, column: 2 },
    prepare: asking('alice', 'POST', '/groups', '{broken'),
  },
  malformed_request: { prepare: asking('alice', 'GET', '/groups/%zz') },
  missing_credentials: { prepare: asking(null, 'GET', '/groups') },
  incorrect_credentials: { prepare: asking(null, 'GET', '/groups', undefined, basic('alice', 'a guess')) },
  session_expired: {
    async prepare(world) {
      const token = await tokenOf(world, 'alice', { expiration_duration: 60 })
      world.clock.advance(61_000)
      return withToken(world, token, 'GET', '/groups')
    },
  },
  second_factor_required: {
    async prepare(world) {
      await withSecondFactor(world, 'carol')
      return withToken(world, await tokenOf(world, 'carol'), 'GET', '/groups')
    },
  },
  ...secondFactorCases,
  ...apiKeyCases,
  forbidden: { prepare: asking('dora', 'GET', '/groups'), facts: { scope: 'customer' } },
  account_not_activated: {
    async prepare(world) {
      const login = { username: 'nowa', password: 'nobody guesses this' }
      const user_data = { email_address: 'nowa@example.com' }
      const registration = { ...login, name: 'Nowa', package_id: world.people.packageIds.free, user_data }
      await done(world.call(null, 'POST', '/accounts/register', registration))
      return (headers) =>
        world.call(null, 'GET', '/groups', undefined, { ...basic(login.username, login.password), ...headers })
    },
  },
  account_blocked: {
    async prepare(world) {
      await done(world.call('dora', 'POST', `/admin/accounts/${world.people.ids.charlie}/block`))
      return (headers) => world.call('charlie', 'GET', '/groups', undefined, headers)
    },
  },
  cross_site_request: {
    prepare: asking('alice', 'POST', '/services/1/archive', undefined, { 'sec-fetch-site': 'cross-site' }),
  },
  ip_address_not_allowed: {
    facts: { address: '127.0.0.1' },
    async prepare(world) {
      const elsewhereOnly = { ip_whitelist: ['192.0.2.1'], ip_whitelist_enabled: true }
      await done(world.call('alice', 'PUT', `/user_data/${world.people.ids.adam}`, elsewhereOnly))
      return (headers) => world.call('adam', 'GET', '/groups', undefined, headers)
    },
  },
  not_found: {
    facts: { path: '/v3/group', documentation: '/v3/public/doc/' },
    prepare: asking('alice', 'GET', '/group?limit=1'),
  },
  method_not_allowed: {
    facts: { method: 'PATCH', allowed: 'GET, HEAD, POST, OPTIONS' },
    prepare: asking('alice', 'PATCH', '/groups'),
  },
  object_changed: { prepare: asking('alice', 'PUT', sharedGroup, { name: 'Nowa' }, { 'if-match': '"old"' }) },
  payload_too_large: {
    facts: { maximum: maximumBodyBytes },
    prepare: asking('alice', 'POST', '/groups', { name: 'x'.repeat(maximumBodyBytes) }),
  },
  unsupported_media_type: { prepare: asking('alice', 'POST', '/groups', 'name=x', { 'content-type': 'text/plain' }) },
  incorrect_value: {
    field: 'data.language_id',
    facts: { allowed: 'pl, en' },
    prepare: asking('alice', 'PUT', '/accounts/my_account', { language_id: 'de' }),
  },
  incorrect_type: {
    field: 'data.name',
    facts: { expected: 'string' },
    prepare: asking('alice', 'POST', '/groups', { name: 5 }),
  },
  missing_value: { field: 'data.name', prepare: asking('alice', 'POST', '/groups', {}) },
  unknown_field: {
    field: 'data.colour',
    facts: {
      name: 'colour',
      known: `address, description, group_id, tags, notification_channel_id, settings, is_enabled, owner_id, ${managed}`,
    },
    prepare: asking('alice', 'POST', '/notification_addresses', {
      notification_channel_id: 'email',
      address: 'ops@example.com',
      colour: 'red',
    }),
  },
  value_too_long: {
    field: 'data.name',
    facts: { maximum: 200 },
    prepare: asking('alice', 'POST', '/groups', { name: 'x'.repeat(201) }),
  },
  value_too_short: {
    field: 'data.name',
    facts: { minimum: 1 },
    prepare: asking('alice', 'PUT', '/accounts/my_account', { name: '' }),
  },
  value_is_not_unique: {
    field: 'data.sensor_ids[1]',
    prepare: asking('alice', 'PUT', newService, { sensor_ids: [1, 1] }),
  },
  field_is_immutable: { field: 'data.owner_id', prepare: asking('alice', 'PUT', sharedGroup, { owner_id: 987654 }) },
  field_is_read_only: { field: 'data.id', prepare: asking('alice', 'POST', '/groups', { name: 'x', id: 7 }) },
  limit_exceeded: {
    facts: { limit: 'maximum_services', value: 0 },
    prepare: within({ maximum_services: 0 }, '/services', http),
  },
  interval_too_short: {
    field: 'data.interval',
    facts: { minimum: 60 },
    prepare: within({ minimum_interval: 60 }, '/services', { ...http, interval: 59 }),
  },
  force_limit_exceeded: {
    facts: { value: 3, period: '60 s' },
    async prepare(world) {
      const path = `${await newService(world)}/force_analysis`
      for (let time = 1; time <= 3; time += 1) await done(world.call('alice', 'POST', path))
      return (headers) => world.call('alice', 'POST', path, undefined, headers)
    },
  },
  service_is_archived: {
    async prepare(world) {
      const path = await newService(world)
      await done(world.call('alice', 'POST', `${path}/archive`))
      return (headers) => world.call('alice', 'PUT', path, { name: 'Nowy' }, headers)
    },
  },
  service_is_not_archived: { prepare: asking('alice', 'POST', async (world) => `${await newService(world)}/restore`) },
  report_in_progress: {
    async prepare(world) {
      const template = (await done(world.call('alice', 'POST', '/report_templates', { name: 'Tydzień' }))).body
      const range = { from: '2026-11-01T00:00:00Z', to: '2026-11-08T00:00:00Z' }
      const order = { template_id: (template as { id: number }).id, ...range }
      const { id } = (await done(world.call('alice', 'POST', '/reports', order))).body as { id: number }
      return (headers) => world.call('alice', 'GET', `/reports/${id}/json`, undefined, headers)
    },
  },
  default_group_cannot_be_deleted: { prepare: asking('alice', 'DELETE', '/groups/my_default_group') },
  sensor_not_available: {
    field: 'data.assigned_sensor_ids.default[0]',
    facts: { sensor_id: 987654 },
    prepare: asking('alice', 'PUT', sharedGroup, { assigned_sensor_ids: { default: [987654] } }),
  },
  channel_not_available: {
    field: 'data.notification_channel_id',
    facts: { channel_id: 'jabber' },
    prepare: within({ available_notification_channel_ids: ['email'] }, '/notification_addresses', {
      address: 'bob@example.com',
      notification_channel_id: 'jabber',
    }),
  },
  service_type_not_available: {
    field: 'data.type_id',
    facts: { service_type_id: 'http' },
    prepare: within({ available_service_types: [] }, '/services', http),
  },
  second_factor_is_on: {
    async prepare(world) {
      return withToken(world, await withSecondFactor(world, 'rita'), 'POST', '/accounts/my_account/2fa/setup')
    },
  },
  second_factor_is_off: { prepare: asking('alice', 'POST', '/accounts/my_account/2fa/disable', { code: '123456' }) },
  too_many_settings: {
    facts: { maximum: 100 },
    async prepare(world) {
      await world.database.execute(sql`
        insert into user_settings (account_id, key, value)
        select ${world.people.ids.alice}, 'key' || number, '1' from generate_series(1, 100) as number`)
      return (headers) => world.call('alice', 'PUT', '/user_data/my_user_data/settings/another', '1', headers)
    },
  },
  diagnostic_limit_exceeded: {
    facts: { value: 3 },
    async prepare(world) {
      const ask: Ask = (headers) =>
        world.call('alice', 'POST', '/system/dns_diagnostics', { host: 'www.example.com' }, headers)
      for (let time = 1; time <= 3; time += 1) await done(ask({}))
      return ask
    },
  },
  no_sms_address: {
    prepare: asking('alice', 'POST', (world) => `${sharedGroup(world)}/send_test_sms_notification`),
  },
  test_sms_limit_exceeded: {
    facts: { value: 30, period: '1 h' },
    async prepare(world) {
      const address = { group_id: world.people.sharedGroupId, notification_channel_id: 'sms', address: '+48600000000' }
      await done(world.call('alice', 'POST', '/notification_addresses', address))
      const ask: Ask = (headers) =>
        world.call('alice', 'POST', `${sharedGroup(world)}/send_test_sms_notification`, undefined, headers)
      for (let time = 0; time < 30; time += 1) await done(ask({}))
      return ask
    },
  },
  address_is_confirmed: {
    prepare: asking('alice', 'POST', async (world) => `${await newAddress(world)}/send_confirmation_code`),
  },
  address_is_not_confirmed: {
    async prepare(world) {
      const path = await newAddress(world)
      await world.database.execute(sql`
        update notification_addresses set confirmed_at = null where id = ${Number(path.split('/').at(-1))}`)
      return (headers) => world.call('alice', 'POST', `${path}/send_test_notification`, undefined, headers)
    },
  },
  channel_signs_nothing: signsNothing,
  delivery_cannot_be_repeated: unrepeatableDelivery,
  status_change_is_not_failure: {
    prepare: asking('alice', 'POST', async (world) => {
      const path = await newService(world)
      const { changeIds } = await furnishHistory(world, Number(path.split('/').at(-1)))
      return `${path}/history/status_changes/${changeIds.ok}/acknowledge`
    }),
  },
  confirmation_code_limit_exceeded: {
    facts: { value: 5, period: '24 h' },
    async prepare(world) {
      const path = await newAddress(world)
      await world.database.execute(sql`
        update notification_addresses set confirmed_at = null where id = ${Number(path.split('/').at(-1))}`)
      const ask: Ask = (headers) => world.call('alice', 'POST', `${path}/send_confirmation_code`, undefined, headers)
      for (let time = 0; time < 5; time += 1) {
        await done(ask({}))
        // As if it was sent: one that waits is not ordered anew.
        await world.database.execute(sql`update address_codes set expires_at = created_at`)
      }
      return ask
    },
  },
  range_not_satisfiable: {
    facts: ({ headers }) => ({ size: Number(String(headers['content-range']).replace('bytes */', '')) }),
    async prepare(world) {
      const path = await newService(world)
      const { failureId } = await furnishHistory(world, Number(path.split('/').at(-1)))
      const check = `${path}/history/analyses/${failureId}/checks/${world.people.sensorIds[0]}`
      return (headers) =>
        world.call('alice', 'GET', `${check}/artifacts/content/plain`, undefined, {
          range: 'bytes=1000000-',
          ...headers,
        })
    },
  },
  object_is_in_use: objectInUse,
  too_many_requests: {
    facts: { retry_after: 60 },
    prepare: elsewhere('/v3/sensors', { requestsPerMinute: 1 }),
  },
  processing_time_used_up: {
    facts: { retry_after: 60 },
    // Each turn of the loop is told to have taken an hour.
    prepare: elsewhere('/v3/sensors', {
      cpu: { limits: { anonymous: 1, account: 1 }, stopwatch: () => () => 3_600_000, now: () => 0 },
    }),
  },
  too_many_streams: {
    facts: { value: 50 },
    async prepare(world) {
      const open = { url: '/v3/event_stream', headers: { authorization: authorizationOf('alice') } }
      for (let count = 0; count < 50; count++) await world.server.inject({ ...open, payloadAsStream: true })
      return asking('alice', 'GET', '/event_stream')(world)
    },
  },
  internal_error: {
    facts: ({ text }) => ({ request_id: /req-\w+/.exec(text)?.[0] }),
    async prepare(world) {
      await world.database.execute(sql`alter table corrections rename to corrections_taken_away`)
      return (headers) => world.call('alice', 'GET', '/corrections', undefined, headers)
    },
  },
  service_unavailable: {
    facts: { retry_after: 5 },
    prepare: elsewhere('/v3/sensors', { database: connect({ url: 'postgres://nobody@127.0.0.1:9/nothing' }) }),
  },
}
