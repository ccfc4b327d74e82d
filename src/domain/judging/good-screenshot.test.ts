import { expect, test } from 'vitest'
import {
  goodScreenshotOf,
  goodScreenshotsFrom,
  largestGoodScreenshot,
  pictureDayOf,
  seatOfPicture,
} from './good-screenshot.ts'

const jpeg = (size = 10) => {
  const bytes = new Uint8Array(size)
  bytes.set([0xff, 0xd8, 0xff])
  return bytes
}
const check = (sensorId: number, result: string, bytes: Uint8Array | null) => ({
  ...{ sensorId, result },
  evidence: bytes === null ? null : { artifacts: [{ typeId: 'screenshot', bytes }] },
})

test('the day of a picture is the UTC day', () => {
  expect(pictureDayOf(Date.UTC(2026, 10, 23, 23, 59, 59, 999))).toBe('2026-11-23')
  expect(pictureDayOf(Date.UTC(2026, 10, 24))).toBe('2026-11-24')
  expect(goodScreenshotsFrom(Date.UTC(2026, 10, 24, 12))).toBe(Date.UTC(2026, 10, 17))
})

test('one station takes the picture of a round, and each has its turn', () => {
  const turns = [0, 1, 2, 3].map((round) => seatOfPicture(round * 60_000, 60, [true, false, true]))
  expect(turns).toEqual([0, 2, 0, 2])
  expect(seatOfPicture(60_000, 60, [false, false])).toBeNull()
  expect(seatOfPicture(60_000, 60, [])).toBeNull()
})

test('a good round leaves the picture of its first good check, and no other round leaves one', () => {
  const [first, second] = [jpeg(10), jpeg(11)]
  const checks = [check(1, 'ok', null), check(2, 'error', jpeg()), check(3, 'ok', first), check(4, 'ok', second)]
  expect(goodScreenshotOf('ok', checks)).toEqual({ sensorId: 3, bytes: first })
  for (const verdict of ['failure', 'none']) expect(goodScreenshotOf(verdict, checks)).toBeNull()
  expect(goodScreenshotOf('ok', checks.slice(0, 2))).toBeNull()
})

test('what is no JPEG or too large is not kept', () => {
  const large = jpeg(largestGoodScreenshot + 1)
  expect(goodScreenshotOf('ok', [check(1, 'ok', large)])).toBeNull()
  expect(goodScreenshotOf('ok', [check(1, 'ok', Buffer.from('<svg onload=alert(1)>'))])).toBeNull()
  expect(goodScreenshotOf('ok', [check(1, 'ok', new Uint8Array())])).toBeNull()
  expect(goodScreenshotOf('ok', [check(1, 'ok', large), check(2, 'ok', jpeg(3))])?.sensorId).toBe(2)
})
