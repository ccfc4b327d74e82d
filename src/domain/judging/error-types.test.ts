import { expect, test } from 'vitest'
import { errorType, errorTypeById, errorTypes, resultOfFailure } from './error-types.ts'

test('ids and symbols are one to one', () => {
  expect(new Set(errorTypes.map(({ id }) => id)).size).toBe(errorTypes.length)
  expect(new Set(errorTypes.map(({ symbol }) => symbol)).size).toBe(errorTypes.length)
  for (const type of errorTypes) {
    expect(errorTypeById(type.id)).toBe(type)
    expect(errorType(type.symbol)).toBe(type)
  }
  expect(errorTypeById(0)).toBeNull()
})

test('only a fault of the sensor is unknown', () => {
  expect(resultOfFailure('sensor_lost')).toBe('unknown')
  expect(resultOfFailure('setting_invalid')).toBe('unknown')
  expect(resultOfFailure('name_not_found')).toBe('error')
  expect(resultOfFailure('address_refused')).toBe('error')
  for (const symbol of ['sensor_address_refused', 'sensor_resolver_refused', 'sensor_clock_off'] as const) {
    expect(resultOfFailure(symbol)).toBe('unknown')
  }
})
