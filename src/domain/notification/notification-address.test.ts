import { expect, it } from 'vitest'
import { smsProblems } from './notification-address.ts'

it('counts SMS numbers against the package', () => {
  const limits = {
    maximum_services: null,
    maximum_sensors: null,
    maximum_sms_numbers: 2,
    minimum_interval: 60,
    available_notification_channel_ids: ['sms'],
    available_service_types: [],
  }
  expect(smsProblems(limits, 1)).toEqual([])
  expect(smsProblems(limits, 2)).toMatchObject([
    { error: 'limit_exceeded', facts: { limit: 'maximum_sms_numbers', value: 2 } },
  ])
  expect(smsProblems({ ...limits, maximum_sms_numbers: null }, 999)).toEqual([])
})
