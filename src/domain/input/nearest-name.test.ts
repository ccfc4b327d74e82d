import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nearestName } from './nearest-name.ts'

const known = ['id', 'name', 'address', 'interval', 'time_zone_id', 'type_id', 'tags', 'sensor_ids', 'is_active']

test.each([
  ['intervall', 'interval'],
  ['intreval', 'interval'],
  ['adress', 'address'],
  ['addres', 'address'],
  ['timeZoneId', 'time_zone_id'],
  ['time-zone-id', 'time_zone_id'],
  ['Name', 'name'],
  ['tag', 'tags'],
  ['typeid', 'type_id'],
  ['sensors_ids', 'sensor_ids'],
  ['active', null],
  ['colour', null],
  ['x', null],
  ['', null],
  ['i'.repeat(10_000), null],
])('%s → %s', (written, meant) => {
  expect(nearestName(written, known)).toBe(meant)
})

test('there is nothing near if nothing is known', () => {
  expect(nearestName('name', [])).toBeNull()
})

test('a name with one mistake is told, unless another name is as near', () => {
  let met = 0
  fc.assert(
    fc.property(fc.constantFrom(...known.filter(({ length }) => length > 3)), fc.nat(), (name, seed) => {
      const at = seed % name.length
      const written = name.slice(0, at) + name.slice(at + 1)
      met += 1
      expect(nearestName(written, known)).toBe(name)
    }),
  )
  expect(met).toBeGreaterThan(0)
})

test('the nearest name is always a known one', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 80 }), fc.array(fc.string({ maxLength: 40 })), (written, names) => {
      const nearest = nearestName(written, names)
      expect(nearest === null || names.includes(nearest)).toBe(true)
    }),
  )
})
