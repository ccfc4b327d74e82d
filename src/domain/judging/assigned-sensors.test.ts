import fc from 'fast-check'
import { expect, test } from 'vitest'
import { assignFirstSensors } from './assigned-sensors.ts'

const sensors = [
  { id: 4, category_ids: ['default'], is_available: true },
  { id: 1, category_ids: ['default', 'ipv6'], is_available: true },
  { id: 2, category_ids: ['default', 'ipv6', 'mobile'], is_available: true },
  { id: 3, category_ids: ['default'], is_available: true },
]

test('a new group gets the first three sensors of each category', () => {
  expect(assignFirstSensors(sensors, null)).toEqual({ default: [4, 1, 2], ipv6: [1, 2], mobile: [2], webappcheck: [] })
})

test('the package’s maximum_sensors bounds each category', () => {
  expect(assignFirstSensors(sensors, 1)).toEqual({ default: [4], ipv6: [1], mobile: [2], webappcheck: [] })
  expect(assignFirstSensors(sensors, 0)).toEqual({ default: [], ipv6: [], mobile: [], webappcheck: [] })
})

test('sensors that do not report in are left out, unless a category has no other', () => {
  const known = sensors.map((one) => ({ ...one, is_available: one.id === 1 || one.id === 3 }))
  expect(assignFirstSensors(known, null)).toEqual({ default: [1, 3], ipv6: [1], mobile: [2], webappcheck: [] })
})

test('every assigned sensor serves the category it is assigned to', () => {
  const sensor = fc.record({
    id: fc.integer({ min: 1 }),
    category_ids: fc.subarray(['default', 'ipv6', 'mobile', 'webappcheck']),
    is_available: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.uniqueArray(sensor, { selector: (one) => one.id }), fc.option(fc.nat(5)), (available, maximum) => {
      for (const [category, ids] of Object.entries(assignFirstSensors(available, maximum))) {
        expect(ids.length).toBeLessThanOrEqual(Math.min(3, maximum ?? 3))
        for (const id of ids) expect(available.find((one) => one.id === id)?.category_ids).toContain(category)
      }
    }),
  )
})
