/**
 * ok · note: it works, but differs from the usual · missing: the program runs, but cannot do this · fault: a configured
 * value does not work, or the program cannot start.
 */
export type FindingState = 'ok' | 'note' | 'missing' | 'fault'

export interface Finding {
  readonly subject: string
  readonly state: FindingState
  readonly text: string
}

export function finding(subject: string, state: FindingState, text: string): Finding {
  return { subject, state, text }
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join('; ')
  if (!(error instanceof Error)) return String(error)
  return error.message === '' && 'code' in error ? String(error.code) : error.message
}

/** The result of the work, or a fault with the reason why it failed. */
export async function attempt(subject: string, work: () => Promise<string>): Promise<Finding> {
  try {
    return finding(subject, 'ok', await work())
  } catch (error) {
    return finding(subject, 'fault', reasonOf(error).replace(/\.$/, ''))
  }
}
