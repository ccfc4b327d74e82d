import { isCronLine } from '../domain/calendars/cron.ts'
import { readTimeZone } from '../domain/calendars/time-zones.ts'
import type { Draft, Item } from './draft.ts'
import { healthchecksAddresses } from './healthchecks-channels.ts'
import type { Importer } from './importer.ts'
import { faulty, type Input, readValue } from './input.ts'
import { append, groupedBy, ownOf, type Row, rowOf } from './row.ts'

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
  // A project without integrations answers with an empty list.
  let isAnswer = false
  for (const part of [value].flat().map(rowOf)) {
    const model = ownOf(models, part.text('model')?.toLowerCase() ?? '')
    model?.(rowOf({ ...part.row('fields').members, pk: part.text('pk') }), into)
    append(into.checks, part.rows('checks'))
    append(into.channels, part.rows('channels'))
    isAnswer ||= Array.isArray(part.members['checks']) || Array.isArray(part.members['channels'])
  }
  if (isAnswer || into.checks.length + into.channels.length > before) return
  throw faulty(
    input.path,
    'Nothing of Healthchecks is in it: expected answers of /api/v3/checks/, or a dump by dumpdata.',
  )
}

/** Seconds: a number of the API; a dump has `1 02:03:04` of Django, or `P1DT02H03M04S`. */
function secondsOf(row: Row, name: string): number | null {
  const number = row.number(name)
  if (number !== null || !row.has(name)) return number
  const text = row.text(name) ?? ''
  const found =
    /^(?:(\d{1,9}) )?(\d{1,2}):(\d{2}):(\d{2})(?:\.\d+)?$/.exec(text) ??
    /^P(\d{1,9})DT(\d{1,2})H(\d{1,2})M(\d{1,2})(?:\.\d+)?S$/.exec(text)
  if (found === null) return null
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = found.slice(1).map((part) => Number(part ?? 0))
  return ((days * 24 + hours) * 60 + minutes) * 60 + seconds
}

/** Keys of contacts, by the code and the number of the channel; a group of integrations has those of its members. */
function readChannels(draft: Draft, { channels }: Account): ReadonlyMap<string, readonly string[]> {
  const keys = new Map<string, readonly string[]>()
  const remember = (channel: Row, found: readonly string[]) => {
    for (const name of ['id', 'code', 'pk']) if (channel.has(name)) keys.set(channel.text(name) ?? '', found)
  }
  const isGroup = (channel: Row) => channel.text('kind') === 'group' && channel.has('value')
  for (const channel of channels.filter((one) => !isGroup(one))) {
    const item = draft.item('integration', nameOf(channel))
    const addresses = channel.flag('disabled') ? 'It is switched off.' : healthchecksAddresses(draft, item, channel)
    if (typeof addresses === 'string') item.leave(addresses)
    const key = typeof addresses === 'string' ? null : draft.contact(item, addresses)
    if (key !== null) remember(channel, [key])
  }
  for (const channel of channels.filter(isGroup)) {
    const item = draft.item('integration', nameOf(channel))
    const members = membersOf(draft, (channel.text('value') ?? '').split(','), keys)
    const [first] = members
    if (first === undefined) item.leave('None of its members is carried.')
    else {
      item.change('It holds others: its checks tell each of them.')
      item.become(`contacts.${first}`)
      remember(channel, members)
    }
  }
  return keys
}

function nameOf(channel: Row): string | null {
  return channel.text('name') ?? channel.row('value').text('value') ?? channel.text('kind')
}

/** The contacts that hear of a check: it names them in the API, they name it in a dump. */
function contactsOf(item: Item, check: Row, { draft, keys, naming }: Known): readonly string[] {
  const named = (check.text('channels') ?? '').split(',').filter((code) => code !== '')
  const own = naming.get(check.text('pk') ?? '') ?? []
  const linked = [...new Set([...named, ...own.map(({ channel }) => channel)])]
  if (linked.some((code) => !keys.has(code))) item.change('Some of its integrations are not carried; see there.')
  return membersOf(draft, linked, keys)
}

/** The contacts of integrations, each of which may stand for many. */
function membersOf(draft: Draft, codes: readonly string[], keys: Known['keys']): readonly string[] {
  const found = new Set<string>()
  for (const code of codes) {
    const members = keys.get(code) ?? []
    draft.step(members.length)
    for (const member of members) found.add(member)
  }
  return [...found]
}

/** The integrations that name a check, in a dump. */
function namingOf({ channels }: Account): Known['naming'] {
  const links = channels.flatMap((channel) =>
    channel.texts('checks').map((check) => ({ check, channel: channel.text('pk') ?? '' })),
  )
  return groupedBy(links, ({ check }) => check)
}

const longestGrace = 30 * 86_400

/** The settings of its rhythm, or the reason why it has no counterpart. */
function rhythmOf(item: Item, check: Row): Readonly<Record<string, unknown>> | string {
  const asked = secondsOf(check, 'grace') ?? 3600
  const grace = Math.min(asked, longestGrace)
  if (grace < asked) item.change(`The grace is ${grace} s instead of ${asked} s.`)
  const isSimple = check.text('kind') === 'simple'
  const schedule = isSimple ? null : check.text('schedule')
  if (schedule === null) return { period: secondsOf(check, 'timeout') ?? 86_400, grace }
  if (!isCronLine(schedule)) return `The schedule ${schedule} is no cron line of five fields that Latarnik reads.`
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

/** The facts of the whole account, which are known before its checks are read. */
interface Known {
  readonly draft: Draft
  readonly projects: Account['projects']
  /** Keys of contacts, by the code and the number of the channel. */
  readonly keys: ReadonlyMap<string, readonly string[]>
  readonly naming: ReadonlyMap<string, readonly { readonly channel: string }[]>
  /** The checks of each slug. */
  readonly slugs: ReadonlyMap<string | null, readonly Row[]>
}

function readCheck(check: Row, known: Known): void {
  const { draft, projects } = known
  const slug = check.text('slug')
  const item = draft.item('check', check.text('name') ?? slug)
  const rhythm = rhythmOf(item, check)
  if (typeof rhythm === 'string') return void item.leave(rhythm)
  item.change(
    'It gets a new address for its reports: ping_url of the service. The ends /start, /fail, /log and /0 work there too.',
  )
  if (isFiltered(check))
    item.change('Its filters of subjects and bodies are left out: every report counts as what its address says.')
  if (check.has('methods')) item.change('Reports by every method count.')
  const isPaused = check.text('status') === 'paused'
  if (isPaused && !check.flag('manual_resume')) item.change('Its next report does not end the pause here: people do.')
  const project = projects.get(check.text('project') ?? '')
  const isOwnSlug = slug !== null && known.slugs.get(slug)?.length === 1
  if (slug !== null && !isOwnSlug) item.change(`Its slug ${slug} is left out: another check has it too.`)
  draft.service(item, {
    type_id: 'heartbeat',
    description: check.text('desc'),
    is_active: !isPaused,
    group_id: project === undefined || project === '' ? undefined : draft.group(project),
    extended_settings: rhythm,
    tags: (check.text('tags') ?? '').split(/\s+/).flatMap((tag) => draft.tag(tag) ?? []),
    contact_ids: contactsOf(item, check, known),
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
    const { projects, checks } = account
    const known = {
      draft,
      projects,
      keys,
      naming: namingOf(account),
      slugs: groupedBy(checks, (check) => check.text('slug')),
    }
    for (const check of checks) readCheck(check, known)
  },
}
