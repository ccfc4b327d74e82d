/**
 * The language of visibility, permission flags and filters: a tree over the fields of a row. It has two readers, memory
 * (here) and SQL (rest/sql); a property test holds them equal. A field is a path: `owner_id`, `share.can_modify_group`,
 * `permissions.update`. A missing field is null; null equals only null.
 */
export type Scalar = string | number | boolean | null

export type Condition =
  | { readonly kind: 'always'; readonly value: boolean }
  | { readonly kind: 'all' | 'any'; readonly of: readonly Condition[] }
  | { readonly kind: 'not'; readonly of: Condition }
  | { readonly kind: 'is'; readonly field: string; readonly value: Scalar }
  | { readonly kind: 'oneOf'; readonly field: string; readonly values: readonly (string | number)[] }
  | { readonly kind: 'contains'; readonly field: string; readonly text: string }
  | { readonly kind: 'from' | 'before'; readonly field: string; readonly value: number }

/** Holds for every row, or for none. */
export function always(value: boolean): Condition {
  return { kind: 'always', value }
}

function combine(kind: 'all' | 'any', parts: readonly Condition[]): Condition {
  const neutral = kind === 'all'
  const of = parts.filter((part) => part.kind !== 'always' || part.value !== neutral)
  const [first] = of
  if (of.some((part) => part.kind === 'always')) return always(!neutral)
  if (first === undefined) return always(neutral)
  return of.length === 1 ? first : { kind, of }
}

/** True if all parts hold, or if there are none. Parts that can be decided at once are left out of the tree. */
export function all(...parts: readonly Condition[]): Condition {
  return combine('all', parts)
}

/** True if at least one part holds; false if there are none. */
export function any(...parts: readonly Condition[]): Condition {
  return combine('any', parts)
}

export function not(of: Condition): Condition {
  return of.kind === 'always' ? always(!of.value) : { kind: 'not', of }
}

/** Equality. Strings are compared without regard to case; a list field needs one equal element. */
export function is(field: string, value: Scalar): Condition {
  return { kind: 'is', field, value }
}

/** Exact membership, for identifiers. Strings are compared with regard to case. */
export function oneOf(field: string, values: readonly (string | number)[]): Condition {
  return { kind: 'oneOf', field, values }
}

/** Containment without regard to case, in a text or in a number as it is written. */
export function contains(field: string, text: string): Condition {
  return { kind: 'contains', field, text }
}

/** The field is at least the value (numbers, moments). */
export function from(field: string, value: number): Condition {
  return { kind: 'from', field, value }
}

/** The field is below the value (numbers, moments). */
export function before(field: string, value: number): Condition {
  return { kind: 'before', field, value }
}

/** Unicode case folding, equal to the database's `fold`. */
export function fold(text: string): string {
  return text.toLowerCase()
}

/** Values by field, from the database or a list in memory; moments are Unix milliseconds. */
export type Row = Readonly<Record<string, unknown>>

/** The value at a path of nested objects; null if anything on the way is missing. */
export function valueAt(row: Row, path: string): unknown {
  if (Object.hasOwn(row, path)) return row[path] ?? null
  const dot = path.indexOf('.')
  const head = path.slice(0, Math.max(dot, 0))
  if (dot < 0 || !Object.hasOwn(row, head)) return null
  const next = row[head]
  return typeof next === 'object' && next !== null ? valueAt(next as Row, path.slice(dot + 1)) : null
}

function equals(actual: unknown, value: Scalar): boolean {
  if (value === null) return (actual ?? null) === null
  if (Array.isArray(actual)) return actual.some((element) => equals(element, value))
  if (typeof actual === 'string' && typeof value === 'string') return fold(actual) === fold(value)
  return actual === value
}

/** The leaves of the tree: each compares one field. */
export type Comparison = Exclude<Condition, { kind: 'always' | 'all' | 'any' | 'not' }>

/** Every comparison in the tree, at any depth. */
export function comparisonsOf(condition: Condition): readonly Comparison[] {
  switch (condition.kind) {
    case 'always':
      return []
    case 'all':
    case 'any':
      return condition.of.flatMap(comparisonsOf)
    case 'not':
      return comparisonsOf(condition.of)
    default:
      return [condition]
  }
}

/**
 * True if no row can meet the condition without meeting one of the chosen comparisons. It may return false wrongly,
 * never true wrongly.
 */
export function demands(condition: Condition, isMeant: (comparison: Comparison) => boolean): boolean {
  switch (condition.kind) {
    case 'always':
      return !condition.value
    case 'all':
      return condition.of.some((part) => demands(part, isMeant))
    case 'any':
      return condition.of.every((part) => demands(part, isMeant))
    case 'not':
      return false
    default:
      return isMeant(condition)
  }
}

/**
 * True if no row can meet the condition, because a number would have to be two at once, or because it never holds. It
 * may return false wrongly, never true wrongly.
 *
 * @param nameOf one name for all fields that are equal in every row; null for a list, which has several numbers
 */
export function isImpossible(condition: Condition, nameOf: (field: string) => string | null): boolean {
  if (condition.kind === 'always') return !condition.value
  if (condition.kind === 'any') return condition.of.every((part) => isImpossible(part, nameOf))
  if (condition.kind !== 'all') return false
  const parts = togetherIn(condition)
  const numbers = new Map<string, number>()
  for (const part of parts) {
    const [number, name] = 'field' in part ? [numberIn(part), nameOf(part.field)] : [null, null]
    if (number === null || name === null) continue
    if ((numbers.get(name) ?? number) !== number) return true
    numbers.set(name, number)
  }
  return parts.some((part) => isImpossible(part, nameOf))
}

/** The parts that a row has to meet all, however they are nested. */
function togetherIn(condition: Condition): readonly Condition[] {
  return condition.kind === 'all' ? condition.of.flatMap(togetherIn) : [condition]
}

/** The only number that meets the comparison; null if others may. */
function numberIn(comparison: Comparison): number | null {
  const value = comparison.kind === 'is' ? comparison.value : comparison.kind === 'oneOf' ? onlyOne(comparison) : null
  return typeof value === 'number' ? value : null
}

function onlyOne({ values }: { readonly values: readonly Scalar[] }): Scalar {
  return values.length === 1 ? (values[0] ?? null) : null
}

/** True if the value meets the comparison. */
export function meets(comparison: Comparison, actual: unknown): boolean {
  switch (comparison.kind) {
    case 'is':
      return equals(actual, comparison.value)
    case 'oneOf':
      return comparison.values.some((value) => value === actual)
    case 'contains': {
      const isWritten = typeof actual === 'string' || typeof actual === 'number'
      return isWritten && fold(String(actual)).includes(fold(comparison.text))
    }
    case 'from':
      return typeof actual === 'number' && actual >= comparison.value
    case 'before':
      return typeof actual === 'number' && actual < comparison.value
  }
}

/** Evaluates the condition in memory. It never throws; unknown fields are null. */
export function holds(condition: Condition, row: Row): boolean {
  switch (condition.kind) {
    case 'always':
      return condition.value
    case 'all':
      return condition.of.every((part) => holds(part, row))
    case 'any':
      return condition.of.some((part) => holds(part, row))
    case 'not':
      return !holds(condition.of, row)
    default:
      return meets(condition, valueAt(row, condition.field))
  }
}
