import { expect, test } from 'vitest'
import { nextOnGrid } from '../domain/judging/schedule.ts'
import { latenessOf } from './lateness.ts'

const now = Date.parse('2026-11-28T16:00:00Z')
const due = (serviceId: number, seconds: number) => nextOnGrid(serviceId, seconds, now)

test.each([
  { seconds: 60, grid: 60, late: 0 },
  { seconds: 60, grid: 60, late: 730 },
  { seconds: 300, grid: 300, late: 2100 },
  // A failing service is checked each minute.
  { seconds: 300, grid: 60, late: 40 },
  { seconds: 90, grid: 60, late: 40 },
  { seconds: 90, grid: 90, late: 40 },
  { seconds: 1, grid: 1, late: 120 },
])('a round of a service every $seconds s on the grid of $grid s is $late ms late', ({ seconds, grid, late }) => {
  for (let serviceId = 1; serviceId < 200; serviceId += 1) {
    const startedAt = due(serviceId, grid) + late
    expect(latenessOf({ serviceId, intervalSeconds: seconds, startedAt })).toBe(late)
  }
})

test('a check that begins a moment early is not late, and a round on no grid has no lateness', () => {
  expect(latenessOf({ serviceId: 7, intervalSeconds: 60, startedAt: due(7, 60) - 20 })).toBe(0)
  expect(latenessOf({ serviceId: 7, intervalSeconds: 60, startedAt: due(7, 60) + 25_000 })).toBeNull()
  expect(latenessOf({ serviceId: 7, intervalSeconds: null, startedAt: now })).toBeNull()
  expect(latenessOf({ serviceId: 7, intervalSeconds: 60, startedAt: null })).toBeNull()
})
