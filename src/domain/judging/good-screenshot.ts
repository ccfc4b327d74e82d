import { dayLength } from '../calendars/durations.ts'
import { formatMoment } from '../calendars/time.ts'

/** The largest kept picture of a good page, in bytes. */
export const largestGoodScreenshot = 1_048_576

/** Days for which a picture of a good page is kept if no failure needs it. */
const goodScreenshotDays = 7

/** The UTC day of a picture, `YYYY-MM-DD`. */
export function pictureDayOf(at: number): string {
  return formatMoment(at).slice(0, 10)
}

/** Pictures taken before this moment are deleted unless a failure needs them. */
export function goodScreenshotsFrom(now: number): number {
  return (Math.floor(now / dayLength) - goodScreenshotDays) * dayLength
}

/**
 * The index of the one available station that takes this round's picture; null if none is available. It changes with
 * every round. So a station that always fails, or runs an older version, does not leave a service without a picture.
 */
export function seatOfPicture(dueAt: number, intervalSeconds: number, isAvailable: readonly boolean[]): number | null {
  const seats = isAvailable.flatMap((is, index) => (is ? [index] : []))
  const round = Math.max(0, Math.floor(dueAt / Math.max(1, intervalSeconds * 1000)))
  return seats[round % seats.length] ?? null
}

export interface PicturedCheck {
  readonly sensorId: number
  readonly result: string
  readonly evidence: { readonly artifacts: readonly { readonly typeId: string; readonly bytes: Uint8Array }[] } | null
}

export interface GoodScreenshot {
  readonly sensorId: number
  readonly bytes: Uint8Array
}

/** The picture that a judged round leaves: the one of its first good check, if the whole round was good. */
export function goodScreenshotOf(verdict: string, checks: readonly PicturedCheck[]): GoodScreenshot | null {
  if (verdict !== 'ok') return null
  for (const { sensorId, result, evidence } of checks) {
    const picture = evidence?.artifacts.find(({ typeId }) => typeId === 'screenshot')
    if (result === 'ok' && picture !== undefined && isKept(picture.bytes)) return { sensorId, bytes: picture.bytes }
  }
  return null
}

/** A station is trusted no more than a page is to send a real JPEG. */
function isKept(bytes: Uint8Array): boolean {
  return bytes.length <= largestGoodScreenshot && bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff
}
