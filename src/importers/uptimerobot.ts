import type { ImportedAddress } from './address-check.ts'
import type { Draft, Item } from './draft.ts'
import type { DrawnService } from './drawn.ts'
import type { Importer } from './importer.ts'
import { ownOf, type Row, rowOf, textsOf } from './row.ts'
import { patternOf } from './texts.ts'
import { type Export, number, readInto, rows, text } from './uptimerobot-files.ts'
import { plainAddresses, vendorAddress } from './vendors.ts'
import { basicLogin, everyStatus, headerSettings, hostPort, readTarget, statusRanges } from './web.ts'
import { dailyMaintenance } from './windows.ts'

/** UptimeRobot: the answers of its API, versions 2 and 3, and tables of monitors as CSV. */

const types = ['', 'HTTP', 'KEYWORD', 'PING', 'PORT', 'HEARTBEAT']

/** `HTTP`, `KEYWORD` …; a number in version 2. */
function typeOf(monitor: Row): string {
  const written = text(monitor, 'type') ?? 'HTTP'
  return types[Number(written)] ?? written.toUpperCase().replace(/^HTTPS?(\(S\))?$/, 'HTTP')
}

const httpMethods = ['', 'HEAD', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

function methodOf(monitor: Row): string | null {
  const written = text(monitor, 'http_method', 'httpMethodType', 'httpmethod')
  return written === null ? null : (httpMethods[Number(written)] ?? written.toUpperCase())
}

/** `2xx`, `404`, `200-204` (version 3), `404:1_200:0` (version 2). */
function acceptedStatuses(monitor: Row): string | null {
  const listed = monitor.texts('successHttpResponseCodes')
  const codes = listed.flatMap((one) => {
    const [, from = '', to = from] =
      /^(\d{3})(?:-(\d{3}))?$/.exec(one.replace(/xx$/i, '00-').replace(/^(\d)00-$/, '$100-$199')) ?? []
    return from === '' ? [] : everyStatus.filter((status) => status >= Number(from) && status <= Number(to))
  })
  if (codes.length > 0) return statusRanges(new Set(codes))
  const marks = [...(monitor.text('custom_http_statuses') ?? '').matchAll(/(\d{3}):([01])/g)]
  if (marks.length === 0) return null
  const accepted = new Set(everyStatus.filter((status) => status >= 200 && status < 400))
  for (const [, code, isUp] of marks) {
    if (isUp === '1') accepted.add(Number(code))
    else accepted.delete(Number(code))
  }
  return statusRanges(accepted)
}

type Assertion = Readonly<Record<string, unknown>>

const comparisons: Readonly<Record<string, string>> = {
  ...{ equals: 'equals', not_equals: 'not_equals', contains: 'contains', not_contains: 'not_contains' },
  ...{ greater_than: 'greater', less_than: 'less', is_null: 'is_empty', is_not_null: 'is_not_empty' },
}

function assertionsOf(item: Item, monitor: Row): readonly Assertion[] {
  const assertions = monitor.row('config').row('apiAssertions')
  const [logic, checks] = [assertions.text('logic'), assertions.rows('checks')]
  if (logic === 'OR' && checks.length > 1) {
    item.change('Its assertions are left out: one of them was enough, here all must hold.')
    return []
  }
  return checks.map((check) => {
    const comparison = ownOf(comparisons, check.text('comparison') ?? '') ?? 'is_not_empty'
    const needsValue = !comparison.endsWith('empty')
    return {
      source: 'json',
      path: check.text('property'),
      comparison,
      ...(needsValue ? { value: check.members['target'] } : {}),
    }
  })
}

function keywordOf(monitor: Row): Readonly<Record<string, unknown>> {
  const keyword = text(monitor, 'keyword_value', 'keywordValue', 'keywordvalue', 'keyword')
  if (typeOf(monitor) !== 'KEYWORD' || keyword === null) return {}
  const kind = text(monitor, 'keyword_type', 'keywordType', 'keywordtype') ?? ''
  const failsIfFound = kind === '1' || /^(alert_)?exists$/i.test(kind)
  const isCaseSensitive = !/^(1|CaseInsensitive)$/i.test(text(monitor, 'keyword_case_type', 'keywordCaseType') ?? '1')
  return { [failsIfFound ? 'negative_content_regex' : 'content_regex']: patternOf(keyword, isCaseSensitive) }
}

function bodyOf(monitor: Row): Readonly<Record<string, unknown>> {
  const value = monitor.members['post_value'] ?? monitor.members['postValueData'] ?? null
  if (value === null || value === '') return {}
  const isRaw = typeof value === 'string'
  const isForm = /KEY_VALUE|^1$/i.test(text(monitor, 'post_type', 'postValueType') ?? '')
  if (isForm && !isRaw) {
    const content = new URLSearchParams(textsOf(rowOf(value)).map(([name, one]) => [name, one] as [string, string]))
    return { content: content.toString(), content_type: 'application/x-www-form-urlencoded' }
  }
  return {
    content: isRaw ? value : JSON.stringify(value),
    content_type: isForm ? 'application/x-www-form-urlencoded' : 'application/json',
  }
}

function headersOf(monitor: Row): readonly (readonly [string, string])[] {
  const headers = [monitor.row('custom_http_headers'), monitor.row('customHttpHeaders')]
  return headers.flatMap(textsOf)
}

function webSettings(draft: Draft, item: Item, monitor: Row): Readonly<Record<string, unknown>> {
  const name = `${item.name} request`
  const timeout = number(monitor, 'timeout')
  const authType = text(monitor, 'http_auth_type', 'authType') ?? ''
  const username = text(monitor, 'http_username', 'httpUsername')
  const password = text(monitor, 'http_password', 'httpPassword')
  if (/^(2|DIGEST)$/i.test(authType) && username !== null)
    item.change('The login is Basic, because Digest has no counterpart.')
  const login = /^BEARER$/i.test(authType)
    ? { bearer_token: draft.secret(`${name} bearer token`, password ?? username) }
    : basicLogin(draft, name, username, password)
  const ignoresFaults =
    monitor.flag('ignore_ssl_errors') || (monitor.has('checkSSLErrors') && !monitor.flag('checkSSLErrors'))
  const days = monitor.row('config').texts('sslExpirationPeriodDays').map(Number)
  return {
    ...(timeout === null ? {} : { timeout: timeout * 1000 }),
    http_method: methodOf(monitor),
    ...bodyOf(monitor),
    ...(authType.toUpperCase() === 'NONE' ? {} : login),
    ...headerSettings(draft, name, headersOf(monitor)),
    accepted_statuses: acceptedStatuses(monitor),
    ...(monitor.has('followRedirections') && !monitor.flag('followRedirections') ? { follow_redirects: false } : {}),
    ...(ignoresFaults ? { verify_certificate: false } : {}),
    ...(days.length > 0 ? { warning_days: days } : {}),
    ...((monitor.number('responseTimeThreshold') ?? 0) > 0
      ? { degraded_response_time: monitor.number('responseTimeThreshold') }
      : {}),
    ...keywordOf(monitor),
    ...(typeOf(monitor) === 'API' ? { assertions: assertionsOf(item, monitor) } : {}),
  }
}

type Target = Pick<DrawnService, 'type_id' | 'address' | 'extended_settings'>

function targetOf(draft: Draft, item: Item, monitor: Row): Target | string {
  const url = text(monitor, 'url', 'urlip', 'urlorip') ?? ''
  const target = readTarget(url)
  const host = (target?.address ?? url).replace(/[/?].*$/s, '')
  const port = number(monitor, 'port')
  switch (typeOf(monitor)) {
    case 'HTTP':
    case 'KEYWORD':
    case 'API':
      if (target !== null && target.scheme !== 'http' && target.scheme !== 'https')
        return `Latarnik has no check for ${target.scheme}.`
      return {
        type_id: target?.scheme ?? 'http',
        address: target?.address ?? url,
        extended_settings: webSettings(draft, item, monitor),
      }
    case 'PING':
      return { type_id: 'ping', address: host.replace(/:\d+$/, '') }
    case 'PORT':
      return { type_id: 'tcp_connect', address: hostPort(host.replace(/:\d+$/, ''), port ?? portOfSubType(monitor)) }
    case 'UDP': {
      const payload = monitor.row('config').row('udp').text('payload')
      return { type_id: 'udp', address: hostPort(host, port), extended_settings: { text_to_send: payload } }
    }
    case 'HEARTBEAT':
      item.change('It gets a new address for its reports: ping_url of the service.')
      return {
        type_id: 'heartbeat',
        extended_settings: {
          period: number(monitor, 'interval'),
          grace: number(monitor, 'gracePeriod', 'grace_period') ?? 0,
        },
      }
    case 'DNS':
      return 'A DNS service asks a server that it names, and the export names none.'
    default:
      return `Latarnik has no check for the type ${typeOf(monitor)}.`
  }
}

const ports = [0, 80, 443, 21, 25, 110, 143]

function portOfSubType(monitor: Row): number | null {
  return ports[number(monitor, 'sub_type') ?? 0] || null
}

type Contacts = ReadonlyMap<string, string>

const vendorsByNumber: Readonly<Record<string, string>> = {
  ...{ 1: 'sms', 2: 'email', 5: 'webhook', 8: 'sms', 9: 'pushover', 11: 'slack', 14: 'voice', 15: 'splunk' },
  ...{ 16: 'pagerduty', 17: 'opsgenie', 18: 'telegram', 20: 'msteams', 21: 'googlechat', 23: 'discord' },
}

const byUrl: Readonly<Record<string, string>> = {
  ...{ slack: 'slack', discord: 'discord', msteams: 'teams', googlechat: 'google_chat', mattermost: 'mattermost' },
}

function addressOf(draft: Draft, item: Item, contact: Row): readonly ImportedAddress[] | string {
  const written = text(contact, 'type') ?? ''
  const vendor = ownOf(vendorsByNumber, written) ?? written.toLowerCase().replaceAll(/[^a-z]/g, '')
  const value = text(contact, 'value', 'webhookURL', 'customValue')
  const { name } = item
  const channel = ownOf(byUrl, vendor)
  if (channel !== undefined) return [vendorAddress(draft, name, channel, { secret: { url: value } })]
  switch (vendor) {
    case 'email':
      return plainAddresses('email', value)
    case 'sms':
    case 'prosms':
      return plainAddresses('sms', value)
    case 'webhook':
      item.change('The request is that of Latarnik’s webhook, with its own body.')
      return [vendorAddress(draft, name, 'webhook', { plain: { url: value } })]
    case 'pagerduty':
      return [vendorAddress(draft, name, 'pagerduty', { secret: { routing_key: value } })]
    case 'opsgenie':
      return [vendorAddress(draft, name, 'opsgenie', { secret: { api_key: value } })]
    case 'pushover':
      item.change('It needs an application of your own at Pushover: set the variable of its token.')
      return [vendorAddress(draft, name, 'pushover', { plain: { user: value }, secret: { token: null } })]
    case 'telegram':
      item.change('It needs a bot of your own at Telegram: set the variable of its token.')
      return [vendorAddress(draft, name, 'telegram', { plain: { chat_id: value }, secret: { bot_token: null } })]
    default:
      return `Latarnik has no such channel: ${written}.`
  }
}

function readContacts(draft: Draft, found: readonly Row[]): Contacts {
  const keys = new Map<string, string>()
  for (const contact of found) {
    const item = draft.item('alert contact', text(contact, 'friendly_name', 'friendlyName', 'name', 'value'))
    const addresses = addressOf(draft, item, contact)
    if (typeof addresses === 'string') item.leave(addresses)
    const key = typeof addresses === 'string' ? null : draft.contact(item, addresses)
    if (key !== null) keys.set(contact.text('id') ?? '', key)
  }
  return keys
}

function toldOf(item: Item, monitor: Row, contacts: Contacts): Partial<DrawnService> {
  const assigned = rows(monitor, 'alert_contacts', 'assignedAlertContacts')
  const ids = assigned.map((one) => text(one, 'id', 'alertContactId') ?? '')
  const keys = ids.flatMap((id) => contacts.get(id) ?? [])
  if (keys.length < ids.length)
    item.change(`It names alert contacts that were not carried: ${ids.length - keys.length}.`)
  if (assigned.some((one) => (one.number('recurrence') ?? 0) > 0))
    item.change('Reminders of a lasting failure are left out; see failure_continuation.')
  const minutes = assigned.map((one) => one.number('threshold') ?? 0)
  return {
    contact_ids: keys,
    toldAfterSeconds: minutes.length === 0 ? 0 : minutes.reduce((least, one) => Math.min(least, one)) * 60,
  }
}

/** Seconds; a table may say `5 minutes`. */
function intervalOf(monitor: Row): number | null {
  const [, count = '', unit = ''] =
    /^([\d.]{1,15})\s{0,5}(\w{0,15})$/.exec(text(monitor, 'interval', 'monitoringinterval') ?? '') ?? []
  if (count === '') return null
  return Number(count) * (/^m/i.test(unit) ? 60 : /^h/i.test(unit) ? 3600 : 1)
}

function readMonitor(
  draft: Draft,
  monitor: Row,
  known: { contacts: Contacts; groups: ReadonlyMap<string, string> },
): string | null {
  const item = draft.item(
    'monitor',
    text(monitor, 'friendly_name', 'friendlyName', 'friendlyname', 'monitorname', 'name'),
  )
  const target = targetOf(draft, item, monitor)
  if (typeof target === 'string') {
    item.leave(target)
    return null
  }
  const group = known.groups.get(monitor.text('groupId') ?? '') ?? text(monitor, 'group')
  const tags = [
    ...monitor.rows('tags').map((tag) => [tag.text('name'), tag.text('color')] as const),
    ...monitor.texts('tags').map((name) => [name, null] as const),
  ]
  const isPaused = /^(0|paused)$/i.test(monitor.text('status') ?? '')
  return draft.service(item, {
    ...target,
    ...{ interval: target.type_id === 'heartbeat' ? null : intervalOf(monitor), is_active: !isPaused },
    group_id: group === null ? undefined : draft.group(group),
    tags: tags.flatMap(([name, color]) => draft.tag(name ?? '', color) ?? []),
    ...toldOf(item, monitor, known.contacts),
  })
}

const windowTypes = ['', 'once', 'daily', 'weekly', 'monthly']

function readWindow(draft: Draft, window: Row, services: ReadonlyMap<string, string>, of: readonly string[]): void {
  const item = draft.item('maintenance window', text(window, 'friendly_name', 'name'))
  const kind = window.text('interval') ?? windowTypes[number(window, 'type') ?? 0] ?? ''
  const keys = of.flatMap((id) => services.get(id) ?? [])
  const minutes = number(window, 'duration') ?? 0
  if (/^(0|paused)$/i.test(window.text('status') ?? '')) return void item.leave('It is paused.')
  if (keys.length === 0) return void item.leave('It concerns no service that was carried.')
  const start = text(window, 'start_time', 'time') ?? ''
  if (kind === 'once') {
    const startAt = /^\d{9,}$/.test(start) ? Number(start) * 1000 : Date.parse(`${window.text('date')}T${start}Z`)
    if (!Number.isFinite(startAt)) return void item.leave('Its start cannot be read.')
    if (!/^\d{9,}$/.test(start)) item.change('Its start is taken as UTC.')
    for (const key of keys) draft.suspension(item, key, { startAt, endAt: startAt + minutes * 60_000 })
    return
  }
  if (kind !== 'daily' && kind !== 'weekly') return void item.leave('Latarnik has no monthly suspensions.')
  const days =
    kind === 'daily'
      ? []
      : [...window.texts('days'), ...(window.text('value') ?? '').split('-')].filter((day) => day !== '')
  dailyMaintenance(draft, item, keys, { start, minutes, days, zone: null })
}

function readPage(draft: Draft, page: Row, services: ReadonlyMap<string, string>): void {
  const item = draft.item('status page', text(page, 'friendly_name', 'friendlyName'))
  const ids = [...page.texts('monitors'), ...page.texts('monitorIds')]
  const chosen = ids.length === 0 || ids.includes('0') ? [...services.keys()] : ids
  const keys = chosen.flatMap((id) => services.get(id) ?? [])
  if (page.flag('isPasswordSet'))
    item.change('Its password is not in the export: everybody may see the page until you set one.')
  if (page.has('customDomain') || page.has('custom_url')) item.change('Its own domain is left out; see host.')
  draft.statusPage(item, { title: item.name, lines: keys.map((key) => ({ name: draft.nameOf(key), service_id: key })) })
}

export const uptimerobot: Importer = {
  kind: 'uptimerobot',
  product: 'UptimeRobot',
  files:
    'answers of its API as JSON (monitors, alert contacts, maintenance windows, groups, status pages), or a table as CSV',
  async read(inputs, draft) {
    const found: Export = { monitors: [], contacts: [], windows: [], groups: [], pages: [] }
    for (const input of inputs) await readInto(input, found)
    const contacts = readContacts(draft, found.contacts)
    const groups = new Map(found.groups.map((group) => [group.text('id') ?? '', group.text('name') ?? '']))
    const services = new Map<string, string>()
    const windows = new Map(
      found.windows.map((window) => [window.text('id') ?? '', { window, of: new Set(window.texts('monitorIds')) }]),
    )
    for (const monitor of found.monitors) {
      const key = readMonitor(draft, monitor, { contacts, groups })
      const id = monitor.text('id') ?? ''
      if (key !== null) services.set(id, key)
      for (const window of rows(monitor, 'mwindows', 'maintenanceWindows')) {
        const known = windows.get(window.text('id') ?? '') ?? { window, of: new Set() }
        windows.set(window.text('id') ?? '', known)
        known.of.add(id)
      }
    }
    for (const { window, of } of windows.values()) readWindow(draft, window, services, [...of])
    for (const page of found.pages) readPage(draft, page, services)
  },
}
