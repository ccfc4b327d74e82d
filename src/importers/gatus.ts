import { FaultyConfiguration } from '../configuration/fault.ts'
import { registrableDomain } from '../domain/expiry/registration.ts'
import { isObject } from '../domain/input/json.ts'
import { escapedText } from '../domain/text/escaped-bytes.ts'
import { askedName } from './dns-records.ts'
import type { Draft, Item } from './draft.ts'
import type { DrawnService, Members } from './drawn.ts'
import { readDuration } from './durations.ts'
import { conditionSettings } from './gatus-conditions.ts'
import { providers } from './gatus-providers.ts'
import type { Importer } from './importer.ts'
import { type Input, readRow } from './input.ts'
import { groupedBy, ownOf, type Row, rowOf, textsOf } from './row.ts'
import { basicLogin, headerSettings, readTarget, type WebTarget } from './web.ts'
import { dailyMaintenance } from './windows.ts'

/** The configuration of Gatus: endpoints, external endpoints, alerting, maintenance. */

const usualInterval = 60
const usualFailures = 3

/** Gatus puts the environment into the whole file: `${NAME}` and `$NAME`; `$$` is a dollar. */
function withEnvironment(value: unknown, draft: Draft): unknown {
  if (typeof value === 'string') {
    return value.replaceAll(/\$\$|\$\{(\w+)\}|\$([A-Za-z_]\w*)/g, (whole, braced?: string, bare?: string) => {
      if (whole === '$$') return '$'
      const name = braced ?? bare ?? ''
      const put = ownOf(draft.options.environment, name) ?? `\${${name}}`
      draft.step(put.length)
      return put
    })
  }
  if (Array.isArray(value)) return value.map((element: unknown) => withEnvironment(element, draft))
  if (!isObject(value)) return value
  const members = Object.entries(value).map(([name, member]) => [name, withEnvironment(member, draft)] as const)
  return Object.fromEntries(members)
}

function seconds(row: Row, name: string): number | null {
  const length = readDuration(row.text(name) ?? '')
  return length === null ? null : length / 1000
}

/** The contacts of the alerts of one file, made at their first use. */
class Alerting {
  /** Contacts by their settings, and by the shorter marks from which their settings follow. */
  private readonly known = new Map<string, string | null>()
  private readonly marked = new Map<string, string>()
  private readonly overrides = new Map<string, ReadonlyMap<string | null, readonly Row[]>>()

  private readonly draft: Draft
  private readonly alerting: Row

  constructor(draft: Draft, alerting: Row) {
    this.draft = draft
    this.alerting = alerting
  }

  contactsOf(item: Item, alerts: readonly Row[], group: string | null): readonly string[] {
    return alerts.flatMap((alert) => {
      const type = alert.text('type') ?? ''
      const mark = this.markOf(type, alert, group)
      if (!this.known.has(mark)) this.known.set(mark, this.make(type, this.settingsOf(type, alert, group), group))
      const key = this.known.get(mark) ?? null
      if (key === null) item.change(`Nobody is told through ${type}.`)
      return key ?? []
    })
  }

  /** The provider's settings, with those of the group and of the alert over them. */
  private settingsOf(type: string, alert: Row, group: string | null): Row {
    const { overrides: _own, 'default-alert': _usual, ...usual } = this.alerting.row(type).members
    const own = this.ofGroup(type, group)
    return rowOf({ ...usual, ...own?.members, group: undefined, ...alert.row('provider-override').members })
  }

  /** The provider's settings for a group, where it has some. */
  private ofGroup(type: string, group: string | null): Row | undefined {
    const known = this.overrides.get(type)
    const all = known ?? groupedBy(this.alerting.row(type).rows('overrides'), (one) => one.text('group'))
    if (known === undefined) this.overrides.set(type, all)
    return all.get(group)?.[0]
  }

  /** The same for the same settings, which may be long: they are written once for all alerts that say the same. */
  private markOf(type: string, alert: Row, group: string | null): string {
    const own = this.ofGroup(type, group) === undefined ? null : [group]
    const short = JSON.stringify([type, own, alert.row('provider-override').members])
    const known = this.marked.get(short)
    if (known !== undefined) return known
    const mark = JSON.stringify([type, this.settingsOf(type, alert, group).members])
    this.draft.step(mark.length)
    this.marked.set(short, mark)
    return mark
  }

  private make(type: string, settings: Row, group: string | null): string | null {
    const name = this.ofGroup(type, group) === undefined ? type : `${type} ${group}`
    const item = this.draft.item('alerting provider', name)
    const provider = ownOf(providers, type)
    if (provider === undefined) {
      item.leave('Latarnik has no such channel; a webhook may do the same.')
      return null
    }
    if (type === 'custom')
      item.change('The request is that of Latarnik’s webhook: its own body, and no headers of Gatus.')
    return this.draft.contact(item, provider(this.draft, name, settings))
  }

  /** The alert with the defaults of its provider. */
  completed(alert: Row): Row {
    const usual = this.alerting.row(alert.text('type') ?? '').row('default-alert')
    return rowOf({ ...usual.members, ...alert.members })
  }
}

const schemes: Readonly<Record<string, string>> = {
  ...{ http: 'http', https: 'https', tcp: 'tcp_connect', udp: 'udp', tls: 'tls', starttls: 'tls', icmp: 'ping' },
  ...{ ws: 'websocket', wss: 'websocket_tls', ssh: 'ssh', grpc: 'grpc', grpcs: 'grpc' },
}

function typeOf(scheme: string, endpoint: Row): string | undefined {
  return endpoint.has('dns') ? 'dns' : ownOf(schemes, scheme)
}

/** Settings that follow from the endpoint itself, before its conditions. */
function settingsOf(draft: Draft, item: Item, endpoint: Row, target: WebTarget): Readonly<Record<string, unknown>> {
  const { scheme } = target
  const client = endpoint.row('client')
  const timeout = readDuration(client.text('timeout') ?? '10s')
  const type = typeOf(scheme, endpoint)
  const verifies = client.flag('insecure') ? { verify_certificate: false } : {}
  const dns = endpoint.row('dns')
  for (const name of ['proxy-url', 'dns-resolver', 'identity-aware-proxy', 'tls', 'tunnel'])
    if (client.has(name)) item.change(`client.${name} has no counterpart.`)
  if (type === 'ping') return { reply_timeout: timeout }
  const usual = {
    timeout,
    ...(type === 'ssh' || type === 'dns' || type === 'udp' || type === 'tcp_connect' ? {} : verifies),
  }
  if (type === 'dns') {
    const [name, recordType] = [dns.text('query-name'), dns.text('query-type')]
    return { timeout, query_name: name === null ? null : askedName(name, recordType ?? 'A'), query_type: recordType }
  }
  if (type === 'tls') return { ...usual, ...(scheme === 'starttls' ? { starttls: 'smtp' } : {}) }
  if (type === 'grpc') return { ...usual, tls: scheme === 'grpcs' ? 'tls' : 'off' }
  if (type === 'ssh' && endpoint.has('ssh')) item.change('Nobody logs in: only the banner of the server is read.')
  if (type === 'websocket' || type === 'websocket_tls' || type === 'udp')
    return { ...usual, ...(endpoint.has('body') ? { text_to_send: escapedText(endpoint.text('body') ?? '') } : {}) }
  return type === 'http' || type === 'https' ? { ...usual, ...webSettings(draft, item, endpoint, target) } : usual
}

function webSettings(draft: Draft, item: Item, endpoint: Row, target: WebTarget): Readonly<Record<string, unknown>> {
  const client = endpoint.row('client')
  const body = endpoint.text('body')
  const oauth = client.row('oauth2')
  const name = `${item.name} request`
  const login = headerSettings(draft, name, textsOf(endpoint.row('headers')))
  const isLoggedIn = login.bearer_token !== undefined || login.username !== undefined || oauth.has('token-url')
  const scopes = oauth.texts('scopes').join(' ')
  return {
    ...(endpoint.has('method') ? { http_method: endpoint.text('method')?.toUpperCase() } : {}),
    ...(body === null ? {} : { content: endpoint.flag('graphql') ? JSON.stringify({ query: body }) : body }),
    ...(endpoint.flag('graphql') ? { content_type: 'application/json' } : {}),
    ...(client.flag('ignore-redirect') ? { follow_redirects: false } : {}),
    ...(isLoggedIn ? {} : basicLogin(draft, name, target.username, target.password)),
    ...login,
    ...(oauth.has('token-url')
      ? {
          oauth_token_url: oauth.text('token-url'),
          oauth_client_id: draft.secret(`${name} oauth client id`, oauth.text('client-id')),
          oauth_client_secret: draft.secret(`${name} oauth client secret`, oauth.text('client-secret')),
          ...(scopes === '' ? {} : { oauth_scope: scopes }),
        }
      : {}),
  }
}

function toldOf(alerts: readonly Row[], interval: number): Partial<DrawnService> {
  if (alerts.length === 0) return {}
  const thresholds = alerts.map((alert) => alert.number('failure-threshold') ?? usualFailures)
  const failures = thresholds.reduce((least, one) => Math.min(least, one))
  const tellsEnds = alerts.some((alert) => alert.flag('send-on-resolved'))
  const reminds = alerts.some((alert) => readDuration(alert.text('minimum-reminder-interval') ?? '') !== null)
  const usual = tellsEnds && !reminds
  const events = ['failure', ...(reminds ? ['failure_continuation'] : []), ...(tellsEnds ? ['recovery'] : [])]
  return {
    toldAfterSeconds: (failures - 1) * interval,
    ...(usual ? {} : { notification_condition_ids: events }),
  }
}

function labelsOf(draft: Draft, endpoint: Row): readonly string[] {
  return textsOf(endpoint.row('extra-labels')).flatMap(([name, value]) => draft.tag(`${name}: ${value}`) ?? [])
}

function readEndpoint(draft: Draft, alerting: Alerting, endpoint: Row): string | null {
  const item = draft.item('endpoint', endpoint.text('name'))
  const url = endpoint.text('url') ?? ''
  const [variable] = /\$\{\w+\}/.exec(url) ?? []
  if (variable !== undefined) {
    item.leave(`${variable} of its address is not set here; set it and import again.`)
    return null
  }
  const target = readTarget(endpoint.has('dns') && !url.includes('://') ? `dns://${url}` : url)
  const type = target === null ? undefined : typeOf(target.scheme, endpoint)
  if (target === null || type === undefined) {
    item.leave(`Latarnik has no check for ${target?.scheme ?? url}.`)
    return null
  }
  const interval = seconds(endpoint, 'interval') ?? usualInterval
  const group = endpoint.text('group')
  const alerts = endpoint
    .rows('alerts')
    .map((alert) => alerting.completed(alert))
    .filter((alert) => alert.flag('enabled', true))
  const [host = '', port] = type === 'dns' || type === 'ssh' ? splitPort(target.address) : [target.address]
  const recordType = endpoint.row('dns').text('query-type') ?? ''
  const conditions = conditionSettings(item, { typeId: type, recordType }, endpoint.texts('conditions'))
  watchDomain(draft, item, conditions.domainDays, { host: target.address, group })
  return draft.service(item, {
    ...{ type_id: type, address: host.replace(/\/$/, type === 'http' || type === 'https' ? '/' : ''), interval },
    ...{ is_active: endpoint.flag('enabled', true), group_id: group === null ? undefined : draft.group(group) },
    extended_settings: {
      ...settingsOf(draft, item, endpoint, target),
      ...(port === undefined ? {} : { port }),
      ...conditions.settings,
    },
    tags: labelsOf(draft, endpoint),
    contact_ids: alerting.contactsOf(item, alerts, group),
    ...toldOf(alerts, interval),
  })
}

/** `ns1.example.com:5353` → the host and its port. */
function splitPort(address: string): readonly [string, number?] {
  const [, host = address, port] = /^(.*?)(?::(\d+))?$/.exec(address) ?? []
  return port === undefined ? [host] : [host, Number(port)]
}

function watchDomain(
  draft: Draft,
  item: Item,
  days: number | null,
  { host, group }: { host: string; group: string | null },
): void {
  if (days === null) return
  const domain = registrableDomain(splitPort(host.replace(/[/?].*$/s, ''))[0])
  if (domain === null) return void item.change('The end of the domain is not watched: its address has none.')
  const own = draft.item('domain of an endpoint', `${item.name} – domain`)
  item.change(`The end of ${domain} is watched by a service of its own, which warns and does not fail.`)
  draft.service(own, {
    ...{ type_id: 'domain', address: domain, interval: 86_400, extended_settings: { warning_days: [days] } },
    group_id: group === null ? undefined : draft.group(group),
  })
}

function readExternal(draft: Draft, alerting: Alerting, endpoint: Row): string | null {
  const item = draft.item('external endpoint', endpoint.text('name'))
  const group = endpoint.text('group')
  const interval = seconds(endpoint.row('heartbeat'), 'interval')
  if (interval === null) item.change('Gatus waited for no report; Latarnik expects one each day.')
  item.change('It gets a new address for its reports: ping_url of the service.')
  const alerts = endpoint
    .rows('alerts')
    .map((alert) => alerting.completed(alert))
    .filter((alert) => alert.flag('enabled', true))
  return draft.service(item, {
    ...{ type_id: 'heartbeat', is_active: endpoint.flag('enabled', true) },
    group_id: group === null ? undefined : draft.group(group),
    extended_settings: { period: interval ?? 86_400, grace: interval === null ? 3600 : 0 },
    contact_ids: alerting.contactsOf(item, alerts, group),
  })
}

/** Times in which Gatus checks and tells nobody. */
function readMaintenance(draft: Draft, window: Row, services: readonly string[]): void {
  if (!window.has('start') || !window.flag('enabled', true)) return
  const item = draft.item('maintenance', `Maintenance from ${window.text('start')}`)
  dailyMaintenance(draft, item, services, {
    ...{ start: window.text('start') ?? '', minutes: (seconds(window, 'duration') ?? 0) / 60 },
    ...{ days: window.texts('every'), zone: window.text('timezone') },
    more: { only_notifications: true },
  })
}

export const gatus: Importer = {
  kind: 'gatus',
  product: 'Gatus',
  files: 'the YAML files of its configuration; they may share endpoints and alerting',
  async read(inputs, draft) {
    const documents = await Promise.all(inputs.map((input) => readDocument(input, draft)))
    const parts = documents.map(rowOf)
    if (!parts.some((part) => holding.some((name) => part.has(name)))) throw nothingIn(inputs)
    const alerting = new Alerting(draft, rowOf(parts.map((part) => part.row('alerting').members).reduce(merged, {})))
    const services: string[] = []
    for (const part of parts) {
      const made = [
        ...part.rows('endpoints').map((endpoint) => [endpoint, readEndpoint(draft, alerting, endpoint)] as const),
        ...part
          .rows('external-endpoints')
          .map((endpoint) => [endpoint, readExternal(draft, alerting, endpoint)] as const),
      ]
      for (const [endpoint, key] of made) {
        if (key === null) continue
        services.push(key)
        for (const window of endpoint.rows('maintenance-windows')) readMaintenance(draft, window, [key])
      }
      for (const suite of part.rows('suites')) {
        draft.item('suite', suite.text('name')).leave('Endpoints that pass values to each other have no counterpart.')
      }
      if (part.has('remote')) draft.note('The instances under remote are left out; import their own files.')
    }
    for (const part of parts) readMaintenance(draft, part.row('maintenance'), services)
  },
}

const holding = ['endpoints', 'external-endpoints', 'alerting', 'suites', 'remote', 'maintenance']
/** Settings of Gatus itself, which often have a file of their own. */
const ofItself = [
  ...[
    'debug',
    'metrics',
    'skip-invalid-config-update',
    'disable-monitoring-lock',
    'concurrency',
    'security',
    'storage',
  ],
  ...['web', 'ui', 'connectivity', 'tunneling', 'announcements'],
]

function nothingIn(inputs: readonly Input[]): FaultyConfiguration {
  const message = `This is no configuration of Gatus: it has none of ${holding.join(', ')}.`
  const faults = inputs.map(({ path: file }) => ({ place: { file, line: 1, column: 1 }, pointer: '', message }))
  return new FaultyConfiguration(faults)
}

async function readDocument(input: Input, draft: Draft): Promise<unknown> {
  const { members } = await readRow(input)
  if (![...holding, ...ofItself].some((name) => Object.hasOwn(members, name))) throw nothingIn([input])
  return withEnvironment(members, draft)
}

/** Gatus puts its files together in this way: maps member by member, lists one behind the other. */
function merged(one: Members, other: Members): Members {
  const both = Object.entries(other).map(([name, value]) => {
    const before = Object.hasOwn(one, name) ? one[name] : undefined
    if (isObject(before) && isObject(value)) return [name, merged(before, value)] as const
    return [name, Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value] as const
  })
  return { ...one, ...Object.fromEntries(both) }
}
