import { describe, expect, it } from 'vitest'
import { destinationProblems, smsProblems } from './notification-address.ts'

describe('an address has the form of its channel', () => {
  it.each([
    ['email', 'alice@example.com', true],
    ['email', 'zażółć@przykład.pl', true],
    ['email_short', 'alice', false],
    ['email', 'a@b\nBcc: c@d', false],
    ['email', 'Alice <a@b>', false],
    ['sms', '+48 600 100 200', true],
    ['sms', 'alice@example.com', false],
    ['jabber', 'alice@jabber.example', true],
    ['gadu_gadu', '1234567', true],
    ['gadu_gadu', 'alice', false],
  ])('%s %j: %s', (channel, address, isRight) => {
    expect(destinationProblems(channel, address)).toHaveLength(isRight ? 0 : 1)
  })
})

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
