import { expect, test } from 'vitest'
import { draw, type ResponsePoint } from './chart-drawing.ts'

const point = (minute: number, average: number | null): ResponsePoint => ({
  start_time: new Date(minute * 60_000).toISOString(),
  end_time: new Date((minute + 1) * 60_000).toISOString(),
  ...{ average, minimum: average, maximum: average, checks: 1, errors: average === null ? 1 : 0 },
})

test('the line of response times breaks where nothing was answered and where nothing is known', () => {
  const frame = { left: 0, right: 0, top: 0, bottom: 0, width: 600, height: 100 }
  const runs = (points: readonly ResponsePoint[]) => draw(points, frame, 'UTC').line.split('M').length - 1
  expect(runs([0, 1, 2, 3, 4].map((minute) => point(minute, 80)))).toBe(1)
  expect(runs([point(0, 80), point(1, null), point(2, 80), point(3, 80)])).toBe(2)
  expect(draw([point(0, 80), point(1, null), point(2, 80), point(3, 80)], frame, 'UTC').dots).toBe('M75.0 0.0h0')
  expect(runs([0, 1, 2, 300, 301].map((minute) => point(minute, 80)))).toBe(2)
})
