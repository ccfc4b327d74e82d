import { isCronLine } from '../domain/cron.ts'
import { readTimeZone } from '../domain/time-zones.ts'
import type { Address } from './address-check.ts'
import type { Draft, Item } from './draft.ts'
import type { Importer } from './importer.ts'
import { faulty, type Input, readValue } from './input.ts'
import { type Row, rowOf } from './row.ts'
import { plainAddresses, vendorAddress } from './vendors.ts'

/** Healthchecks: the answers of its management API, or its database by `manage.py dumpdata`. */

interface Account {
  readonly checks: Row[]
  readonly channels: Row[]
  /** Names by number; the API tells none. */
  readonly projects: Map<string, string>
}

const models: Readonly<Record<string, (row: Row, into: Account) => void>> = {
  'api.check': (row, into) => into.checks.push(row),
  'api.channel': (row, into) => into.channels.push(row),
  'accounts.project': (row, into) => into.projects.set(row.text('pk') ?? '', row.text('name') ?? ''),
}

async function readInto(input: Input, into: Account): Promise<void> {
  const value = await readValue(input)
  const before = into.checks.length + into.channels.length
  for (const part of [value].flat().map(rowOf)) {
    const model = models[part.text('model')?.toLowerCase() ?? '']
    model?.(rowOf({ ...part.row('fields').members, pk: part.text('pk') }), into)
    into.checks.push(...part.rows('checks'))
    into.channels.push(...part.rows('channels'))
  }
  if (into.checks.length + into.channels.length > before) return
  throw faulty(
    input.path,
    'Nothing of Healthchecks is in it: expected answers of /api/v3/checks/, or a dump by dumpdata.',
  )
}

/** Seconds: a number of the API, `P1DT02H03M04S` of a dump. */
function secondsOf(row: Row, name: string): number | null {
  const number = row.number(name)
  if (number !== null) return number
  const [, days = 0, hours = 0, minutes = 0, seconds = 0] =
    /^P(\d+)DT(\d+)H(\d+)M(\d+)(?:\.\d+)?S$/.exec(row.text(name) ?? '')?.map(Number) ?? []
  return row.has(name) ? ((days * 24 + hours) * 60 + minutes) * 60 + seconds : null
}

/** A value of a channel is a text, or JSON with more. */
function urlOf(value: Row, written: string): string | null {
  const vendor = value.row('webhook').text('url') ?? value.row('incoming_webhook').text('url')
  return vendor ?? value.text('url') ?? (written.startsWith('{') ? null : written)
}

interface Value {
  readonly written: string
  readonly row: Row
}

type Reader = (draft: Draft, item: Item, value: Value) => Address | readonly Address[]

function byUrl(channel: string): Reader {
  return (draft, { name }, { written, row }) =>
    vendorAddress(draft, name, channel, { secret: { url: urlOf(row, written) } })
}

function plain(channel: string): Reader {
  return (_draft, _item, { written, row }) => plainAddresses(channel, row.text('value') ?? written)
}

const readers: Readonly<Record<string, Reader>> = {
  ...{ slack: byUrl('slack'), discord: byUrl('discord'), msteams: byUrl('teams'), msteamsw: byUrl('teams') },
  ...{ mattermost: byUrl('mattermost'), googlechat: byUrl('google_chat'), rocketchat: byUrl('rocket_chat') },
  ...{ email: plain('email'), sms: plain('sms') },
  webhook: (draft, item, { row }) => {
    item.change('The request is that of Latarnik’s webhook, with its own body; its headers are left out.')
    return vendorAddress(draft, item.name, 'webhook', { plain: { url: row.text('url_down') ?? row.text('url_up') } })
  },
  telegram: (draft, item, { row }) => {
    item.change('It needs a bot of your own at Telegram: set the variable of its token.')
    const plain = { chat_id: row.text('id'), thread_id: row.number('thread_id') }
    return vendorAddress(draft, item.name, 'telegram', { plain, secret: { bot_token: null } })
  },
  pd: (draft, { name }, { written, row }) =>
    vendorAddress(draft, name, 'pagerduty', { secret: { routing_key: row.text('service_key') ?? written } }),
  opsgenie: (draft, { name }, { written, row }) =>
    vendorAddress(draft, name, 'opsgenie', {
      plain: { region: row.text('region') },
      secret: { api_key: row.text('key') ?? written },
    }),
  ntfy: (draft, { name }, { row }) =>
    vendorAddress(draft, name, 'ntfy', {
      plain: { server: row.text('url'), topic: row.text('topic') },
      ...(row.has('token') ? { secret: { token: row.text('token') } } : {}),
    }),
  gotify: (draft, { name }, { row }) =>
    vendorAddress(draft, name, 'gotify', { plain: { server: row.text('url') }, secret: { token: row.text('token') } }),
  po: (draft, item, { written }) => {
    item.change('It needs an application of your own at Pushover: set the variable of its token.')
    const user = written.replace(/\|.*$/, '')
    return vendorAddress(draft, item.name, 'pushover', { plain: { user }, secret: { token: null } })
  },
  zulip: (draft, { name }, { row }) =>
    vendorAddress(draft, name, 'zulip', {
      plain: { site: row.text('site'), email: row.text('bot_email'), stream: row.text('to') },
      secret: { api_key: row.text('api_key') },
    }),
}

function addressesOf(draft: Draft, item: Item, channel: Row): readonly Address[] | string {
  const kind = channel.text('kind') ?? ''
  const written = channel.text('value')
  if (written === null) return 'The API does not tell where it goes; a dump by `manage.py dumpdata` does.'
  const reader = Object.hasOwn(readers, kind) ? readers[kind] : undefined
  if (reader === undefined) return `Latarnik has no such channel: ${kind}.`
  return [reader(draft, item, { written, row: channel.row('value') })].flat()
}

/** Keys of contacts, by the code and the number of the channel. */
function readChannels(draft: Draft, { channels }: Account): ReadonlyMap<string, string> {
  const keys = new Map<string, string>()
  for (const channel of channels) {
    const value = channel.row('value').text('value') ?? channel.text('kind')
    const item = draft.item('integration', channel.text('name') ?? value)
    const addresses = channel.flag('disabled') ? 'It is switched off.' : addressesOf(draft, item, channel)
    if (typeof addresses === 'string') item.leave(addresses)
    const key = typeof addresses === 'string' ? null : draft.contact(item, addresses)
    if (key === null) continue
    for (const name of ['id', 'code', 'pk']) if (channel.has(name)) keys.set(channel.text(name) ?? '', key)
  }
  return keys
}

/** The contacts that hear of a check: it names them in the API, they name it in a dump. */
function contactsOf(
  item: Item,
  check: Row,
  { channels }: Account,
  keys: ReadonlyMap<string, string>,
): readonly string[] {
  const named = (check.text('channels') ?? '').split(',').filter((code) => code !== '')
  const naming = channels
    .filter((channel) => check.has('pk') && channel.texts('checks').includes(check.text('pk') ?? ''))
    .map((channel) => channel.text('pk') ?? '')
  const found = [...named, ...naming].flatMap((code) => keys.get(code) ?? [])
  if (found.length < named.length + naming.length) item.change('Some of its integrations are not carried; see there.')
  return found
}

/** The settings of its rhythm, or the reason why it has no counterpart. */
function rhythmOf(check: Row): Readonly<Record<string, unknown>> | string {
  const grace = secondsOf(check, 'grace') ?? 3600
  const isSimple = check.text('kind') === 'simple'
  const schedule = isSimple ? null : check.text('schedule')
  if (schedule === null) return { period: secondsOf(check, 'timeout') ?? 86_400, grace }
  if (!isCronLine(schedule)) return `The schedule ${schedule} is no cron line of five fields.`
  const zone = readTimeZone(check.text('tz') ?? 'UTC')
  return zone === undefined
    ? `Its time zone ${check.text('tz')} is not known.`
    : { cron: schedule, time_zone: zone, grace }
}

const filters = ['filter_subject', 'filter_body', 'filter_http_body', 'filter_default_fail']
const words = ['start_kw', 'success_kw', 'failure_kw', 'subject', 'subject_fail']

function isFiltered(check: Row): boolean {
  return filters.some((name) => check.flag(name)) || words.some((name) => check.has(name))
}

function readCheck(
  draft: Draft,
  check: Row,
  account: Account,
  known: { keys: ReadonlyMap<string, string>; slugs: readonly string[] },
): void {
  const slug = check.text('slug')
  const item = draft.item('check', check.text('name') ?? slug)
  const rhythm = rhythmOf(check)
  if (typeof rhythm === 'string') return void item.leave(rhythm)
  item.change(
    'It gets a new address for its reports: ping_url of the service. The ends /start, /fail, /log and /0 work there too.',
  )
  if (isFiltered(check))
    item.change('Its filters of subjects and bodies are left out: every report counts as what its address says.')
  if (check.has('methods')) item.change('Reports by every method count.')
  const project = account.projects.get(check.text('project') ?? '')
  const isOwnSlug = slug !== null && known.slugs.filter((one) => one === slug).length === 1
  draft.service(item, {
    type_id: 'heartbeat',
    description: check.text('desc'),
    is_active: check.text('status') !== 'paused',
    group_id: project === undefined || project === '' ? undefined : draft.group(project),
    extended_settings: rhythm,
    tags: (check.text('tags') ?? '').split(/\s+/).flatMap((tag) => draft.tag(tag) ?? []),
    contact_ids: contactsOf(item, check, account, known.keys),
    ...(isOwnSlug ? { ping_slug: slug } : {}),
  })
}

export const healthchecks: Importer = {
  kind: 'healthchecks',
  product: 'Healthchecks',
  files:
    'answers of /api/v3/checks/ and /api/v3/channels/, or `manage.py dumpdata api.check api.channel accounts.project`',
  async read(inputs, draft) {
    const account: Account = { checks: [], channels: [], projects: new Map() }
    for (const input of inputs) await readInto(input, account)
    const keys = readChannels(draft, account)
    const slugs = account.checks.flatMap((check) => check.text('slug') ?? [])
    for (const check of account.checks) readCheck(draft, check, account, { keys, slugs })
  },
}
