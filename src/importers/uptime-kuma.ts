import { Temporal } from 'temporal-polyfill'
import { registrableDomain } from '../domain/expiry/registration.ts'
import type { Draft, Item } from './draft.ts'
import type { DrawnLine, DrawnService } from './drawn.ts'
import type { Importer } from './importer.ts'
import { groupedBy, type Row } from './row.ts'
import { readKuma } from './uptime-kuma-files.ts'
import { othersLeftOut, tellPageLeftOut } from './uptime-kuma-left-out.ts'
import { kumaTarget } from './uptime-kuma-monitors.ts'
import { kumaAddresses } from './uptime-kuma-notifications.ts'
import { readTarget } from './web.ts'
import { dailyMaintenance } from './windows.ts'

/** Uptime Kuma: its database, versions 1 and 2, and the backup of version 1. */

interface Kuma {
  readonly draft: Draft
  readonly rows: (table: string) => readonly Row[]
  /** The rows of a table whose member has the value. */
  readonly linked: (table: string, member: string, value: string) => readonly Row[]
  readonly monitors: ReadonlyMap<string, Row>
  /** Keys by the numbers of the other monitor. */
  readonly services: Map<string, string>
  readonly contacts: Map<string, string>
  /** Domains whose end somebody hears of, with the contacts. */
  readonly domains: Map<string, Set<string>>
  readonly groupNames: Map<Row, string>
  /** The services in a group and in the groups below it. */
  readonly below: Map<string, readonly string[]>
}

/** Each table is gone through once for each of its members. */
function linksOf(rows: Kuma['rows']): Kuma['linked'] {
  const known = new Map<string, ReadonlyMap<string, readonly Row[]>>()
  return (table, member, value) => {
    const mark = `${table} ${member}`
    const found = known.get(mark) ?? groupedBy(rows(table), (row) => id(row, member))
    known.set(mark, found)
    return found.get(value) ?? []
  }
}

function id(row: Row, name = 'id'): string {
  return row.text(name) ?? ''
}

/** The setting's value; version 2 writes values as JSON. */
function settingOf(kuma: Kuma, key: string): string | null {
  return (
    kuma
      .linked('setting', 'key', key)[0]
      ?.text('value')
      ?.replace(/^"(.*)"$/s, '$1') ?? null
  )
}

const deepestGroup = 20

/** The monitors above a monitor, the nearest first. They are groups; a circle ends the way. */
function above(kuma: Kuma, monitor: Row): readonly Row[] {
  const way: Row[] = []
  for (let at = kuma.monitors.get(id(monitor, 'parent')); at !== undefined && !way.includes(at); ) {
    if (way.length === deepestGroup) break
    way.push(at)
    at = kuma.monitors.get(id(at, 'parent'))
  }
  return way
}

/** `Shop / Payments` */
function groupName(kuma: Kuma, group: Row): string {
  const name =
    kuma.groupNames.get(group) ??
    [group, ...above(kuma, group)]
      .map((one) => one.text('name') ?? '')
      .toReversed()
      .join(' / ')
  kuma.groupNames.set(group, name)
  return name
}

function toldBy(kuma: Kuma, item: Item, monitor: Row): readonly string[] {
  const linked = kuma.linked('monitor_notification', 'monitor_id', id(monitor))
  const found = linked.flatMap((row) => kuma.contacts.get(id(row, 'notification_id')) ?? [])
  if (found.length < linked.length) item.change('Some of its notifications are not carried; see there.')
  return found
}

function tagsOf({ draft, linked }: Kuma, monitor: Row): readonly string[] {
  return linked('monitor_tag', 'monitor_id', id(monitor)).flatMap((link) => {
    const [tag] = linked('tag', 'id', id(link, 'tag_id'))
    const value = link.text('value')
    const name = `${tag?.text('name') ?? ''}${value === null ? '' : `: ${value}`}`
    return draft.tag(name, tag?.text('color') ?? null) ?? []
  })
}

function readNotification({ draft, contacts }: Kuma, row: Row): void {
  const item = draft.item('notification', row.text('name'))
  if (!row.flag('active', true)) return void item.leave('It is switched off.')
  const addresses = kumaAddresses(draft, item, row.row('config'))
  if (typeof addresses === 'string') return void item.leave(addresses)
  const key = draft.contact(item, addresses)
  if (key !== null) contacts.set(id(row), key)
}

function readGroup(kuma: Kuma, group: Row): void {
  const item = kuma.draft.item('group', group.text('name'))
  const key = kuma.draft.group(groupName(kuma, group))
  const told = toldBy(kuma, item, group)
  if (told.length > 0) {
    item.change('Its notifications hear of the failure of each service in it, not of the group as a whole.')
    kuma.draft.amendGroup(key, { contact_ids: [...new Set(told)] })
  }
  const hasTags = kuma.linked('monitor_tag', 'monitor_id', id(group)).length > 0
  if (hasTags || group.has('description')) item.change('Its description and its tags are left out: a group has none.')
  item.become(`groups.${key}`)
}

const warned = ['https', 'https_ipv6', 'tls', 'websocket_tls']

/** Days before the end of a certificate on which Kuma tells people; none if it does not. */
function warningDays(kuma: Kuma, monitor: Row, typeId: string): Readonly<Record<string, unknown>> {
  if (!warned.includes(typeId)) return {}
  if (!monitor.flag('expiry_notification')) return { warning_days: [] }
  return daysOf(kuma, 'tlsExpiryNotifyDays')
}

function daysOf(kuma: Kuma, key: string): Readonly<Record<string, unknown>> {
  const days = (settingOf(kuma, key) ?? '').match(/\d+/g)?.map(Number) ?? []
  return days.length === 0 ? {} : { warning_days: days.toSorted((one, other) => other - one) }
}

function rememberDomain(kuma: Kuma, monitor: Row, contacts: readonly string[]): void {
  if (!monitor.flag('domain_expiry_notification') || !monitor.flag('active', true)) return
  const host = readTarget(monitor.text('url') ?? '')?.address ?? monitor.text('hostname') ?? ''
  const domain = registrableDomain(host.replace(/[:/?].*$/s, ''))
  if (domain === null) return
  const known = kuma.domains.get(domain) ?? new Set<string>()
  for (const contact of contacts) known.add(contact)
  kuma.domains.set(domain, known)
}

function readMonitor(kuma: Kuma, monitor: Row): void {
  const { draft, services } = kuma
  if (monitor.text('type') === 'group') return
  const item = draft.item('monitor', monitor.text('name'))
  const target = kumaTarget(draft, item, monitor)
  if (typeof target === 'string') return void item.leave(target)
  const groups = above(kuma, monitor)
  const contacts = toldBy(kuma, item, monitor)
  const interval = monitor.number('interval') ?? 60
  const group = groups[0]
  rememberDomain(kuma, monitor, contacts)
  const key = draft.service(item, {
    ...target,
    interval: target.type_id === 'heartbeat' ? null : interval,
    group_id: group === undefined ? undefined : draft.group(groupName(kuma, group)),
    is_active: [monitor, ...groups].every((one) => one.flag('active', true)),
    description: monitor.text('description'),
    extended_settings: { ...target.extended_settings, ...warningDays(kuma, monitor, target.type_id) },
    tags: tagsOf(kuma, monitor),
    contact_ids: contacts,
    toldAfterSeconds: retriesOf(monitor),
    ...remindersOf(item, monitor),
  })
  if (key !== null) services.set(id(monitor), key)
}

function retriesOf(monitor: Row): number {
  return (monitor.number('maxretries') ?? 0) * (monitor.number('retry_interval') || monitor.number('interval') || 60)
}

function remindersOf(item: Item, monitor: Row): Partial<DrawnService> {
  if ((monitor.number('resend_interval') ?? 0) <= 0) return {}
  item.change('Reminders of a lasting failure come at the times of Latarnik, at most five.')
  return { notification_condition_ids: ['failure', 'failure_continuation', 'recovery'] }
}

function readDomains(kuma: Kuma): void {
  const extended_settings = daysOf(kuma, 'domainExpiryNotifyDays')
  for (const [domain, contacts] of kuma.domains) {
    const item = kuma.draft.item('domain of monitors', domain)
    const drawn = { type_id: 'domain', address: domain, interval: 86_400, extended_settings }
    kuma.draft.service(item, { ...drawn, contact_ids: [...contacts] })
  }
}

/** A local time of a zone in Unix milliseconds; null: it cannot be read. */
function momentOf(text: string | null, zone: string): number | null {
  try {
    return Temporal.PlainDateTime.from((text ?? '').trim().replace(' ', 'T').replace(/Z$/, '')).toZonedDateTime(zone)
      .epochMilliseconds
  } catch {
    return null
  }
}

/** 0 and 7 are Sunday. */
const daysOfCron = [0, 1, 2, 3, 4, 5, 6, 7]

/** `15 4 * * 1-5` → its clock time and days; null: it is no cron line of days of the week. */
function weeklyCron(cron: string): { readonly start: string; readonly days: readonly string[] } | null {
  const [, minute = '', hour = '', days = ''] = /^(\d+)\s+(\d+)\s+\*\s+\*\s+(\*|[\d,-]+)$/.exec(cron.trim()) ?? []
  if (minute === '') return null
  const listed = days.split(',').flatMap((part) => {
    const [from = 0, to = from] = part.split('-').map(Number)
    return daysOfCron.filter((day) => day >= from && day <= to).map(String)
  })
  if (days !== '*' && listed.length === 0) return null
  return { start: `${hour}:${minute.padStart(2, '0')}`, days: days === '*' ? [] : listed }
}

function minutesBetween(from: string | null, to: string | null): number {
  const [start, end] = [from, to].map((text) => {
    const [hours = 0, minutes = 0] = (text ?? '').split(':').map(Number)
    return hours * 60 + minutes
  }) as [number, number]
  return (end - start + 1440) % 1440
}

function readMaintenance(kuma: Kuma, row: Row): void {
  const { draft, linked } = kuma
  const item = draft.item('maintenance', row.text('title'))
  const links = linked('monitor_maintenance', 'maintenance_id', id(row))
  const keys = links.flatMap((link) => servicesOf(kuma, id(link, 'monitor_id')))
  if (!row.flag('active', true)) return void item.leave('It is switched off.')
  if (keys.length === 0) return void item.leave('It concerns no service that was carried.')
  const zone = zoneOf(kuma, row)
  const strategy = row.text('strategy') ?? ''
  if (strategy === 'single') {
    const [startAt, endAt] = [momentOf(row.text('start_date'), zone), momentOf(row.text('end_date'), zone)]
    if (startAt === null || endAt === null) return void item.leave('Its start or its end cannot be read.')
    for (const key of keys) draft.suspension(item, key, { startAt, endAt })
    return
  }
  const window = windowOf(row, strategy)
  if (window === null)
    return void item.leave('Latarnik has suspensions of the week alone, and this comes back otherwise.')
  if (row.has('start_date') || row.has('end_date')) item.change('It has no first and no last day.')
  dailyMaintenance(draft, item, [...new Set(keys)], { ...window, zone })
}

function windowOf(row: Row, strategy: string) {
  const times = {
    start: row.text('start_time') ?? '',
    minutes: minutesBetween(row.text('start_time'), row.text('end_time')),
  }
  if (strategy === 'recurring-weekday') return { ...times, days: row.texts('weekdays') }
  if (strategy === 'recurring-interval') return row.number('interval_day') === 1 ? { ...times, days: [] } : null
  const cron = strategy === 'cron' ? weeklyCron(row.text('cron') ?? '') : null
  return cron === null ? null : { ...cron, minutes: (row.number('duration') ?? 0) / 60 }
}

function zoneOf(kuma: Kuma, row: Row): string {
  const own = row.text('timezone')
  return own === null || own === 'SAME_AS_SERVER' ? (settingOf(kuma, 'serverTimezone') ?? 'UTC') : own
}

/** The service of a monitor, or those below a group. */
function servicesOf(kuma: Kuma, monitorId: string): readonly string[] {
  const own = kuma.services.get(monitorId)
  if (own !== undefined) return [own]
  const found = kuma.below.get(monitorId) ?? allBelow(kuma, monitorId)
  kuma.below.set(monitorId, found)
  kuma.draft.step(found.length)
  return found
}

function allBelow(kuma: Kuma, groupId: string): readonly string[] {
  const found: string[] = []
  const groups = new Set(groupId === '' ? [] : [groupId])
  // The set grows while it is gone through.
  for (const group of groups) {
    for (const monitor of kuma.linked('monitor', 'parent', group)) {
      kuma.draft.step()
      groups.add(id(monitor))
      found.push(...[kuma.services.get(id(monitor)) ?? []].flat())
    }
  }
  return found
}

function weightOf(row: Row): number {
  return row.number('weight') ?? 0
}

/** The monitors below a heading, in their order, as services; what becomes of the others is told. */
function shownBelow(kuma: Kuma, item: Item, heading: Row): readonly string[] {
  const links = kuma.linked('monitor_group', 'group_id', id(heading))
  if (links.some((link) => link.has('custom_url'))) item.change('Addresses of its lines are left out.')
  const keys = links
    .toSorted((one, other) => weightOf(one) - weightOf(other))
    .flatMap((link) => {
      const monitor = kuma.monitors.get(id(link, 'monitor_id'))
      const found = servicesOf(kuma, id(link, 'monitor_id'))
      const name = monitor?.text('name') ?? 'of a monitor that is gone'
      if (found.length === 0) item.change(`The line ${name} is left out: no service is carried for it.`)
      else if (monitor?.text('type') === 'group')
        item.change(`The line ${name} becomes one of each service in the group.`)
      return found
    })
  return [...new Set(keys)]
}

function linesOf(kuma: Kuma, item: Item, page: Row): readonly DrawnLine[] {
  const headings = kuma.linked('group', 'status_page_id', id(page))
  return headings
    .toSorted((one, other) => weightOf(one) - weightOf(other))
    .flatMap((heading) =>
      shownBelow(kuma, item, heading).map((key) => ({
        ...{ name: kuma.draft.nameOf(key), under: heading.text('name') ?? undefined, service_id: key },
      })),
    )
}

function readPage(kuma: Kuma, page: Row): void {
  const item = kuma.draft.item('status page', page.text('title'))
  const isPublic = page.flag('published', true)
  if (!isPublic) item.change('It was not published: only those who are logged in see it.')
  tellPageLeftOut(item, page)
  const hasHost = kuma.linked('status_page_cname', 'status_page_id', id(page)).length > 0
  if (hasHost) item.change('Its own domain is left out; see host.')
  if (kuma.linked('incident', 'status_page_id', id(page)).length > 0)
    item.change('Its incidents are left out: a configuration holds none.')
  const description = page.text('description')
  kuma.draft.statusPage(item, {
    ...{ title: item.name, slug: page.text('slug') ?? item.name, is_indexed: page.flag('search_engine_index', true) },
    ...(description === null ? {} : { description: description.slice(0, 2000) }),
    ...(isPublic ? {} : { access: 'login' }),
    lines: linesOf(kuma, item, page),
  })
}

export const uptimeKuma: Importer = {
  kind: 'uptime-kuma',
  product: 'Uptime Kuma',
  files: 'kuma.db (SQLite), a dump of its MariaDB by `mariadb-dump --xml`, or the JSON backup of version 1',
  async read(inputs, draft) {
    for (const input of inputs) {
      const tables = await readKuma(input)
      const rows = (table: string) => tables.get(table) ?? []
      const monitors = new Map(rows('monitor').map((row) => [id(row), row]))
      const kuma: Kuma = {
        ...{ draft, rows, linked: linksOf(rows), monitors },
        ...{ services: new Map(), contacts: new Map(), domains: new Map() },
        ...{ groupNames: new Map(), below: new Map() },
      }
      for (const row of rows('notification')) readNotification(kuma, row)
      for (const monitor of monitors.values()) if (monitor.text('type') === 'group') readGroup(kuma, monitor)
      for (const monitor of monitors.values()) readMonitor(kuma, monitor)
      readDomains(kuma)
      for (const row of rows('maintenance')) readMaintenance(kuma, row)
      for (const page of rows('status_page')) readPage(kuma, page)
      const left = othersLeftOut(rows)
      if (left !== null) draft.note(left)
    }
  },
}
