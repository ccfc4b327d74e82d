import { expect, test } from 'vitest'
import { askAgainAfter, isConfirmLinkOpen, reactionTo, unconfirmedLife } from './subscriber.ts'

test('a request makes a row, asks again after an hour, or sends the links of a confirmed address', () => {
  const stored = { isConfirmed: false, isDisabled: false, askedAt: 1000 }
  const later = 1000 + askAgainAfter
  expect(reactionTo(null, 1000)).toBe('make')
  expect(reactionTo(stored, 1001)).toBe('nothing')
  expect(reactionTo(stored, later)).toBe('ask_again')
  expect(reactionTo({ ...stored, isConfirmed: true }, 1001)).toBe('nothing')
  expect(reactionTo({ ...stored, isConfirmed: true }, later)).toBe('send_links')
  expect(reactionTo({ ...stored, isConfirmed: true, isDisabled: true }, later)).toBe('ask_again')
})

test('a link to confirm works for three days, and no longer because somebody asks again', () => {
  const waiting = { askedAt: 1000, confirmedAt: null }
  expect(isConfirmLinkOpen(waiting, 1000 + unconfirmedLife - 1)).toBe(true)
  expect(isConfirmLinkOpen(waiting, 1000 + unconfirmedLife)).toBe(false)
  const confirmed = { askedAt: 900_000, confirmedAt: 2000 }
  expect(isConfirmLinkOpen(confirmed, 2000 + unconfirmedLife - 1)).toBe(true)
  expect(isConfirmLinkOpen(confirmed, 2000 + unconfirmedLife)).toBe(false)
})
