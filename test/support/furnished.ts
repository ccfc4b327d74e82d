import sql from 'sql-template-tag'
import { channelIds } from '../../src/channels/index.ts'
import { ensurePartitions } from '../../src/database/partitions.ts'
import { dictionaries } from '../../src/domain/dictionaries.ts'
import { errorTypes } from '../../src/domain/judging/error-types.ts'
import { type AnalysisRow, insertAnalyses } from '../../src/history/analyses.ts'
import { type ApiWorld, type ApiWorldOptions, apiWorld } from './api.ts'
import { type Created, create } from './create.ts'
import { givenDeliveries } from './deliveries.ts'
import { assignTemplate, furnishFromExamples } from './furnish-from-examples.ts'
import { furnishOnCall } from './furnish-on-call.ts'
import { givenPasskey } from './passkeys.ts'
import type { Person } from './people.ts'
import { makeReports } from './reports.ts'

/** A world in which every list has something to show to Alice, and something of Charlie's to hide from her. */
export interface FurnishedWorld extends ApiWorld {
  readonly serviceIds: { readonly shared: number; readonly private: number; readonly foreign: number }
  readonly groupIds: { readonly shared: number; readonly private: number; readonly foreign: number }
  readonly addressIds: { readonly shared: number; readonly private: number; readonly foreign: number }
  /** Of the shared service or its group, by resource. */
  readonly plannedIds: Readonly<Record<PlannedResource, number>>
  /** Of administration, of reports and of what is made from its example, by resource. */
  readonly furtherIds: Readonly<Record<string, number>>
  readonly sessionIds: Readonly<Record<'alice' | 'charlie', string>>
  readonly tokens: Readonly<Record<'alice' | 'charlie', string>>
  readonly history: History
  readonly deliveryIds: ReadonlyMap<number, number>
  /** A path with its parameters, of things that Alice may read and Charlie may not. */
  fill(path: string): string
}

type PlannedResource =
  | 'suspensions'
  | 'scheduled_suspensions'
  | 'weekly_suspensions'
  | 'corrections'
  | 'periodic_report_addresses'

/**
 * The shared service, an hour old: ok, then failing for the last five minutes. Unix milliseconds and keys of the
 * history.
 */
export interface History {
  readonly createdAt: number
  readonly okAt: number
  readonly failedAt: number
  readonly okId: string
  readonly failureId: string
  readonly changeIds: { readonly ok: string; readonly failure: string }
  /** Alice's comment of the failure. */
  readonly commentId: number
  /** A ping of the shared service, with a body. */
  readonly pingId: number
  readonly pageBytes: Buffer
}

async function logIn(api: ApiWorld, person: Person): Promise<{ id: string; token: string }> {
  const reply = await api.call(null, 'POST', '/sessions', { username: person, password: `${person} may come in` })
  return reply.body as { id: string; token: string }
}

interface Round {
  readonly serviceId: number
  readonly sensorIds: readonly number[]
  readonly at: number
}

export function okRound({ serviceId, sensorIds, at }: Round): AnalysisRow {
  return {
    serviceId,
    analysisId: at * 100,
    verdict: 'ok',
    errorTolerance: 51,
    sensorIds,
    results: sensorIds.map(() => 'o'),
    timeOffsets: sensorIds.map(() => -250),
    responseTimes: sensorIds.map((_, index) => 100 + index),
    dataSizes: sensorIds.map(() => 2048),
    phases: sensorIds.flatMap(() => [1000, 2000, -1, 500, 30_000, 1500]),
    failures: null,
  }
}

/** The first sensor saw an error page, the second could not connect, the third could not try. */
function failedRound(round: Round, contentKey: string): AnalysisRow {
  const [first = 0, second = 0, third = 0] = round.sensorIds
  return {
    ...okRound(round),
    verdict: 'failure',
    results: ['e', 'e', 'u'],
    responseTimes: [120, -1, -1],
    dataSizes: [512, -1, -1],
    failures: {
      [first]: {
        error_type_id: 4001,
        error_message: 'HTTP status 503',
        base_url: 'http://shop.example.com/',
        content_type: 'text/html; charset=utf-8',
        file_name: '"; evil.html',
        response_headers: 'server: nginx',
        ip_address: '192.0.2.7',
        status_code: 503,
        artifacts: [
          { id: 'content', key: contentKey, content_type: 'text/html; charset=utf-8', size: pageBytes.length },
          { id: 'har', key: contentKey, content_type: 'application/json', size: pageBytes.length },
        ],
        facts: { warnings: 'one of the tests' },
      },
      [second]: { error_type_id: 2001, error_message: 'Connection refused: żółw' },
      [third]: { error_type_id: null, error_message: 'out of sockets' },
    },
  }
}

const pageBytes = Buffer.from('<html><script>alert(1)</script>Zepsuło się')

/** A service's first hour: ten minutes ago it worked, five ago it failed, and the first sensor kept a page. */
export async function furnishHistory(api: ApiWorld, serviceId: number): Promise<History> {
  const { database, people, clock } = api
  const [createdAt, okAt, failedAt] = [3600, 600, 300].map((seconds) => clock.now() - seconds * 1000) as [
    number,
    number,
    number,
  ]
  const contentKey = await api.artifacts.put(pageBytes, { serviceId, decidedAt: failedAt })
  await ensurePartitions(database, clock.now(), 1)
  await database.execute(sql`update services set created_at = ${new Date(createdAt)} where id = ${serviceId}`)
  const round = { serviceId, sensorIds: people.sensorIds }
  await insertAnalyses(database, [
    okRound({ ...round, at: okAt }),
    failedRound({ ...round, at: failedAt }, contentKey),
    {
      ...okRound({ ...round, at: failedAt + 60_000 }),
      verdict: 'none',
      results: ['u', 'u', 'o'],
      // Nothing else of the world is a scenario: the list of steps must have something to show.
      steps: { names: ['Sklep', 'Koszyk'], times: [-1, -1, -1, -1, 40, 80] },
    },
  ])
  await database.execute(sql`
    insert into status_changes (service_id, change_id, status, first_analysis_id, start_time, end_time) values
      (${serviceId}, ${okAt * 100}, 'ok', ${okAt * 100}, ${new Date(okAt)}, ${new Date(failedAt)}),
      (${serviceId}, ${failedAt * 100}, 'failure', ${failedAt * 100}, ${new Date(failedAt)}, null)`)
  await database.execute(sql`
    insert into good_screenshots (service_id, type_id, day, analysis_id, sensor_id, taken_at, digest, picture)
    select id, type_id, ${new Date(okAt)}, ${okAt * 100}, ${people.sensorIds[0]}, ${new Date(okAt)}, 'picture', ${pageBytes}
    from services where id = ${serviceId}`)
  const [comment] = await database.query<{ id: number }>(sql`
    insert into change_comments (service_id, change_id, account_id, time, text) values
      (${serviceId}, ${failedAt * 100}, ${people.ids.alice}, ${new Date(failedAt + 30_000)}, 'Dysk był pełny.')
    returning id`)
  await database.execute(sql`
    update service_statuses set check_status = 'failure', valid_until = ${new Date(clock.now() + 900_000)},
      last_check_status_change_time = ${new Date(failedAt)}, state = 'failure', state_change_id = ${failedAt * 100},
      state_since = ${new Date(failedAt)}, last_analysis_id = ${(failedAt + 60_000) * 100},
      last_ok_analysis_id = ${okAt * 100}, last_failure_analysis_id = ${failedAt * 100},
      last_analysis_time = ${new Date(failedAt + 60_000)}, last_ok_analysis_time = ${new Date(okAt)},
      last_failure_analysis_time = ${new Date(failedAt)}
    where service_id = ${serviceId}`)
  const [okId, failureId] = [`${okAt}00`, `${failedAt}00`]
  const changeIds = { ok: okId, failure: failureId }
  const [ping] = await database.query<{ id: number }>(sql`
    insert into pings (service_id, time, kind, ip_address, method, user_agent, body, body_size)
    values (${serviceId}, ${new Date(okAt)}, 'log', '192.0.2.1', 'POST', 'curl/8.5.0', 'saved', 5) returning id`)
  const ids = { commentId: comment?.id ?? 0, pingId: ping?.id ?? 0 }
  return { createdAt, okAt, failedAt, okId, failureId, changeIds, ...ids, pageBytes }
}

/** Nothing of it stops the monitoring now, a Saturday, or touches the furnished history. */
async function furnishPlans(api: ApiWorld, serviceId: number, groupId: number) {
  const [from, to] = ['2026-12-24T08:00:00Z', '2026-12-24T10:00:00Z']
  const plan = { service_id: serviceId, start_time: from, end_time: to }
  const [monday, wednesday] = [1, 3].map((day_of_week) => ({ day_of_week, hour: 6, minute: 30 }))
  const address = { group_id: groupId, address: 'szef@example.com', report_frequency: 'weekly' }
  return {
    suspensions: await create(api, 'alice', '/suspensions', { ...plan, only_notifications: true }),
    scheduled_suspensions: await create(api, 'alice', '/scheduled_suspensions', {
      service_id: serviceId,
      start: from,
      end: to,
    }),
    weekly_suspensions: await create(api, 'alice', '/weekly_suspensions', {
      service_id: serviceId,
      start_minute: monday,
      end_minute: wednesday,
    }),
    corrections: await create(api, 'alice', '/corrections', {
      service_id: serviceId,
      start_time: '2026-11-20T10:00:00Z',
      end_time: '2026-11-20T11:00:00Z',
      status: 'ok',
      description: 'Żadna awaria',
    }),
    periodic_report_addresses: await create(api, 'alice', '/periodic_report_addresses', address),
  }
}

/** Alice's and Charlie's notifications. */
async function furnishNotices(api: ApiWorld, services: readonly { id: number; addressId: number }[]): Promise<void> {
  for (const { id, addressId } of services) {
    await api.database.execute(sql`
      insert into notification_intents (service_id, event_id, address_id, account_id, group_id, notification_channel_id,
        notification_condition_id, address, facts, subject, status, attempts, error_message, created_at)
      select s.id, told.condition || ':1', a.id, s.owner_id, s.group_id, a.notification_channel_id, told.condition, a.address,
        '{}', told.subject, told.status, 1, told.error_message, ${new Date(api.clock.now() - 60_000)}
      from services s join notification_addresses a on a.id = ${addressId},
        (values ('failure', 'Sklep: awaria', 'sent', null), ('recovery', 'Sklep: działa', 'failed', '550 no such user'))
          as told (condition, subject, status, error_message)
      where s.id = ${id}`)
  }
}

/** Dora's objects as an administrator. */
async function furnishAdministration(api: ApiWorld, groupId: number): Promise<Readonly<Record<string, number>>> {
  const client = { client_id: 'dashboard-1', name: 'Dashboard', redirect_uris: ['https://dashboard.example.com/'] }
  const clientId = await create(api, 'dora', '/admin/oauth_clients', client)
  const { alice } = api.people.ids
  await api.database.execute(sql`
    insert into usage_counters (month, account_id, group_id, service_type_id, analyses, checks) values
      ('2026-11-01', ${alice}, ${groupId}, 'http', 100, 300), ('2026-11-01', ${alice}, ${groupId}, 'dns', 10, 30)`)
  await api.database.execute(sql`
    insert into usage_notifications (month, account_id, group_id, service_type_id, notification_channel_id, sent) values
      ('2026-11-01', ${alice}, ${groupId}, 'http', 'email', 4), ('2026-11-01', ${alice}, ${groupId}, '', 'sms', 1)`)
  return {
    'admin/accounts': api.people.ids.carol,
    'admin/packages': api.people.packageIds.free,
    'admin/oauth_clients': clientId,
    'admin/sensors': api.people.sensorIds[0] ?? 0,
  }
}

/** The last change that Alice made. */
async function furnishAudit({ database, people }: ApiWorld): Promise<Readonly<Record<string, number>>> {
  const [last] = await database.query<{ id: number }>(
    sql`select max(id) as id from audit_log where owner_id = ${people.ids.alice}`,
  )
  return { 'accounts/{_account_id}/logs/audit': last?.id ?? 0 }
}

/** A finished report of the shared service's hour; the document is as good as any for the interface. */
async function furnishReports(api: ApiWorld) {
  const template = {
    name: 'Sklep co tydzień',
    requested_scope: { services: { all: true } },
    description: 'Dla zarządu',
  }
  const report_templates = await create(api, 'alice', '/report_templates', template)
  const order = { template_id: report_templates, from: '2026-11-21T00:00:00Z', to: '2026-11-22T00:00:00Z' }
  const reports = await create(api, 'alice', '/reports', order)
  await makeReports(api)
  return { report_templates, reports }
}

async function defaultGroupOf(api: ApiWorld, person: Person): Promise<number> {
  const reply = await api.call(person, 'GET', '/groups/my_default_group?fields=id')
  return (reply.body as Created).id
}

export async function furnishedWorld(options: ApiWorldOptions = {}): Promise<FurnishedWorld> {
  const api = await apiWorld(options)
  // They report in however long a test lets time pass.
  await api.database.execute(sql`update sensors set last_seen_at = ${new Date(api.clock.now() + 86_400_000)}`)
  const groupIds = {
    shared: api.people.sharedGroupId,
    private: await create(api, 'alice', '/groups', { name: 'Prywatna' }),
    foreign: await defaultGroupOf(api, 'charlie'),
  }
  const http = { type_id: 'http', name: 'Sklep Łódź', address: 'shop.example.com/koszyk' }
  const serviceIds = {
    shared: await create(api, 'alice', '/services', { ...http, group_id: groupIds.shared }),
    private: await create(api, 'alice', '/services', {
      type_id: 'dns',
      name: 'Nazwy',
      address: 'ns1.example.com',
      group_id: groupIds.private,
      extended_settings: { query_name: 'example.com' },
    }),
    foreign: await create(api, 'charlie', '/services', { ...http, name: 'Obcy' }),
  }
  const address = (group_id: number, name: string) => ({
    address: `${name}@example.com`,
    notification_channel_id: 'email',
    group_id,
  })
  const addressIds = {
    shared: await create(api, 'alice', '/notification_addresses', address(groupIds.shared, 'Ops')),
    private: await create(api, 'alice', '/notification_addresses', address(groupIds.private, 'alice')),
    foreign: await create(api, 'charlie', '/notification_addresses', address(groupIds.foreign, 'charlie')),
  }
  const [alice, charlie] = [await logIn(api, 'alice'), await logIn(api, 'charlie')]
  await api.database.execute(sql`
    insert into user_settings (account_id, key, value) values (${api.people.ids.alice}, 'console.theme', '{"b":1,"a":[2]}')`)
  await furnishNotices(api, [
    { id: serviceIds.shared, addressId: addressIds.shared },
    { id: serviceIds.foreign, addressId: addressIds.foreign },
  ])
  const [notice] = await api.database.query<{ id: number }>(sql`
    select min(id) as id from notification_intents where account_id = ${api.people.ids.alice}`)
  const history = await furnishHistory(api, serviceIds.shared)
  await givenPasskey(api.database, api.people.ids.charlie)
  const byHand = {
    ...api,
    groupIds,
    serviceIds,
    addressIds,
    furtherIds: {
      ...(await furnishAdministration(api, groupIds.shared)),
      ...(await furnishReports(api)),
      'accounts/{_account_id}/logs/notifications': notice?.id ?? 0,
      ...(await furnishAudit(api)),
      passkeys: await givenPasskey(api.database, api.people.ids.alice),
      ...(await furnishOnCall(api, [serviceIds.shared, groupIds.shared], history.changeIds.failure)),
    },
    plannedIds: await furnishPlans(api, serviceIds.shared, groupIds.shared),
    sessionIds: { alice: alice.id, charlie: charlie.id },
    tokens: { alice: alice.token, charlie: charlie.token },
    history,
  }
  const deliveryIds = await givenDeliveries(api)
  const further = await furnishFromExamples(api, Object.keys(identifiers(byHand)))
  await assignTemplate(api, { ...byHand.furtherIds, ...further })
  // Few are left waiting, because the contract makes more.
  await api.database.execute(sql`update diagnostics set status = 'completed', lines = '{"1  192.0.2.1  0.3 ms"}'`)
  const tag_contacts = further['tags'] ?? 0
  const furnished = { ...byHand, deliveryIds, furtherIds: { ...byHand.furtherIds, ...further, tag_contacts } }
  return {
    ...furnished,
    fill: (path) => filled(path, furnished),
  }
}

/** Collections that look the same to everybody who is logged in. */
const everybodys = ['packages', 'service_types', 'sensors', 'error_types', 'dictionaries', 'default_templates']

export function isForEverybody(path: string): boolean {
  return everybodys.includes(path.split('/')[1] ?? '')
}

type Furniture = Omit<FurnishedWorld, 'fill' | 'deliveryIds'>

/** The values of `_id`, by the collection above it. */
function identifiers(furniture: Furniture) {
  const { people, serviceIds, groupIds, addressIds, plannedIds, sessionIds, furtherIds } = furniture
  return {
    accounts: people.ids.alice,
    user_data: people.ids.alice,
    sessions: sessionIds.alice,
    packages: people.packageIds.unlimited,
    groups: groupIds.shared,
    group_stats: groupIds.shared,
    services: serviceIds.shared,
    service_statuses: serviceIds.shared,
    notification_addresses: addressIds.shared,
    ...plannedIds,
    ...furtherIds,
    sensors: people.sensorIds[0],
    service_types: 'http',
    error_types: errorTypes[0].id,
    'dictionaries/notification_channels': channelIds[0],
    'dictionaries/template_variables': 'service.name',
    'dictionaries/contact_channels': channelIds[0],
    ...Object.fromEntries(Object.entries(dictionaries).map(([name, ids]) => [`dictionaries/${name}`, ids[0]])),
  }
}

function filled(path: string, furniture: Omit<FurnishedWorld, 'fill'>): string {
  const { history, people } = furniture
  const ids: Readonly<Record<string, unknown>> = identifiers(furniture)
  const others: Readonly<Record<string, unknown>> = {
    _analysis_id: history.failureId,
    _sensor_id: people.sensorIds[0],
    _change_id: history.changeIds.failure,
    _comment_id: history.commentId,
    _ping_id: history.pingId,
    _delivery_id: furniture.deliveryIds.get(Number(ids[path.split('/')[1] ?? ''])),
    _escalation_id: furniture.furtherIds['escalations'],
    _artifact_id: 'content',
    _report_id: furniture.furtherIds['reports'],
    _type_id: 'pdf',
    _service_type_id: 'http',
    file_name: 'file.pdf',
    year: 2026,
    month: 11,
    _key: 'console.theme',
    _channel_id: 'email',
    _language_id: 'en',
    // With whom a group is shared, or whose logs are read.
    _account_id: path.startsWith('/accounts/') ? people.ids.alice : people.ids.bob,
  }
  return path.replaceAll(/\{(\w+)\}/g, (_whole, name: string, at: number) => {
    const value = name === '_id' ? ids[path.slice(1, at - 1)] : others[name]
    if (value === undefined) throw new Error(`The furnished world does not know what ${name} is in ${path}.`)
    return String(value)
  })
}
