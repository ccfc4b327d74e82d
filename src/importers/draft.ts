import { serviceTypeOf } from '../checks/index.ts'
import { keyOfName } from '../domain/configuration/managed-key.ts'
import { countLimits } from '../domain/input/count-limits.ts'
import { mergeSettings } from '../domain/services/extended-settings.ts'
import { addressProblems } from '../domain/services/monitored-address.ts'
import { addressFaults, type ImportedAddress } from './address-check.ts'
import { Budget } from './budget.ts'
import type { DrawnPage, DrawnService, Members } from './drawn.ts'
import { FreeNames } from './free-names.ts'
import { nearestMode } from './modes.ts'
import type { ImportOutcome, ImportReport, Reported } from './report.ts'
import { clean, cleaning, messagesOf, settingOf } from './texts.ts'
import { asMeant, asWritten, Written } from './written.ts'

/** The configuration that an importer draws, with the report of what became of each object. */

export interface DraftOptions {
  readonly product: string
  readonly mark: string
  /** Unix milliseconds. */
  readonly nowAt: number
  /** The shortest interval of the package, in seconds. */
  readonly minimumInterval: number
  /** Values of variables that an export may name. */
  readonly environment: Readonly<Record<string, string | undefined>>
}

type Kind = 'tags' | 'groups' | 'services' | 'contacts' | 'suspensions' | 'weekly_suspensions' | 'status_pages'

/** The order of a file. */
const kinds: readonly Kind[] = [
  ...(['tags', 'contacts', 'groups', 'services', 'suspensions', 'weekly_suspensions', 'status_pages'] as const),
]

const longestName = 200
const longestDescription = 5000
const longestTag = 50
const mostTags = 50
const longestInterval = 604_800

/** An object of the other monitor, on its way. */
export class Item {
  readonly what: string
  readonly name: string
  private readonly notes = new Set<string>()
  private object: string | null = null
  private isChanged = false

  constructor(what: string, name: string) {
    this.what = what
    this.name = name
  }

  /** Something of it is not the same. */
  change(note: string): void {
    this.isChanged = true
    this.notes.add(note)
  }

  /** It is not carried. */
  leave(note: string): void {
    this.notes.add(note)
  }

  become(object: string): void {
    this.object ??= object
  }

  reported(): Reported {
    const outcome: ImportOutcome = this.object === null ? 'left' : this.isChanged ? 'changed' : 'carried'
    return { what: this.what, name: this.name, object: this.object, notes: [...this.notes], outcome }
  }
}

export interface Drawn {
  /** As it stands in the file. */
  readonly document: Members
  readonly report: ImportReport
  /** The values of the variables. */
  readonly secrets: ReadonlyMap<string, string>
}

export class Draft {
  readonly options: DraftOptions
  private readonly objects = new Map<Kind, Map<string, Members>>()
  private readonly items: Item[] = []
  private readonly notes = new Set<string>()
  private readonly secrets = new Map<string, string>()
  private readonly groupKeys = new Map<string, string>()
  private readonly tagNames = new Map<string, string>()
  /** By what they are made of and their value. */
  private readonly secretNames = new Map<string, string>()
  private readonly freeNames = new FreeNames()
  /** The countLimits of the export itself, and of the configuration made of it. */
  private readonly read = new Budget()
  private readonly made = new Budget()

  constructor(options: DraftOptions) {
    this.options = options
  }

  item(what: string, name: string | null): Item {
    const item = new Item(what, clean(name ?? '', longestName) || 'without a name')
    const change = cleaning('Its name', name ?? '', longestName)
    if (change !== null) item.change(change)
    this.read.object()
    this.items.push(item)
    return item
  }

  /** A sentence about the whole. */
  note(sentence: string): void {
    this.notes.add(sentence)
  }

  /** A secret under a variable made of the words; one that the export does not hold has no value yet. */
  secret(words: string, value: string | null): Written {
    const variable = /^\$\{([A-Za-z_]\w*)\}$/.exec(value ?? '')?.[1]
    if (variable !== undefined) {
      this.secrets.set(variable, '')
      return new Written(`\${${variable}}`, '')
    }
    const base = `SECRET_${keyOfName(words, 'value').toUpperCase().replaceAll('-', '_')}`
    const mark = JSON.stringify([base, value ?? ''])
    const name = this.secretNames.get(mark) ?? this.freeNames.of(base, '_', (one) => this.secrets.has(one))
    this.secretNames.set(mark, name)
    this.secrets.set(name, value ?? '')
    return new Written(`\${${name}}`, value ?? '')
  }

  /** The group with the name, made at its first use. */
  group(name: string): string {
    const wanted = clean(name, longestName)
    const known = this.groupKeys.get(wanted)
    if (known !== undefined) return known
    const key = this.put('groups', wanted, { name: wanted })
    this.noteCleaning(`The name of the group “${wanted}”`, name, longestName)
    this.groupKeys.set(wanted, key)
    return key
  }

  /** The name of a service. */
  nameOf(serviceKey: string): string {
    return String(this.objects.get('services')?.get(serviceKey)?.['name'] ?? serviceKey)
  }

  /** More members of a group. */
  amendGroup(key: string, members: Members): void {
    const groups = this.objects.get('groups')
    groups?.set(key, { ...groups.get(key), ...members })
  }

  /** The name of the tag, as services write it. */
  tag(name: string, color: string | null = null): string | null {
    const wanted = clean(name, longestTag)
    if (wanted === '') return null
    const known = this.tagNames.get(wanted.toLowerCase())
    if (known !== undefined) return known
    const isColor = color !== null && /^#[0-9a-f]{6}$/i.test(color)
    this.put('tags', wanted, { name: wanted, ...(isColor ? { color: color.toLowerCase() } : {}) })
    this.noteCleaning(`The tag “${wanted}”`, name, longestTag)
    this.tagNames.set(wanted.toLowerCase(), wanted)
    return wanted
  }

  private noteCleaning(what: string, text: string, longest: number): void {
    const change = cleaning(what, text, longest)
    if (change !== null) this.note(change)
  }

  /** A contact with its addresses; null and a note if none of them is right. */
  contact(item: Item, given: ImportedAddress | readonly ImportedAddress[]): string | null {
    const addresses: Record<string, Members> = {}
    const refused: string[] = []
    const all = [given].flat()
    if (all.length > countLimits.contactAddresses)
      refused.push(`It has the first ${countLimits.contactAddresses} of its ${all.length} addresses.`)
    for (const address of all.slice(0, countLimits.contactAddresses)) {
      const faults = addressFaults(address)
      if (faults.length > 0) refused.push(`${address.channel} does not take the address: ${faults.join(' ')}`)
      const { channel, ...own } = address
      const count = Object.keys(addresses).filter((key) => key.startsWith(channel)).length
      const key = count === 0 ? channel : `${channel}-${count + 1}`
      if (faults.length === 0) addresses[key] = { notification_channel_id: channel, ...own }
    }
    if (Object.keys(addresses).length === 0) {
      item.leave(refused.join(' ') || 'It has no address.')
      return null
    }
    for (const note of refused) item.change(note)
    const key = this.put('contacts', item.name, { name: item.name, addresses })
    item.become(`contacts.${key}`)
    return key
  }

  /** A service; null and a note if its address is not right. Settings that are not right are left out with a note. */
  service(item: Item, drawn: DrawnService): string | null {
    const type = serviceTypeOf(drawn.type_id)
    if (type === undefined) throw new Error(`There is no type ${drawn.type_id}.`)
    const read = addressProblems(type, drawn.address ?? '', 'data.address')
    if (read.problems.length > 0) {
      item.leave(`${drawn.address ?? ''}: ${messagesOf(read.problems).join(' ')}`)
      return null
    }
    const name = clean(drawn.name ?? item.name, longestName)
    noteLosses(item, drawn)
    const { ping_slug: slug, is_active: isActive = true, group_id: group } = drawn
    const key = this.put('services', name, {
      ...{ name, type_id: type.id },
      ...(type.addressForm === 'none' ? {} : { address: read.address }),
      ...this.intervalOf(item, drawn.interval ?? null),
      ...(group === undefined ? {} : { group_id: group }),
      ...(isActive ? {} : { is_active: false }),
      ...textOf('description', drawn.description ?? null),
      ...this.settingsOf(item, drawn),
      ...listOf('tags', [...new Set(drawn.tags ?? [])].slice(0, mostTags)),
      ...listOf('contact_ids', [...new Set(drawn.contact_ids ?? [])]),
      ...listOf('notification_condition_ids', drawn.notification_condition_ids ?? []),
      ...this.modeOf(item, drawn),
      ...(slug === undefined ? {} : { ping_slug: slug }),
    })
    item.become(`services.${key}`)
    return key
  }

  private intervalOf(item: Item, interval: number | null): Members {
    if (interval === null) return {}
    const { minimumInterval } = this.options
    const allowed = Math.min(longestInterval, Math.max(minimumInterval, Math.round(interval)))
    if (allowed !== interval) item.change(`The interval is ${allowed} s instead of ${interval} s.`)
    return { interval: allowed }
  }

  private modeOf(item: Item, { toldAfterSeconds = 0, type_id: typeId }: DrawnService): Members {
    if (toldAfterSeconds <= 0 || typeId === 'heartbeat') return {}
    const mode = nearestMode(toldAfterSeconds)
    if (mode.seconds !== toldAfterSeconds)
      item.change(`People are told after ${mode.seconds} s of failure; it was ${toldAfterSeconds} s.`)
    return { notification_mode_id: mode.id }
  }

  private settingsOf(item: Item, { type_id: typeId, extended_settings: given = {} }: DrawnService): Members {
    const type = serviceTypeOf(typeId)
    let settings = Object.fromEntries(Object.entries(given).filter(([, value]) => (value ?? null) !== null))
    // A fault may hide another one.
    for (let tries = 0; type !== undefined && tries <= Object.keys(given).length; tries++) {
      const { problems } = mergeSettings(type, {}, asMeant(withoutUnset(settings)), 'data.extended_settings')
      const [problem] = problems
      if (problem === undefined) break
      const wrong = settingOf(problem.field)
      if (wrong === null || !Object.hasOwn(settings, wrong)) break
      item.change(`${wrong} is left out: ${messagesOf([problem]).join(' ')}`)
      settings = Object.fromEntries(Object.entries(settings).filter(([name]) => name !== wrong))
    }
    return Object.keys(settings).length === 0 ? {} : { extended_settings: settings }
  }

  /** A one-off stop of monitoring, or quiet hours. One that is over already is left. */
  suspension(item: Item, serviceKey: string, span: { startAt: number; endAt: number }, more: Members = {}): void {
    const { startAt, endAt } = span
    if (endAt <= this.options.nowAt || endAt <= startAt) return void item.leave('It is over already.')
    const key = this.put('suspensions', `${serviceKey}-${item.name}`, {
      service_id: serviceKey,
      ...{ start_time: new Date(startAt).toISOString(), end_time: new Date(endAt).toISOString() },
      ...textOf('description', item.name),
      ...more,
    })
    item.become(`suspensions.${key}`)
  }

  /** A stop of monitoring on a day of the week, 1 is Monday; minutes count from midnight and may exceed a day. */
  weekly(
    item: Item,
    serviceKey: string,
    span: { day: number; from: number; minutes: number },
    more: Members = {},
  ): void {
    const key = this.put('weekly_suspensions', `${serviceKey}-${item.name}`, {
      service_id: serviceKey,
      start_minute: minuteOfWeek(span.day, span.from),
      end_minute: minuteOfWeek(span.day, span.from + span.minutes),
      ...textOf('description', item.name),
      ...more,
    })
    item.become(`weekly_suspensions.${key}`)
  }

  /** A page with lines that show services, below headings where they have any. */
  statusPage(item: Item, page: DrawnPage): void {
    const { title, slug, lines, ...more } = page
    const components = new Map<string, Members>()
    const free = new FreeNames()
    const add = (name: string, members: Members): string => {
      const key = free.of(keyOfName(name, 'component'), '-', (one) => components.has(one))
      this.made.object()
      components.set(key, { name: clean(name, longestName), ...members, position: components.size + 1 })
      return key
    }
    const headings = new Map<string, string>()
    for (const { name, under, ...members } of lines) {
      if (under !== undefined && !headings.has(under)) headings.set(under, add(under, {}))
      add(name, { ...(under === undefined ? {} : { parent_id: headings.get(under) }), ...members })
    }
    const ownSlug = keyOfName(slug ?? title, 'status')
      .slice(0, 60)
      .replace(/-$/, '')
    const key = this.put('status_pages', ownSlug, {
      ...{ slug: ownSlug, title: clean(title, longestName), ...more },
      ...(lines.length === 0 ? {} : { components: Object.fromEntries(components) }),
    })
    item.become(`status_pages.${key}`)
  }

  /** Counts work that grows with how often parts of the export name each other. */
  step(count = 1): void {
    this.made.step(count)
  }

  /** A key that no other object of the kind has. */
  private put(kind: Kind, name: string, members: Members): string {
    const objects = this.objects.get(kind) ?? new Map<string, Members>()
    this.objects.set(kind, objects)
    const base = keyOfName(name, kind.replaceAll('_', '-').replace(/s$/, ''))
    const key = this.freeNames.of(base, '-', (one) => objects.has(one), kind)
    this.made.object()
    objects.set(key, members)
    return key
  }

  finish(): Drawn {
    const { product, mark } = this.options
    const services = [...(this.objects.get('services')?.values() ?? [])]
    const loose = services.filter((service) => service['group_id'] === undefined).length
    if (loose > 0) {
      this.note(
        `Services in no group (${loose}) come into the default group of the account, and whoever hears of that hears of them.`,
      )
    }
    const maps = kinds.flatMap((kind) => {
      const objects = this.objects.get(kind)
      return objects === undefined ? [] : [[kind, asWritten(Object.fromEntries(objects))] as const]
    })
    const items = this.items.map((item) => item.reported())
    const named = new Set([...JSON.stringify(maps).matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name))
    // A setting that was left out takes its variable along.
    const secrets = new Map([...this.secrets].filter(([name]) => named.has(name)))
    return {
      document: { version: 1, managed_by: mark, ...Object.fromEntries(maps) },
      report: { product, mark, items, notes: [...this.notes], variables: [...secrets.keys()] },
      secrets,
    }
  }
}

/** Says what of a service's texts and tags is not carried as it was. */
function noteLosses(item: Item, { name, description, tags = [] }: DrawnService): void {
  const changes = [
    cleaning('Its name', name ?? '', longestName),
    cleaning('Its description', description ?? '', longestDescription),
    new Set(tags).size > mostTags ? `It has the first ${mostTags} of its ${new Set(tags).size} tags.` : null,
  ]
  for (const change of changes) if (change !== null) item.change(change)
}

function textOf(name: string, text: string | null): Members {
  const written = clean(text ?? '', longestDescription)
  return written === '' ? {} : { [name]: written }
}

function listOf(name: string, values: readonly string[]): Members {
  return values.length === 0 ? {} : { [name]: values }
}

/** A secret without a value yet is not judged. */
function withoutUnset(settings: Members): Members {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      name,
      value instanceof Written && value.value === '' ? 'x' : value,
    ]),
  )
}

const minutesOfDay = 1440

function minuteOfWeek(day: number, minutes: number): Members {
  const at = ((day - 1) * minutesOfDay + minutes) % (7 * minutesOfDay)
  return {
    day_of_week: Math.floor(at / minutesOfDay) + 1,
    hour: Math.floor((at % minutesOfDay) / 60),
    minute: Math.floor(at % 60),
  }
}
