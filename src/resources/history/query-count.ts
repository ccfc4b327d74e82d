import type { Problem } from '../../domain/input/problem.ts'
import type { Call } from '../../rest/call.ts'

interface Count {
  readonly name: string
  readonly maximum: number
  /** Without the parameter. */
  readonly fallback: number
}

/** Reads a query parameter that is a number from 1; what is wrong with it goes to `problems`. */
export function readCount(call: Call, problems: Problem[], { name, maximum, fallback }: Count): number {
  const written = call.query.get(name)
  if (written === null) return fallback
  const count = /^-?\d{1,9}$/.test(written) ? Number(written) : null
  if (count !== null && count >= 1 && count <= maximum) return count
  problems.push({
    error: count === null ? 'incorrect_type' : 'incorrect_value',
    field: `query.${name}`,
    facts: count === null ? { expected: 'integer' } : { allowed: `1-${maximum}` },
  })
  return fallback
}
