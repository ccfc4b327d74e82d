import { describe, expect, test } from 'vitest'
import { codeLimit, destinationOf } from './confirmation-code.ts'

test.each([
  [0, 0, 0, false, null],
  [4, 4, 19, false, null],
  [5, 0, 0, false, { value: 5, period: '24 h' }],
  [5, 5, 5, true, { value: 5, period: '24 h' }],
  [0, 5, 0, false, { value: 5, period: '1 h' }],
  [0, 5, 0, true, null],
  [4, 99, 19, true, null],
  [0, 0, 20, false, { value: 20, period: '24 h' }],
  [9, 9, 99, true, { value: 5, period: '24 h' }],
] as const)(
  '%d own codes to a destination, %d of all accounts, %d of the account, own mailbox %s: %j',
  (own, crowd, account, isOwnMailbox, limit) => {
    expect(codeLimit({ own, crowd, account, isOwnMailbox })).toEqual(limit)
  },
)

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
