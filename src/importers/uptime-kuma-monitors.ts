import { askedName, isPartOfRecord, recordPattern } from './dns-records.ts'
import type { Draft, Item } from './draft.ts'
import type { DrawnService } from './drawn.ts'
import { ownOf, type Row, textsOf } from './row.ts'
import { patternOf } from './texts.ts'
import { tellLeftOut } from './uptime-kuma-left-out.ts'
import { basicLogin, headerSettings, hostPort, jsonPathOf, readTarget } from './web.ts'

/** The types of monitors of Uptime Kuma as types of services. */

type Target = Pick<DrawnService, 'type_id' | 'address' | 'extended_settings'>
type Settings = Readonly<Record<string, unknown>>

/** A target, or the reason why there is none. */
type Reader = (draft: Draft, item: Item, monitor: Row) => Target | string

/** Seconds. */
const longestTimeout = 120

function timeoutOf(monitor: Row): Settings {
  const timeout = monitor.number('timeout') ?? 0
  return timeout > 0 ? { timeout: Math.round(Math.min(timeout, longestTimeout) * 1000) } : {}
}

/** Version 2 has a limit of its own for each echo. */
function replyTimeoutOf(monitor: Row): Settings {
  const seconds = monitor.number('ping_per_request_timeout')
  return seconds === null ? {} : { reply_timeout: Math.round(Math.min(seconds, longestTimeout) * 1000) }
}

function statusesOf(monitor: Row): string | null {
  const listed = monitor.texts('accepted_statuscodes_json')
  const codes = listed.length > 0 ? listed : monitor.texts('accepted_statuscodes')
  return codes.length === 0 ? null : codes.join(',')
}

const bodyTypes: Readonly<Record<string, string>> = {
  ...{ json: 'application/json', form: 'application/x-www-form-urlencoded', xml: 'text/xml; charset=utf-8' },
}

function headersOf(monitor: Row): readonly (readonly [string, string])[] {
  return textsOf(monitor.row('headers'))
}

/** The settings of a login; a text for one that has no counterpart. */
function loginOf(draft: Draft, name: string, monitor: Row): Settings | string {
  switch (monitor.text('auth_method')) {
    case 'basic':
      return basicLogin(draft, name, monitor.text('basic_auth_user'), monitor.text('basic_auth_pass'))
    case 'bearer':
      return { bearer_token: draft.secret(`${name} bearer token`, monitor.text('bearer_token')) }
    case 'oauth2-cc':
      return {
        oauth_token_url: monitor.text('oauth_token_url'),
        oauth_client_id: draft.secret(`${name} oauth client id`, monitor.text('oauth_client_id')),
        oauth_client_secret: draft.secret(`${name} oauth client secret`, monitor.text('oauth_client_secret')),
        oauth_scope: monitor.text('oauth_scopes'),
        ...(monitor.text('oauth_auth_method') === 'client_secret_post' ? { oauth_client_authentication: 'body' } : {}),
      }
    case 'mtls':
      return {
        client_certificate: monitor.text('tls_cert'),
        client_key: draft.secret(`${name} client key`, monitor.text('tls_key')),
      }
    case 'ntlm':
      return 'A login by NTLM has no counterpart.'
    default:
      return {}
  }
}

const operators: Readonly<Record<string, string>> = {
  ...{ '==': 'equals', '!=': 'not_equals', '<': 'less', '>': 'greater', contains: 'contains' },
}

function queryOf(item: Item, monitor: Row): Settings {
  const path = jsonPathOf(monitor.text('json_path') ?? '$')
  const operator = monitor.text('json_path_operator') ?? '=='
  const comparison = ownOf(operators, operator)
  if (path !== null && comparison !== undefined) {
    const value = monitor.text('expected_value') ?? ''
    return { assertions: [{ source: 'json', path, comparison, value }] }
  }
  const reason = path === null ? 'no JSONPath means the same' : `no comparison means the same as ${operator}`
  item.change(`Its JSON query ${monitor.text('json_path') ?? ''} is left out: ${reason}.`)
  return {}
}

function contentOf(item: Item, monitor: Row): Settings {
  if (monitor.text('type') === 'json-query') return queryOf(item, monitor)
  const value = monitor.text('keyword')
  if (monitor.text('type') !== 'keyword' || value === null) return {}
  const comparison = monitor.flag('invert_keyword') ? 'not_contains' : 'contains'
  return { assertions: [{ source: 'body', comparison, value }] }
}

const web: Reader = (draft, item, monitor) => {
  const target = readTarget(monitor.text('url') ?? '')
  if (target === null || (target.scheme !== 'http' && target.scheme !== 'https'))
    return 'Its address is no http or https.'
  const name = `${item.name} request`
  const login = loginOf(draft, name, monitor)
  if (typeof login === 'string') return login
  if (monitor.has('proxy_id')) item.change('It is checked without the proxy.')
  if (monitor.flag('cache_bust')) item.change('Nothing is added to its address against caches.')
  if (monitor.has('tls_ca')) item.change('Its own certificate authority is left out.')
  const headers = headerSettings(draft, name, headersOf(monitor))
  const body = monitor.text('body')
  const redirects = monitor.number('maxredirects') ?? 10
  const isOwnLogin = Object.keys(login).length === 0
  return {
    type_id: monitor.text('ip_family') === 'ipv6' ? `${target.scheme}_ipv6` : target.scheme,
    address: target.address,
    extended_settings: {
      ...timeoutOf(monitor),
      ...(monitor.text('method') === 'GET' ? {} : { http_method: monitor.text('method')?.toUpperCase() }),
      ...(body === null
        ? {}
        : { content: body, content_type: ownOf(bodyTypes, monitor.text('http_body_encoding') ?? 'json') }),
      ...(isOwnLogin ? basicLogin(draft, name, target.username, target.password) : {}),
      ...headers,
      ...login,
      accepted_statuses: statusesOf(monitor),
      ...(redirects === 0 ? { follow_redirects: false } : { maximum_redirects: Math.min(redirects, 20) }),
      ...(monitor.flag('ignore_tls') ? { verify_certificate: false } : {}),
      ...contentOf(item, monitor),
    },
  }
}

function hostOf(monitor: Row): string {
  return monitor.text('hostname') ?? ''
}

/** `postgres://reader:secret@db.example.com:5433/shop` as address and settings. */
function connection(draft: Draft, item: Item, monitor: Row, otherPassword: string | null = null) {
  const target = readTarget(monitor.text('database_connection_string') ?? '')
  const [authority = '', path = ''] = (target?.address ?? '').split(/\/(.*)/s)
  const [, host = authority, port = ''] = /^(\[[^\]]*\]|[^:,]*)(?::(\d+))?/.exec(authority) ?? []
  if (authority.includes(',')) item.change(`Only ${host} is checked of the hosts that it names.`)
  const [database = '', query = ''] = path.split(/\?(.*)/s)
  const password = target?.password ?? otherPassword
  return {
    scheme: target?.scheme ?? '',
    ...{ host, database, query: new URLSearchParams(query) },
    settings: {
      ...timeoutOf(monitor),
      ...(port === '' ? {} : { port: Number(port) }),
      ...basicLogin(draft, `${item.name} database`, target?.username ?? null, password),
    },
  }
}

function sql(typeId: string): Reader {
  return (draft, item, monitor) => {
    const other = typeId === 'mysql' ? monitor.text('radius_password') : null
    const { host, database, query, settings } = connection(draft, item, monitor, other)
    const wantsTls = /^(require|verify-ca|verify-full)$/.test(query.get('sslmode') ?? '')
    return {
      type_id: typeId,
      address: host,
      extended_settings: {
        ...settings,
        ...(wantsTls ? { tls: 'starttls', verify_certificate: query.get('sslmode') !== 'require' } : {}),
        ...(database === '' ? {} : { database: decodeURIComponent(database) }),
        query: monitor.text('database_query'),
      },
    }
  }
}

const redis: Reader = (draft, item, monitor) => {
  const { scheme, host, database, settings } = connection(draft, item, monitor)
  const tls =
    scheme === 'rediss' ? { tls: 'tls', ...(monitor.flag('ignore_tls') ? { verify_certificate: false } : {}) } : {}
  const number = /^\d+$/.test(database) ? { database_number: Number(database) } : {}
  return { type_id: 'redis', address: host, extended_settings: { ...settings, ...tls, ...number } }
}

const mongodb: Reader = (draft, item, monitor) => {
  const { scheme, host, database, query, settings } = connection(draft, item, monitor)
  if (scheme === 'mongodb+srv') return 'An address mongodb+srv names no host that could be checked.'
  if (monitor.has('database_query') || monitor.has('json_path'))
    item.change('Its command is left out: the login and the answer are checked.')
  const isTls = query.get('tls') === 'true' || query.get('ssl') === 'true'
  const authentication = query.get('authSource') ?? (database === '' ? null : database)
  const more = { ...(isTls ? { tls: 'tls' } : {}), authentication_database: authentication }
  return { type_id: 'mongodb', address: host, extended_settings: { ...settings, ...more } }
}

const recordTypes = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT', 'SOA', 'SRV', 'PTR', 'CAA']

/** One condition on a record as a pattern; others are left out with a note. */
function conditionOnRecord(item: Item, monitor: Row, type: string): Settings {
  const conditions = monitor.rows('conditions')
  const [only, ...others] = conditions
  if (only === undefined) return {}
  const value = patternOf(only.text('value') ?? '')
  const compared: Readonly<Record<string, string>> = {
    ...{ equals: value, contains: `.*${value}.*`, starts_with: `${value}.*`, ends_with: `.*${value}` },
  }
  const operator = only.text('operator') ?? ''
  const pattern = ownOf(compared, operator)
  if (others.length === 0 && only.text('variable') === 'record' && pattern !== undefined) {
    if (operator === 'contains' && !isPartOfRecord(type)) return { expected_answer_regex: value }
    const port = type === 'SRV' ? String.raw`\d+ ` : ''
    return { expected_answer_regex: recordPattern(type, `${port}${pattern}`) }
  }
  item.change('Its conditions are left out.')
  return {}
}

const dns: Reader = (_draft, item, monitor) => {
  const type = monitor.text('dns_resolve_type') ?? 'A'
  if (!recordTypes.includes(type)) return `Latarnik asks for no records ${type}.`
  const [server = '', ...others] = (monitor.text('dns_resolve_server') ?? '').split(',').map((one) => one.trim())
  if (others.length > 0) item.change(`Only ${server} is asked of its servers.`)
  const port = monitor.number('port')
  return {
    type_id: 'dns',
    address: server,
    extended_settings: {
      ...timeoutOf(monitor),
      ...{ query_name: askedName(hostOf(monitor), type), query_type: type },
      ...(port === null || port === 53 ? {} : { port }),
      ...conditionOnRecord(item, monitor, type),
    },
  }
}

const push: Reader = (_draft, item, monitor) => {
  item.change(
    'It gets a new address for its reports: ping_url of the service. Addresses like /api/push/ work there too.',
  )
  const grace = (monitor.number('maxretries') ?? 0) * (monitor.number('retry_interval') ?? 0)
  return { type_id: 'heartbeat', extended_settings: { period: monitor.number('interval'), grace } }
}

const mqtt: Reader = (draft, item, monitor) => {
  const [, scheme = 'mqtt', host = ''] = /^(?:([a-z]+):\/\/)?(.*)$/i.exec(hostOf(monitor)) ?? []
  if (scheme !== 'mqtt' && scheme !== 'mqtts') return `Latarnik speaks no MQTT over ${scheme}.`
  if (monitor.text('mqtt_check_type') === 'json-query') item.change('Its JSON query is left out: any message counts.')
  const message = monitor.text('mqtt_check_type') === 'json-query' ? null : monitor.text('mqtt_success_message')
  return {
    type_id: 'mqtt',
    address: host,
    extended_settings: {
      ...{ port: monitor.number('port'), topic: monitor.text('mqtt_topic') },
      ...(scheme === 'mqtts' ? { tls: 'tls' } : {}),
      ...basicLogin(draft, `${item.name} login`, monitor.text('mqtt_username'), monitor.text('mqtt_password')),
      ...(message === null ? {} : { expected_answer_regex: patternOf(message) }),
    },
  }
}

const snmp: Reader = (draft, item, monitor) => {
  if (monitor.text('snmp_version') === '3') return 'Latarnik speaks SNMP version 2c alone.'
  if (monitor.text('snmp_version') === '1') item.change('It is asked by version 2c.')
  const operator = monitor.text('json_path_operator') ?? '=='
  const isPlain = jsonPathOf(monitor.text('json_path') ?? '$') === '$' && operator !== 'contains'
  if (!isPlain) item.change('The comparison of its value is left out.')
  return {
    type_id: 'snmp',
    address: hostOf(monitor),
    extended_settings: {
      ...timeoutOf(monitor),
      ...{ port: monitor.number('port'), oid: monitor.text('snmp_oid') },
      community: draft.secret(`${item.name} community`, monitor.text('radius_password') ?? 'public'),
      ...(isPlain
        ? { comparison: operator === '==' ? '=' : operator, expected_value: monitor.text('expected_value') }
        : {}),
    },
  }
}

/** Kuma asks the management interface for alarms; so does a service of type https. */
const rabbitmq: Reader = (draft, item, monitor) => {
  const [node = '', ...others] = monitor.texts('rabbitmq_nodes')
  const target = readTarget(node)
  if (target === null) return 'It names no node.'
  if (others.length > 0) item.change(`Only ${target.address} is asked of its nodes; there one of them was enough.`)
  const login = basicLogin(
    draft,
    `${item.name} login`,
    monitor.text('rabbitmq_username'),
    monitor.text('rabbitmq_password'),
  )
  return {
    type_id: target.scheme === 'http' ? 'http' : 'https',
    address: `${target.address.replace(/\/?$/, '/')}api/health/checks/alarms/`,
    extended_settings: { ...timeoutOf(monitor), ...login, accepted_statuses: '200' },
  }
}

const smtp: Reader = (_draft, item, monitor) => {
  const [host, port] = [hostOf(monitor), monitor.number('port')]
  if (monitor.text('smtp_security') === 'secure') {
    item.change('The server is greeted by TLS alone, because nothing speaks SMTP within TLS from the first byte.')
    return { type_id: 'tls', address: hostPort(host, port), extended_settings: timeoutOf(monitor) }
  }
  const start = monitor.text('smtp_security') === 'starttls' ? { start_tls: true } : {}
  return { type_id: 'smtp_helo', address: host, extended_settings: { ...timeoutOf(monitor), port, ...start } }
}

const grpc: Reader = (_draft, item, monitor) => {
  if (!/(^|\.)Health$/.test(monitor.text('grpc_service_name') ?? '')) return 'Only the health service of gRPC is asked.'
  item.change('The server as a whole is asked for its health.')
  const tls = monitor.flag('grpc_enable_tls') ? { tls: 'tls' } : {}
  return {
    type_id: 'grpc',
    address: monitor.text('grpc_url') ?? '',
    extended_settings: { ...timeoutOf(monitor), ...tls },
  }
}

const websocket: Reader = (draft, item, monitor) => {
  const target = readTarget(monitor.text('url') ?? '')
  if (target === null || !/^wss?$/.test(target.scheme)) return 'Its address is no ws or wss.'
  if (monitor.has('ws_subprotocol')) item.change('Its subprotocol is left out.')
  const headers = headerSettings(draft, `${item.name} request`, headersOf(monitor))
  const settings = {
    ...timeoutOf(monitor),
    ...headers,
    ...(monitor.flag('ignore_tls') ? { verify_certificate: false } : {}),
  }
  return {
    type_id: target.scheme === 'ws' ? 'websocket' : 'websocket_tls',
    address: target.address,
    extended_settings: settings,
  }
}

const browser: Reader = (_draft, item, monitor) => {
  const target = readTarget(monitor.text('url') ?? '')
  if (target === null || !/^https?$/.test(target.scheme)) return 'Its address is no http or https.'
  if (monitor.has('remote_browser')) item.change('A browser of Latarnik loads it, not the remote one.')
  return { type_id: target.scheme === 'http' ? 'fullpage' : 'fullpagehttps', address: target.address }
}

const readers: Readonly<Record<string, Reader>> = {
  ...{ http: web, keyword: web, 'json-query': web, push, dns, mqtt, snmp, rabbitmq, smtp, redis, mongodb },
  ...{ postgres: sql('postgresql'), mysql: sql('mysql'), 'grpc-keyword': grpc, 'real-browser': browser },
  'websocket-upgrade': websocket,
  ping: (_draft, _item, monitor) => ({
    ...{ type_id: 'ping', address: hostOf(monitor) },
    extended_settings: { bytes_to_send: monitor.number('packet_size'), ...replyTimeoutOf(monitor) },
  }),
  port: (_draft, item, monitor) => {
    const alert = monitor.text('expected_tls_alert')
    if (alert !== null && alert !== 'none') return 'An expected alert of TLS has no counterpart.'
    if (monitor.has('smtp_security')) item.change('Its certificate is not looked at; see the type tls.')
    return {
      type_id: 'tcp_connect',
      address: hostPort(hostOf(monitor), monitor.number('port')),
      extended_settings: timeoutOf(monitor),
    }
  },
  ntp: (_draft, _item, monitor) => ({
    ...{ type_id: 'ntp', address: hostOf(monitor) },
    extended_settings: {
      ...{ port: monitor.number('port'), maximum_offset: monitor.number('ntp_time_offset_threshold') },
      // Kuma refuses the threshold itself.
      maximum_stratum: Math.max(1, (monitor.number('ntp_stratum_threshold') ?? 16) - 1),
    },
  }),
}

export function kumaTarget(draft: Draft, item: Item, monitor: Row): Target | string {
  const type = monitor.text('type') ?? ''
  const reader = ownOf(readers, type)
  if (reader === undefined) return `Latarnik has no check for the type ${type}.`
  if (monitor.flag('upside_down'))
    return 'It is upside down, which Latarnik does not know: it would tell of failures all the time.'
  tellLeftOut(item, monitor)
  const target = reader(draft, item, monitor)
  const timeout = monitor.number('timeout') ?? 0
  if (typeof target !== 'string' && target.extended_settings?.['timeout'] !== undefined && timeout > longestTimeout)
    item.change(`The timeout is ${longestTimeout} s instead of ${timeout} s.`)
  return target
}
