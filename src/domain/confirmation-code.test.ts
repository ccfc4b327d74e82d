import { describe, expect, test } from 'vitest'
import { codeLimit, destinationOf } from './confirmation-code.ts'

test.each([
  [0, 0, null],
  [4, 19, null],
  [5, 0, 5],
  [0, 20, 20],
  [9, 99, 5],
])('%d codes to a destination and %d of an account: the limit is %s', (destination, account, limit) => {
  expect(codeLimit({ destination, account })).toBe(limit)
})

describe('a destination', () => {
  test.each([
    ['sms', '+48 600-000-000', 'sms', '0048600000000'],
    ['sms', '48600000000', 'sms', '+48600000000'],
    ['email', 'Alice@Example.com', 'email_short', 'alice@example.com'],
    ['email', 'alice+1@example.com', 'email', 'alice+2@example.com'],
    ['jabber', 'Alice@jabber.example.com', 'jabber', 'alice@jabber.example.com'],
  ])('is the same: %s %s and %s %s', (channelId, address, otherChannelId, otherAddress) => {
    expect(destinationOf(channelId, address)).toBe(destinationOf(otherChannelId, otherAddress))
  })

  test.each([
    ['sms', '600000', 'gadu_gadu', '600000'],
    ['email', 'alice@example.com', 'jabber', 'alice@example.com'],
    ['sms', '+48600000000', 'sms', '+48600000001'],
  ])('is another one: %s %s and %s %s', (channelId, address, otherChannelId, otherAddress) => {
    expect(destinationOf(channelId, address)).not.toBe(destinationOf(otherChannelId, otherAddress))
  })
})
