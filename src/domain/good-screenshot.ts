import { dayLength } from './durations.ts'
import { formatMoment } from './time.ts'

/** Bytes of a kept picture of a good page. */
export const largestGoodScreenshot = 1_048_576

/** Days that a picture of a good page is kept without a failure that needs it. */
const goodScreenshotDays = 7

/** The UTC day, `YYYY-MM-DD`, that a picture is the picture of. */
export function pictureDayOf(at: number): string {
  return formatMoment(at).slice(0, 10)
}

/** Pictures taken earlier go, unless a failure needs them. */
export function goodScreenshotsFrom(now: number): number {
  return (Math.floor(now / dayLength) - goodScreenshotDays) * dayLength
}

/**
 * The index of the one station that takes the picture of this round, among those that can; null without any. It changes with every round,
 * so one station that always fails or is of an older version does not keep a service without a picture.
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

/** The picture that a judged round leaves: of its first good check, where the whole round was good. */
export function goodScreenshotOf(verdict: string, checks: readonly PicturedCheck[]): GoodScreenshot | null {
  if (verdict !== 'ok') return null
  for (const { sensorId, result, evidence } of checks) {
    const picture = evidence?.artifacts.find(({ typeId }) => typeId === 'screenshot')
    if (result === 'ok' && picture !== undefined && isKept(picture.bytes)) return { sensorId, bytes: picture.bytes }
  }
  return null
}

/** A station is trusted to send a JPEG as little as a page is. */
function isKept(bytes: Uint8Array): boolean {
  return bytes.length <= largestGoodScreenshot && bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff
}
