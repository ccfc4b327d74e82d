import { isDeepStrictEqual } from 'node:util'
import { parseMoment } from '../domain/calendars/time.ts'
import { isObject } from '../domain/input/json.ts'
import { maximumProblems, type Problem, unknownField } from '../domain/input/problem.ts'
import { isStorable } from '../domain/input/storable.ts'
import { isOneLine, keepsReadingOrder } from '../domain/text/one-line.ts'
import type { Field, Fields } from './fields.ts'

export type Values = Record<string, unknown>

interface Read {
  readonly value?: unknown
  readonly problems: readonly Problem[]
}

function refused(error: string, pointer: string, facts?: Problem['facts']): Read {
  return { problems: [{ error, field: pointer, ...(facts === undefined ? {} : { facts }) }] }
}

function accepted(value: unknown): Read {
  return { value, problems: [] }
}

const maximumInteger = 2 ** 31 - 1
const defaultMaximumLength = 65_536
const defaultMaximumElements = 1000

const wireNames: Readonly<Record<string, string>> = {
  text: 'string',
  list: 'array',
  decimal: 'number',
  moment: 'date-time',
}

/** A longer example than this hides what it is about. */
const longestExample = 120

/** Objects and lists are told with an example, as their kind alone says too little. */
function expected(field: Field): NonNullable<Problem['facts']> {
  const kind = { expected: wireNames[field.kind] ?? field.kind }
  if (!['object', 'list'].includes(field.kind) || field.example === undefined) return kind
  const example = JSON.stringify(field.example)
  return example === '[]' || example.length > longestExample ? kind : { ...kind, example }
}

function readNumber(field: Field, input: unknown, pointer: string): Read {
  if (typeof input !== 'number' || !Number.isFinite(input)) return refused('incorrect_type', pointer, expected(field))
  if (field.kind === 'integer' && !Number.isInteger(input)) return refused('incorrect_type', pointer, expected(field))
  const minimum = field.minimum ?? -maximumInteger
  const maximum = field.maximum ?? maximumInteger
  if (input < minimum || input > maximum) return refused('incorrect_value', pointer, { minimum, maximum })
  return enumerated(field, input, pointer)
}

/** All types of services, but not every time zone. */
const mostListed = 100

function listed(values: readonly unknown[]): string {
  return [...values.slice(0, mostListed), ...(values.length > mostListed ? ['…'] : [])].join(', ')
}

function enumerated(field: Field, input: string | number, pointer: string): Read {
  if (field.oneOf !== undefined && !field.oneOf.includes(input))
    return refused('incorrect_value', pointer, { allowed: listed(field.oneOf) })
  return accepted(input)
}

function readText(field: Field, input: unknown, pointer: string): Read {
  if (typeof input !== 'string') return refused('incorrect_type', pointer, expected(field))
  const maximum = field.maximumLength ?? defaultMaximumLength
  if (input.length > maximum) return refused('value_too_long', pointer, { maximum })
  const minimum = field.minimumLength ?? 0
  if (input.length < minimum) return refused('value_too_short', pointer, { minimum })
  if (!isStorable(input)) return refused('incorrect_value', pointer, { detail: 'forbidden_characters' })
  if (field.multiline !== true) {
    if (!isOneLine(input)) return refused('incorrect_value', pointer, { detail: 'one_line' })
    if (!keepsReadingOrder(input)) return refused('incorrect_value', pointer, { detail: 'reading_order' })
  }
  if (field.pattern?.test(input) === false)
    return refused('incorrect_value', pointer, field.detail === undefined ? undefined : { detail: field.detail })
  return enumerated(field, input, pointer)
}

function readList(field: Field, input: unknown, pointer: string, nowAt: number): Read {
  if (!Array.isArray(input)) return refused('incorrect_type', pointer, expected(field))
  const maximum = field.maximumLength ?? defaultMaximumElements
  if (input.length > maximum) return refused('value_too_long', pointer, { maximum })
  const values: unknown[] = []
  const problems: Problem[] = []
  for (const [index, element] of input.entries()) {
    if (problems.length >= maximumProblems) break
    const read = readValue(field.of ?? { kind: 'json' }, element, `${pointer}[${index}]`, nowAt)
    problems.push(...read.problems)
    values.push(read.value)
  }
  return problems.length > 0 ? { problems } : accepted(values)
}

function readObject(field: Field, input: unknown, pointer: string, nowAt: number): Read {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return refused('incorrect_type', pointer, expected(field))
  const shape = field.shape ?? {}
  const read = readFields(shape, input as Values, pointer, nowAt)
  const problems = [...read.problems, ...missing(shape, input as Values, pointer)]
  return problems.length > 0 ? { problems } : accepted(read.values)
}

/** Reads one value as its field demands. */
function readValue(field: Field, input: unknown, pointer: string, nowAt: number): Read {
  if (input === null) return field.nullable ? accepted(null) : refused('incorrect_type', pointer, expected(field))
  switch (field.kind) {
    case 'integer':
    case 'decimal':
      return readNumber(field, input, pointer)
    case 'text':
      return readText(field, input, pointer)
    case 'boolean':
      return typeof input === 'boolean' ? accepted(input) : refused('incorrect_type', pointer, expected(field))
    case 'moment': {
      const at = parseMoment(input, nowAt)
      return typeof at === 'number' ? accepted(at) : refused(at, pointer, { ...expected(field), detail: 'moment' })
    }
    case 'list':
      return readList(field, input, pointer, nowAt)
    case 'object':
      return readObject(field, input, pointer, nowAt)
    case 'json':
      return accepted(input)
  }
}

/** A value that is there already may be written back, also one from before a stricter rule. */
function keptOr(read: Read, given: unknown, before: unknown): Read {
  const isKept = read.problems.length > 0 && before !== undefined && isDeepStrictEqual(given, before)
  return isKept ? accepted(before) : read
}

/** The names that a request may send; a creation may also send fields that never change afterwards. */
function namesOf(fields: Fields, isChange: boolean): readonly string[] {
  return Object.keys(fields).filter((name) => {
    const { internal, readOnly, immutable } = fields[name] ?? {}
    return !internal && !readOnly && !(isChange && immutable)
  })
}

/** Reads the members of an object; every one must be known and well typed. `missing` handles required members. */
function readFields(
  fields: Fields,
  input: Values,
  pointer: string,
  nowAt: number,
  before: Readonly<Record<string, unknown>> | null = null,
): { values: Values; problems: Problem[] } {
  const isChange = before !== null
  const values: Values = {}
  const problems: Problem[] = []
  let known: readonly string[] | undefined
  for (const [name, given] of Object.entries(input)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    const place = `${pointer}.${name}`
    if (problems.length >= maximumProblems) break
    if (field === undefined || field.internal) {
      known ??= namesOf(fields, isChange)
      problems.push({ error: 'unknown_field', field: place, facts: unknownField(name, known) })
      continue
    }
    const isEmpty = given === '' && field.emptyFor?.({ ...before, ...input }) === true
    const read = isEmpty ? accepted('') : keptOr(readValue(field, given, place, nowAt), given, before?.[name])
    problems.push(...read.problems)
    if (read.problems.length === 0) values[name] = read.value
  }
  return { values, problems }
}

function missing(fields: Fields, input: Values, pointer = 'data'): Problem[] {
  return Object.entries(fields)
    .filter(([name, field]) => field.required && input[name] === undefined && field.emptyFor?.(input) !== true)
    .map(([name]) => ({ error: 'missing_value', field: `${pointer}.${name}`, facts: { name } }))
}

function asObject(body: unknown): { input: Values; problems: Problem[] } {
  if (isObject(body)) return { input: body, problems: [] }
  return { input: {}, problems: [{ error: body === undefined ? 'missing_value' : 'incorrect_type', field: 'data' }] }
}

/**
 * Reads the body of a creation or of an action: types, unknown fields, required fields, and fields that only the server
 * sets.
 */
export function readBody(fields: Fields, body: unknown, nowAt: number): { values: Values; problems: Problem[] } {
  const { input, problems } = asObject(body)
  if (problems.length > 0) return { values: {}, problems }
  const read = readFields(fields, input, 'data', nowAt)
  for (const name of Object.keys(input)) {
    if (!fields[name]?.readOnly) continue
    read.problems.push({ error: 'field_is_read_only', field: `data.${name}`, facts: { name } })
    delete read.values[name]
  }
  return { values: read.values, problems: [...read.problems, ...missing(fields, input)] }
}

function same(field: Field, a: unknown, b: unknown): boolean {
  if (field.kind === 'moment') return Math.floor(Number(a) / 1000) === Math.floor(Number(b) / 1000)
  return isDeepStrictEqual(a, b)
}

/** Reads the body that makes an object whose key is known: its key fields may come with the values of the path. */
export function readKnown(
  fields: Fields,
  body: unknown,
  key: Readonly<Record<string, unknown>>,
  nowAt: number,
): { values: Values; problems: Problem[] } {
  const { input } = asObject(body)
  const read = readChange(fields, body, key, nowAt)
  return { values: { ...read.values, ...key }, problems: [...read.problems, ...missing(fields, { ...input, ...key })] }
}

/**
 * Reads the body of a change, like a creation without required fields. Immutable fields may come with their present
 * value.
 */
export function readChange(
  fields: Fields,
  body: unknown,
  before: Readonly<Record<string, unknown>>,
  nowAt: number,
): { values: Values; problems: Problem[] } {
  const { input, problems } = asObject(body)
  if (problems.length > 0) return { values: {}, problems }
  const read = readFields(fields, input, 'data', nowAt, before)
  for (const [name, value] of Object.entries(read.values)) {
    const field = fields[name]
    if (field === undefined || !(field.readOnly || field.immutable)) continue
    delete read.values[name]
    if (field.computed) continue
    const shown = field.shown?.(before[name], before, 'en', '') ?? before[name]
    if (same(field, value, before[name]) || same(field, value, shown)) continue
    read.problems.push({ error: 'field_is_immutable', field: `data.${name}`, facts: { name } })
  }
  return read
}
