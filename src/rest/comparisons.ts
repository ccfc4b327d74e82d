import sql, { raw, type Sql } from 'sql-template-tag'
import { type Condition, fold, type Scalar } from '../domain/queries/condition.ts'
import type { Field } from './fields.ts'

/** The SQL of a condition's comparisons, by the kind of the field. */

function moment(value: Scalar): Sql {
  return sql`${new Date(Number(value))}::timestamptz`
}

/** Wider than the column, so that no number that can be written overflows it; indexes are used all the same. */
function number(field: Field, value: unknown): Sql {
  return field.kind === 'integer' ? sql`${value}::bigint` : sql`${value}::float8`
}

/** The texts that the value means where the possible ones are known: finding them here spares folding every row. */
function meantBy(value: string, oneOf: readonly (string | number)[]): readonly string[] {
  return [...new Set([value, ...oneOf.map(String).filter((known) => fold(known) === fold(value))])]
}

function textEquality(expression: Sql, { oneOf }: Field, value: string): Sql {
  if (oneOf === undefined) return sql`fold(${expression}) = fold(${value})`
  return sql`${expression} = any (${meantBy(value, oneOf)}::text[])`
}

function textInList(expression: Sql, { oneOf }: Field, value: string): Sql {
  if (oneOf === undefined) return sql`fold(${value}) = any (select fold(element) from unnest(${expression}) element)`
  return sql`${expression} && ${meantBy(value, oneOf)}::text[]`
}

/** `is` for each kind of column. Never null if the column is not null. */
export function equality(expression: Sql, field: Field, value: Scalar): Sql {
  if (value === null) return sql`${expression} is null`
  if (field.kind === 'list') {
    if (field.of?.kind === 'text') return textInList(expression, field.of, String(value))
    return sql`${Number(value)}::bigint = any (${expression})`
  }
  if (field.kind === 'text') return textEquality(expression, field, String(value))
  if (field.kind === 'moment') return sql`${expression} = ${moment(value)}`
  if (field.kind === 'boolean') return value === true ? expression : sql`not ${expression}`
  return sql`${expression} = ${number(field, value)}`
}

/** `oneOf`: texts exactly as written, numbers and ids by value. */
export function membership(expression: Sql, field: Field, values: readonly (string | number)[]): Sql {
  if (values.length === 0) return sql`false`
  const type = field.kind === 'text' ? raw('text[]') : raw('bigint[]')
  if (values.length === 1 && field.kind !== 'text') return sql`${expression} = ${number(field, values[0])}`
  return sql`${expression} = any (${values}::${type})`
}

/** `from` and `before`. @param operator `>=` or `<`; an infinite value holds for every row or for none */
export function bound(expression: Sql, field: Field, operator: Sql, value: number): Sql {
  if (!Number.isFinite(value)) return raw(value > 0 === (operator.text === '<') ? 'true' : 'false')
  return sql`${expression} ${operator} ${field.kind === 'moment' ? moment(value) : number(field, value)}`
}

type Value = Exclude<Scalar, null>

/**
 * Groups alternatives that compare one field for equality: the values by field, if there are several, and the remaining
 * alternatives.
 */
export function gatherValues(parts: readonly Condition[]): {
  readonly gathered: ReadonlyMap<string, readonly Value[]>
  readonly others: readonly Condition[]
} {
  const gathered = new Map<string, Value[]>()
  for (const part of parts) {
    if (part.kind !== 'is' || part.value === null) continue
    const values = gathered.get(part.field) ?? []
    gathered.set(part.field, values)
    values.push(part.value)
  }
  for (const [field, values] of gathered) if (values.length < 2) gathered.delete(field)
  const others = parts.filter((part) => part.kind !== 'is' || part.value === null || !gathered.has(part.field))
  return { gathered, others }
}

const foldedAny = (values: readonly string[]) => sql`any (select fold(wanted) from unnest(${values}::text[]) wanted)`

function textEqualsAny(expression: Sql, { oneOf }: Field, values: readonly string[]): Sql {
  if (oneOf === undefined) return sql`fold(${expression}) = ${foldedAny(values)}`
  return sql`${expression} = any (${values.flatMap((value) => meantBy(value, oneOf))}::text[])`
}

function textsMeetAny(expression: Sql, { oneOf }: Field, values: readonly string[]): Sql {
  if (oneOf === undefined)
    return sql`exists (select from unnest(${expression}) element where fold(element) = ${foldedAny(values)})`
  return sql`${expression} && ${values.flatMap((value) => meantBy(value, oneOf))}::text[]`
}

/** Equality to one of the values, as `equality` means it for each. */
export function equalsAny(expression: Sql, field: Field, values: readonly Value[]): Sql {
  if (field.kind === 'list') {
    if (field.of?.kind === 'text') return textsMeetAny(expression, field.of, values.map(String))
    return sql`${expression}::bigint[] && ${values.map(Number)}::bigint[]`
  }
  if (field.kind === 'text') return textEqualsAny(expression, field, values.map(String))
  if (field.kind === 'moment')
    return sql`${expression} = any (${values.map((at) => new Date(Number(at)))}::timestamptz[])`
  if (field.kind === 'boolean') return sql`${expression} = any (${values.map((value) => value === true)}::boolean[])`
  const type = raw(field.kind === 'integer' ? 'bigint[]' : 'float8[]')
  return sql`${expression} = any (${values.map(Number)}::${type})`
}
