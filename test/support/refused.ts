import { expect } from 'vitest'
import type { Reply } from './api.ts'

export interface ShownProblem {
  readonly code: number
  readonly error: string
  readonly description?: string
  readonly field?: string
  readonly message: string
}

/** The problems of a refused request, whose body must be what the specification says of errors. */
export function problemsOf(reply: Reply): readonly [ShownProblem, ...ShownProblem[]] {
  expect(reply.headers['content-type']).toBe('application/json')
  const found = reply.body as readonly [ShownProblem, ...ShownProblem[]]
  expect(Array.isArray(found) && found.length > 0).toBe(true)
  for (const { code, error, message } of found) {
    expect(String(code)).toMatch(/^[45]\d{6}$/)
    expect([error, message]).not.toContain('')
  }
  expect(Math.floor(found[0].code / 10_000)).toBe(reply.status)
  return found
}

/** `symbol pointer` of every problem, in the order of the alphabet. */
export function pointersOf(reply: Reply): readonly string[] {
  return problemsOf(reply)
    .map(({ error, field }) => `${error} ${field ?? ''}`.trim())
    .sort()
}
