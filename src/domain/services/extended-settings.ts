import { isObject, readJson } from '../input/json.ts'
import { maximumProblems, type Problem, unknownField } from '../input/problem.ts'
import type { ProblemDetail } from '../input/problem-codes.ts'
import { isStorable } from '../input/storable.ts'
import { parseScenario } from './scenario.ts'
import { scenarioSettingProblems } from './scenario-secrets.ts'
import type { Contradictions, SettingFormat, SettingValue } from './service-types.ts'
import { followsGrammar, patternFault } from './setting-grammars.ts'

/** The settings of a service type, or of the addresses of a notification channel. */
export interface Formats {
  readonly settings: readonly SettingFormat[]
  readonly contradictions?: Contradictions
}

/** The stored settings: only those that somebody has set. */
export type StoredSettings = Readonly<Record<string, SettingValue>>

/** The settings as readers see them. */
export type ShownSettings = Readonly<Record<string, SettingValue | readonly unknown[]>>

/** The settings that a write would store, and the problems with them. */
export interface MergedSettings {
  /** Valid only when there are no problems. */
  readonly settings: StoredSettings
  readonly problems: readonly Problem[]
}

/** Names that older clients use (answers §15). */
const aliases = new Map([['sensors_failover_enabled', 'sensors_failover']])

/** Every setting of the type with its effective value, secrets included: for the stations. */
export function effectiveSettings(type: Formats, stored: StoredSettings): StoredSettings {
  const settings: Record<string, SettingValue> = {}
  for (const format of type.settings) settings[format.setting_id] = effectiveValue(format, stored)
  return settings
}

/** Every setting of the type as readers see it: secrets are null (answers §7). */
export function presentSettings(type: Formats, stored: StoredSettings): ShownSettings {
  return Object.fromEntries(type.settings.map((format) => [format.setting_id, shownValue(format, stored)]))
}

/** The settings that are shown with their default. */
export function usualSettings(formats: readonly SettingFormat[], shown: unknown): readonly string[] {
  if (!isObject(shown)) return []
  return formats.flatMap((format) => {
    const { setting_id: id, isSecret } = format
    const isUsual = isSecret || JSON.stringify(shown[id] ?? null) === JSON.stringify(shownValue(format, {}) ?? null)
    return isUsual ? [id] : []
  })
}

function shownValue(format: SettingFormat, stored: StoredSettings): ShownSettings[string] {
  if (format.isSecret) return null
  const value = effectiveValue(format, stored)
  return format.list === undefined ? value : JSON.parse(String(value))
}

/**
 * Merges the input into the stored settings by key. Null resets a setting to its default. A secret is shown as null, so
 * null keeps it and `""` removes it (answers §7). A value that is already effective changes nothing. Problems:
 * incorrect_type, incorrect_value, value_too_long, missing_value, unknown_field, each at its key or at its place within
 * a scenario.
 */
export function mergeSettings(type: Formats, stored: StoredSettings, input: unknown, pointer: string): MergedSettings {
  if (input !== undefined && !isObject(input)) {
    return { settings: stored, problems: [{ error: 'incorrect_type', field: pointer, facts: { expected: 'object' } }] }
  }
  const settings = new Map(Object.entries(stored))
  const problems: Problem[] = []
  const faulty = new Set<string>()
  const known = type.settings.map(({ setting_id }) => setting_id)
  for (const [key, value] of Object.entries(input ?? {})) {
    if (problems.length >= maximumProblems) return { settings: stored, problems: problems.slice(0, maximumProblems) }
    const format = formatOf(type, key)
    if (format === undefined) {
      problems.push({ error: 'unknown_field', field: `${pointer}.${key}`, facts: unknownField(key, known) })
      continue
    }
    if (format.isSecret && value === null) continue
    const isRemoval = value === null || (format.isSecret && value === '')
    const read = isRemoval ? { value: null } : readSetting(format, value, `${pointer}.${key}`)
    if ('problems' in read) {
      problems.push(...read.problems)
      faulty.add(format.setting_id)
    } else if (read.value === null) settings.delete(format.setting_id)
    else if (read.value !== effectiveValue(format, Object.fromEntries(settings))) {
      settings.set(format.setting_id, read.value)
    }
  }
  const missing = type.settings.filter(({ setting_id }) => !faulty.has(setting_id)).filter(isMissing(settings))
  problems.push(
    ...missing.map(({ setting_id }) => ({ error: 'missing_value', field: `${pointer}.${setting_id}` }) as const),
  )
  const merged = Object.fromEntries(settings)
  if (!faulty.has('scenario') && !faulty.has('secrets')) problems.push(...scenarioSettingProblems(merged, pointer))
  if (faulty.size === 0) problems.push(...(type.contradictions?.(merged, pointer) ?? []))
  return { settings: merged, problems }
}

function effectiveValue(format: SettingFormat, stored: StoredSettings): SettingValue {
  return Object.hasOwn(stored, format.setting_id) ? (stored[format.setting_id] ?? format.default) : format.default
}

function isMissing(settings: ReadonlyMap<string, SettingValue>): (format: SettingFormat) => boolean {
  return (format) => format.isRequired && (settings.get(format.setting_id) ?? null) === null
}

function formatOf(type: Formats, key: string): SettingFormat | undefined {
  const id = aliases.get(key) ?? key
  return type.settings.find((format) => format.setting_id === id)
}

type Reading = { readonly value: SettingValue } | { readonly problems: readonly Problem[] }

/** Converts one value to its setting's type and checks it against the setting's limits. */
function readSetting(format: SettingFormat, input: unknown, field: string): Reading {
  if (format.list !== undefined) return readList(format.list, input, field)
  const value = convert(format, input)
  if (value === undefined) {
    const expected = format.type === 'regex' ? 'string' : format.type
    return { problems: [{ error: 'incorrect_type', field, facts: { expected } }] }
  }
  const fault = typeof value === 'number' ? numberFault(format, value) : textFault(format, value)
  if (fault !== undefined) return { problems: [{ ...fault, field }] }
  const problems = format.grammar === 'scenario' ? parseScenario(String(value), field).problems : []
  return problems.length === 0 ? { value } : { problems }
}

/** Clients that know only the types of the dictionary may send the JSON of the list as a text. */
function readList(schema: NonNullable<SettingFormat['list']>, input: unknown, field: string): Reading {
  const { value, problems } = readJson(schema, typeof input === 'string' ? parsed(input) : input, field)
  return value === undefined ? { problems } : { value: JSON.stringify(value) }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return json
  }
}

function convert(format: SettingFormat, input: unknown): SettingValue | undefined {
  switch (format.type) {
    case 'integer': {
      const number = typeof input === 'string' && /^[+-]?\d{1,15}$/.test(input) ? Number(input) : input
      return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined
    }
    case 'number': {
      const number = typeof input === 'string' && /^[+-]?\d{1,15}(\.\d{1,15})?$/.test(input) ? Number(input) : input
      return typeof number === 'number' && Number.isFinite(number) ? number : undefined
    }
    case 'boolean':
      if (input === 'true' || input === 'false') return input === 'true'
      return typeof input === 'boolean' ? input : undefined
    case 'string':
    case 'regex':
      if (typeof input === 'number') return String(input)
      return typeof input === 'string' ? input : undefined
  }
}

type Fault = Omit<Problem, 'field'>

function numberFault(format: SettingFormat, value: number): Fault | undefined {
  const { minimum, maximum } = format
  const isOutside = (minimum !== null && value < minimum) || (maximum !== null && value > maximum)
  if (isOutside) return { error: 'incorrect_value', facts: { minimum, maximum } }
  return choiceFault(format, value)
}

function textFault(format: SettingFormat, value: SettingValue): Fault | undefined {
  if (typeof value !== 'string') return undefined
  const { maximum_length: longest, minimum_length: shortest, pattern, grammar } = format
  if (longest !== null && value.length > longest) return { error: 'value_too_long', facts: { maximum: longest } }
  if (shortest !== null && value.length < shortest) return { error: 'missing_value' }
  if (!isStorable(value)) return detail('forbidden_characters')
  const patternProblem = format.type === 'regex' ? patternFault(value) : undefined
  if (patternProblem !== undefined) return detail(patternProblem)
  if (pattern !== null && !new RegExp(pattern, 'u').test(value)) {
    const { expected } = format
    return expected === undefined ? detail('forbidden_characters') : { error: 'incorrect_value', expected }
  }
  if (grammar !== null && grammar !== 'scenario' && !followsGrammar(grammar, value)) return detail(grammar)
  return choiceFault(format, value)
}

function choiceFault(format: SettingFormat, value: string | number): Fault | undefined {
  if (format.enum === null || format.enum.includes(value)) return undefined
  return { error: 'incorrect_value', facts: { allowed: format.enum.join(', ') } }
}

function detail(name: ProblemDetail): Fault {
  return { error: 'incorrect_value', facts: { detail: name } }
}
