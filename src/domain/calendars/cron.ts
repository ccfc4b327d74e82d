import { Cron } from 'croner'
import { Temporal } from 'temporal-polyfill'

/**
 * Moments of a cron line of five fields in a time zone, as Debian's cron runs it. A fixed hour that a clock change
 * skips runs right after the gap; one that is doubled runs once, the first time. A pattern of every few minutes or
 * hours follows real time through both.
 */

const minutes = String.raw`(\*|[0-9]+(-[0-9]+)?)(/[0-9]+)?`
const name = '([0-9]+|[A-Za-z]{3})'
const field = String.raw`(\*|${name}(-${name})?)(/[0-9]+)?`
const listOf = (part: string) => `${part}(,${part})*`
const line = new RegExp(`^${listOf(minutes)}( +${listOf(field)}){4}$`)

/** Lines that were read before: reading costs more than asking. It holds no facts of its own. */
const known = new Map<string, Cron>()
const mostKnown = 5000

function cronOf(expression: string, zone: string): Cron {
  const key = `${zone} ${expression}`
  const found = known.get(key)
  if (found !== undefined) return found
  if (known.size >= mostKnown) known.clear()
  const cron = new Cron(expression, { timezone: zone, paused: true, mode: '5-part' })
  known.set(key, cron)
  return cron
}

/** The first moment of the line strictly after `afterAt`; Infinity for never. @param zone an IANA name */
export function nextOfCron(expression: string, zone: string, afterAt: number): number {
  const after = Temporal.Instant.fromEpochMilliseconds(Math.floor(afterAt)).toString()
  return cronOf(expression, zone).nextRun(after)?.getTime() ?? Number.POSITIVE_INFINITY
}

/** True for a line of five fields that names at least one moment, such as `30 2 * * 1-5`. */
export function isCronLine(text: string): boolean {
  if (!line.test(text)) return false
  try {
    return nextOfCron(text, 'UTC', 0) < Number.POSITIVE_INFINITY
  } catch {
    // The library names each of its reasons in words of its own.
    return false
  }
}
