import { describe, expect, test } from 'vitest'
import type { PackageLimits } from '../access/limits.ts'
import { serviceDefaults } from './service-defaults.ts'

const limits: PackageLimits = {
  minimum_interval: 60,
  maximum_sensors: null,
  maximum_sms_numbers: null,
  maximum_services: null,
  available_service_types: [],
  available_notification_channel_ids: ['email', 'email_short', 'sms', 'webhook'],
}

describe('a new service has, where nothing is said', () => {
  test.each([
    [60, 600],
    [600, 600],
    [3600, 3600],
  ])('of a package that allows every %i s a check every %i s', (minimum_interval, interval) => {
    expect(serviceDefaults({ ...limits, minimum_interval }, 'http', []).interval).toBe(interval)
  })

  test('the usual channels, as far as the package has them', () => {
    const usual = ['email', 'email_short', 'sms', 'voice']
    expect(serviceDefaults(limits, 'http', usual).notification_channel_ids).toEqual(['email', 'email_short', 'sms'])
    expect(serviceDefaults(null, 'http', usual).notification_channel_ids).toEqual([])
  })
})
