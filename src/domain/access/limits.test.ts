import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  channelProblems,
  intervalProblems,
  type PackageLimits,
  remainingServices,
  roomProblems,
  sensorProblems,
} from './limits.ts'

const limits: PackageLimits = {
  maximum_services: 10,
  maximum_sensors: 2,
  maximum_sms_numbers: null,
  minimum_interval: 60,
  available_notification_channel_ids: ['email'],
  available_service_types: [
    { service_type_id: 'http', maximum_services: null, minimum_interval: null },
    { service_type_id: 'ping', maximum_services: 2, minimum_interval: 300 },
  ],
}

describe('room for one more service', () => {
  it.each([
    ['http', 9, 0, []],
    ['http', 10, 0, ['limit_exceeded']],
    ['ping', 5, 1, []],
    ['ping', 5, 2, ['limit_exceeded']],
    ['dns', 0, 0, ['service_type_not_available']],
  ])('%s with %i services, %i of the type', (typeId, total, ofType, problems) => {
    expect(roomProblems(limits, typeId, { total, ofType }).map(({ error }) => error)).toEqual(problems)
  })

  it('exists exactly when the remaining count is not zero', () => {
    const maximum = fc.option(fc.nat(5))
    fc.assert(
      fc.property(maximum, maximum, fc.nat(6), fc.nat(6), (most, mostOfType, others, ofType) => {
        const type = { service_type_id: 'http', maximum_services: mostOfType, minimum_interval: null }
        const some: PackageLimits = { ...limits, maximum_services: most, available_service_types: [type] }
        const counts = { total: others + ofType, ofType }
        expect(roomProblems(some, 'http', counts).length === 0).toBe(remainingServices(some, 'http', counts) !== 0)
      }),
    )
  })

  it('is unlimited where both limits are null', () => {
    expect(remainingServices({ ...limits, maximum_services: null }, 'http', { total: 99999, ofType: 9 })).toBeNull()
  })
})

describe('an interval', () => {
  it.each([
    ['http', 60, 0],
    ['http', 59, 1],
    ['ping', 299, 1],
    ['ping', 300, 0],
  ])('of %s every %i s has %i problems', (typeId, seconds, count) => {
    expect(intervalProblems(limits, typeId, seconds)).toHaveLength(count)
  })
})

describe('chosen sensors', () => {
  const sensors = [
    { id: 1, category_ids: ['default'] },
    { id: 2, category_ids: ['default', 'ipv6'] },
    { id: 3, category_ids: ['default'] },
  ]

  it.each([
    [[1, 2], 'default', []],
    [[1], 'ipv6', ['sensor_not_available']],
    [[9], 'default', ['sensor_not_available']],
    [[1, 1], 'default', ['value_is_not_unique']],
    [[1, 2, 3], 'default', ['limit_exceeded']],
  ] as const)('%j of %s', (ids, category, problems) => {
    const found = sensorProblems(limits, sensors, { ids, category, pointer: 'data.sensor_ids' })
    expect(found.map(({ error }) => error)).toEqual(problems)
  })
})

it('refuses channels that the package lacks, with a pointer to each', () => {
  expect(channelProblems(limits, ['email', 'sms'], 'data.notification_channel_ids')).toEqual([
    { error: 'channel_not_available', field: 'data.notification_channel_ids[1]', facts: { channel_id: 'sms' } },
  ])
})
