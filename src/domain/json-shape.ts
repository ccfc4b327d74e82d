import type { Problem } from './problem.ts'
import type { ProblemDetail } from './problem-codes.ts'

/** The expected shape of a JSON value. `read` returns the value, or adds problems and returns undefined. */
export interface Shape<T> {
  read(value: unknown, field: string, problems: Problem[]): T | undefined
}

/** The type of the values that a shape reads. */
export type Shaped<S> = S extends Shape<infer T> ? T : never

type Members = Readonly<Record<string, Shape<unknown>>>
type Membered<M extends Members> = { readonly [K in keyof M]: Shaped<M[K]> }

/** A fault at the field itself; each detail has its own sentence. */
export function incorrect(field: string, detail: ProblemDetail): Problem {
  return { error: 'incorrect_value', field, facts: { detail } }
}

function wrongType(field: string, expected: string): Problem {
  return { error: 'incorrect_type', field, facts: { expected } }
}

/** Lengths in UTF-16 units. */
export interface TextLimits {
  readonly minimum?: number
  readonly maximum: number
  /** The fault of a text of the right length, if there is one. */
  readonly fault?: (text: string) => ProblemDetail | undefined
}

/** Problems: incorrect_type, missing_value (too short), value_too_long, incorrect_value with the detail of `fault`. */
export function text({ minimum = 0, maximum, fault }: TextLimits): Shape<string> {
  return {
    read(value, field, problems) {
      if (typeof value !== 'string') problems.push(wrongType(field, 'string'))
      else if (value.length < minimum) problems.push({ error: 'missing_value', field })
      else if (value.length > maximum) problems.push({ error: 'value_too_long', field, facts: { maximum } })
      else {
        const detail = fault?.(value)
        if (detail === undefined) return value
        problems.push(incorrect(field, detail))
      }
      return undefined
    },
  }
}

/** Both ends belong to the range. Problems: incorrect_type, incorrect_value. */
export function number(minimum: number, maximum: number, kind: 'number' | 'integer' = 'number'): Shape<number> {
  return {
    read(value, field, problems) {
      if (typeof value !== 'number' || (kind === 'integer' && !Number.isInteger(value))) {
        problems.push(wrongType(field, kind))
      } else if (value < minimum || value > maximum) {
        problems.push({ error: 'incorrect_value', field, facts: { minimum, maximum } })
      } else return value
      return undefined
    },
  }
}

/** Problems: incorrect_type. */
export const flag: Shape<boolean> = {
  read(value, field, problems) {
    if (typeof value === 'boolean') return value
    problems.push(wrongType(field, 'boolean'))
    return undefined
  },
}

/** One of the listed texts, exactly. Problems: incorrect_type, incorrect_value with the allowed texts. */
export function choice<const T extends string>(allowed: readonly T[]): Shape<T> {
  return {
    read(value, field, problems) {
      const found = allowed.find((one) => one === value)
      if (found !== undefined) return found
      const facts = { allowed: allowed.join(', ') }
      problems.push(typeof value === 'string' ? { error: 'incorrect_value', field, facts } : wrongType(field, 'string'))
      return undefined
    },
  }
}

/** Any JSON object, unchanged. */
export const anyObject: Shape<Readonly<Record<string, unknown>>> = {
  read(value, field, problems) {
    if (isObject(value)) return value
    problems.push(wrongType(field, 'object'))
    return undefined
  },
}

/** Limits on the number of items. */
export interface ListLimits {
  readonly minimum?: number
  readonly maximum: number
}

/**
 * A list; each item's field is `field[3]`. Problems: incorrect_type, missing_value (too few), value_too_long (too
 * many), and the items' own.
 */
export function list<T>(of: Shape<T>, { minimum = 0, maximum }: ListLimits): Shape<readonly T[]> {
  return {
    read(value, field, problems) {
      if (!Array.isArray(value)) problems.push(wrongType(field, 'array'))
      else if (value.length < minimum) problems.push({ error: 'missing_value', field })
      else if (value.length > maximum) problems.push({ error: 'value_too_long', field, facts: { maximum } })
      else {
        const items = value.map((item: unknown, index) => of.read(item, `${field}[${index}]`, problems))
        const read = items.filter((item) => item !== undefined)
        return read.length === items.length ? read : undefined
      }
      return undefined
    },
  }
}

/** An object whose members all share one shape. */
export function dictionary<T>(of: Shape<T>): Shape<Readonly<Record<string, T>>> {
  return {
    read(value, field, problems) {
      const members = anyObject.read(value, field, problems)
      if (members === undefined) return undefined
      const read: [string, T][] = []
      for (const [name, member] of Object.entries(members)) {
        const one = of.read(member, `${field}.${name}`, problems)
        if (one !== undefined) read.push([name, one])
      }
      return read.length === Object.keys(members).length ? Object.fromEntries(read) : undefined
    },
  }
}

/** A member that may be left out. */
export function optional<T, const D>(of: Shape<T>, standard: D): Shape<T | D> & { readonly isOptional: true } {
  return {
    isOptional: true,
    read: (value, field, problems) => (value === undefined ? standard : of.read(value, field, problems)),
  }
}

/** One shape for arrays, the other for everything else. */
export function listOr<A, B>(asList: Shape<A>, otherwise: Shape<B>): Shape<A | B> {
  return {
    read: (value, field, problems): A | B | undefined =>
      Array.isArray(value) ? asList.read(value, field, problems) : otherwise.read(value, field, problems),
  }
}

/** An object with these members; other members are ignored. */
export function record<const M extends Members>(members: M): Shape<Membered<M>> {
  return {
    read(value, field, problems) {
      const given = anyObject.read(value, field, problems)
      if (given === undefined) return undefined
      const read = Object.entries(members).map(([name, shape]): [string, unknown] => {
        const member = Object.hasOwn(given, name) ? given[name] : undefined
        if (member !== undefined || 'isOptional' in shape)
          return [name, shape.read(member, `${field}.${name}`, problems)]
        problems.push({ error: 'missing_value', field: `${field}.${name}` })
        return [name, undefined]
      })
      return read.some(([, member]) => member === undefined) ? undefined : (Object.fromEntries(read) as Membered<M>)
    },
  }
}

/** True for a JSON object: not an array and not null. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
