import { formatMoment, parseMoment } from '../calendars/time.ts'
import type { HeartbeatFailure } from './heartbeat.ts'

/** The technical sentence of a heartbeat's failure, as it is stored, and what it says. */

export function heartbeatMessage({ kind, exitStatus, sinceAt }: HeartbeatFailure): string {
  const since = formatMoment(sinceAt)
  if (kind === 'late') return `no report that was expected at ${since}`
  if (kind === 'overrun') return `no end of the run that started at ${since}`
  return exitStatus === null ? `failure reported at ${since}` : `exit status ${exitStatus} reported at ${since}`
}

const forms: readonly (readonly [HeartbeatFailure['kind'], RegExp])[] = [
  ['late', /^no report that was expected at (?<since>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)$/],
  ['overrun', /^no end of the run that started at (?<since>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)$/],
  ['reported', /^(failure|exit status (?<status>\d{1,3})) reported at (?<since>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)$/],
]

/** Null for any other text. */
export function readHeartbeatMessage(text: string): HeartbeatFailure | null {
  for (const [kind, form] of forms) {
    const found = form.exec(text)?.groups
    const sinceAt = parseMoment(found?.['since'], 0)
    if (found === undefined || typeof sinceAt !== 'number') continue
    const status = found['status']
    return { kind, sinceAt, exitStatus: status === undefined ? null : Number(status) }
  }
  return null
}
