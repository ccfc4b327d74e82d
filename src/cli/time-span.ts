import { InvalidArgumentError } from 'commander'

/** Seconds of a day, an hour, a minute and a second. */
const units = [86_400, 3600, 60, 1] as const
const dayMs = 86_400_000
const longestDays = 366

/** `15m`, `1h30m` or `2d` in milliseconds. */
export function spanOf(given: string): number {
  const text = given.trim().toLowerCase()
  const [, days, hours, minutes, secs] =
    /^(?:(\d{1,9})d)?(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9})s)?$/.exec(text) ?? []
  const counts = [days, hours, minutes, secs]
  if (counts.every((count) => count === undefined)) throw new InvalidArgumentError('Write it like 15m, 1h30m or 2d')
  const seconds = counts.reduce((sum, count = '0', place) => sum + Number(count) * (units[place] ?? 1), 0)
  if (seconds < 1 || seconds > longestDays * 86_400) {
    throw new InvalidArgumentError(`It must be from 1 second to ${longestDays} days`)
  }
  return seconds * 1000
}

/** An RFC 3339 moment, or the next time at which the clock of this machine shows `HH:MM`; Unix milliseconds. */
export function momentOf(given: string, now: number): number {
  const [, hours, minutes] = /^(\d{1,2}):(\d{2})$/.exec(given.trim()) ?? []
  if (hours !== undefined && Number(hours) < 24 && Number(minutes) < 60) {
    const at = new Date(now)
    at.setHours(Number(hours), Number(minutes), 0, 0)
    if (at.getTime() <= now) at.setDate(at.getDate() + 1)
    return at.getTime()
  }
  const at = /^\d{4}-\d{2}-\d{2}T/.test(given) ? Date.parse(given) : Number.NaN
  if (Number.isNaN(at)) throw new InvalidArgumentError('Write a time like 08:00, or a moment like 2026-12-24T08:00:00Z')
  if (at <= now || at > now + longestDays * dayMs) {
    throw new InvalidArgumentError(`It must be within the next ${longestDays} days`)
  }
  return at
}
