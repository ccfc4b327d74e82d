import type { Service, SettingFormat } from '../../api/answers.ts'
import { quietText } from '../../format/quiet-hours.ts'
import { wholeNumber } from '../../format/whole-number.ts'
import { readAssertions } from './assertion-draft.ts'

export type Formats = readonly SettingFormat[]

/** A service in the form. It holds only settings that differ from the default; null: the API chooses. */
export interface Draft {
  readonly name: string
  readonly description: string
  readonly type_id: string
  readonly address: string
  readonly interval: number | null
  readonly group_id: number | null
  readonly tags: readonly string[]
  readonly parent_ids: readonly number[]
  readonly settings: Readonly<Record<string, string | boolean>>
  readonly notification_channel_ids: readonly string[] | null
  readonly notification_condition_ids: readonly string[] | null
  readonly notification_mode_id: string | null
  readonly recovery_notification_mode_id: string | null
  readonly silent_hours: string | null
  readonly sensor_ids: readonly number[]
}

/** A service of the type reports in by itself: it has no address and no stations. */
export function isHeartbeat({ type_id }: Pick<Draft, 'type_id'>): boolean {
  return type_id === 'heartbeat'
}

export const emptyDraft: Draft = {
  name: '',
  description: '',
  type_id: 'https',
  address: '',
  interval: null,
  group_id: null,
  tags: [],
  parent_ids: [],
  settings: {},
  notification_channel_ids: null,
  notification_condition_ids: null,
  notification_mode_id: null,
  recovery_notification_mode_id: null,
  silent_hours: null,
  sensor_ids: [],
}

/** Settings whose value the API never tells. */
export function isSecret({ setting_id, suggested_form_element }: SettingFormat): boolean {
  return suggested_form_element === 'password' || setting_id === 'secrets' || setting_id === 'client_key'
}

/** Lists are kept as their JSON. */
type StoredValue = string | number | boolean | null | readonly unknown[]

/** A setting whose value is a list of assertions. */
export function isAssertions({ suggested_form_element }: SettingFormat): boolean {
  return suggested_form_element === 'assertions'
}

/** A list of numbers, which the form shows as a text with commas. */
export function isNumberList({ setting_id }: SettingFormat): boolean {
  return setting_id === 'warning_days'
}

/** The list, or its JSON, as the form shows it. */
export function numberListText(list: unknown): string {
  const numbers: unknown = typeof list === 'string' ? JSON.parse(list) : list
  return Array.isArray(numbers) ? numbers.join(', ') : ''
}

export function draftOf(service: Service, formats: Formats): Draft {
  const stored = service.extended_settings as Readonly<Record<string, StoredValue>>
  const changed = formats.flatMap((format) => {
    const { setting_id: id, default: standard } = format
    const value = stored[id] ?? null
    if (isNumberList(format)) {
      const text = numberListText(value)
      return text === numberListText(standard) ? [] : [[id, text] as const]
    }
    if (value === null || value === standard) return []
    if (typeof value === 'object') return value.length === 0 ? [] : [[id, JSON.stringify(value)] as const]
    return [[id, typeof value === 'boolean' ? value : String(value)] as const]
  })
  return {
    name: service.name,
    description: service.description,
    type_id: service.type_id,
    address: service.address,
    interval: service.interval,
    group_id: service.group_id,
    tags: service.tags,
    parent_ids: service.parent_ids,
    settings: Object.fromEntries(changed),
    notification_channel_ids: service.notification_channel_ids,
    notification_condition_ids: service.notification_condition_ids,
    notification_mode_id: service.notification_mode_id,
    recovery_notification_mode_id: service.recovery_notification_mode_id,
    silent_hours: service.silent_hours,
    sensor_ids: service.sensor_ids,
  }
}

/** Null for a text that is no list of numbers. */
function numbersIn(text: string): readonly number[] | null {
  const parts = text.split(/[\s,;]+/).filter((part) => part !== '')
  const numbers = parts.map(wholeNumber)
  return numbers.every((number) => typeof number === 'number') ? numbers : null
}

/** The value for the API. A text that is no number stays a text, so that the API reports the fault. */
function sentValue(format: SettingFormat, value: string | boolean): StoredValue {
  const { type } = format
  if (isAssertions(format)) return readAssertions(value)
  if (isNumberList(format) && typeof value === 'string') return numbersIn(value) ?? value
  const isNumber = type === 'integer' || type === 'number'
  if (!isNumber || typeof value === 'boolean' || value.trim() === '') return value
  const number = Number(value)
  return Number.isNaN(number) ? value : number
}

type Chosen<Members> = { readonly [Name in keyof Members]?: Exclude<Members[Name], null> }

/** Leaves to the API what was not chosen. */
function chosenIn<Members extends object>(members: Members): Chosen<Members> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null)) as Chosen<Members>
}

function membersFor(draft: Draft, formats: Formats, isNew: boolean) {
  const settings = formats.flatMap((format): [string, StoredValue][] => {
    const value = draft.settings[format.setting_id]
    if (value !== undefined) return [[format.setting_id, sentValue(format, value)]]
    return isNew || isSecret(format) ? [] : [[format.setting_id, null]]
  })
  const { settings: _, type_id: _kept, name, address, ...rest } = draft
  return { name, address, ...chosenIn(rest), extended_settings: Object.fromEntries(settings) }
}

/** A service that is there: reset settings are sent as null, and an untouched secret is kept. */
export function bodyOf(draft: Draft, formats: Formats) {
  return membersFor(draft, formats, false)
}

/** A new service: settings that were not chosen are left to the API. */
export function newBodyOf(draft: Draft, formats: Formats) {
  return { type_id: draft.type_id, ...membersFor(draft, formats, true) }
}

/** The members of a form, each with its name in the request, for telling two versions apart. */
export function membersOf({ settings, ...rest }: Draft, formats: Formats): Readonly<Record<string, unknown>> {
  const silent_hours = quietText(rest.silent_hours ?? '')
  const each = formats.map(({ setting_id: id }) => [`extended_settings.${id}`, settings[id] ?? null] as const)
  return { ...rest, silent_hours, ...Object.fromEntries(each) }
}
