import { describe, expect, it, test } from 'vitest'
import { destinationOf, destinationProblems } from './index.ts'

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
