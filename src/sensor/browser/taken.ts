import type { MissingReason } from '../../domain/judging/evidence.ts'
import { driverText } from './page-failure.ts'

/** A piece of evidence, or the reason why there is none. */
export type Taken<T> = { readonly value: T } | { readonly reason: MissingReason; readonly error: string }

/**
 * Tries the ways in order until one gives the value, all within the time limit. Never rejects: a failed page may not
 * answer, and the caller has to report what is missing.
 */
export async function taken<T>(patienceMs: number, ways: readonly (() => Promise<T>)[]): Promise<Taken<T>> {
  const until = performance.now() + patienceMs
  let failed: Taken<T> = { reason: 'not_taken', error: 'there is no way to take it' }
  for (const way of ways) {
    failed = await tried(until - performance.now(), patienceMs, way)
    if ('value' in failed || failed.reason === 'timed_out') return failed
  }
  return failed
}

async function tried<T>(leftMs: number, patienceMs: number, way: () => Promise<T>): Promise<Taken<T>> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Taken<T>>((resolve) => {
    const error = `it did not come within ${patienceMs} ms`
    timer = setTimeout(() => resolve({ reason: 'timed_out', error }), Math.max(0, leftMs))
  })
  const work = Promise.resolve()
    .then(way)
    .then(
      (value): Taken<T> => ({ value }),
      (error: unknown): Taken<T> => ({ reason: 'not_taken', error: driverText(error) }),
    )
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
