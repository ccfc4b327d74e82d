import { notificationModes } from '../domain/notification/notification.ts'

interface Mode {
  readonly id: string
  readonly seconds: number
}

/** The notification mode whose wait is nearest; of two as near, the shorter one. */
export function nearestMode(seconds: number): Mode {
  const modes = Object.keys(notificationModes)
    .flatMap((id) => (id === 'off' || id === 'default' ? [] : [{ id, seconds: secondsOf(id) }]))
    .toSorted((one, other) => one.seconds - other.seconds)
  const distance = (mode: Mode) => Math.abs(mode.seconds - seconds)
  return modes.reduce((best, mode) => (distance(mode) < distance(best) ? mode : best))
}

/** `after_5_minutes_failure` → 300 */
function secondsOf(id: string): number {
  const [, count = '0', unit = ''] = /^after_(\d+)_(second|minute)/.exec(id) ?? []
  return Number(count) * (unit === 'minute' ? 60 : 1)
}
