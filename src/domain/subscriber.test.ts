import { expect, test } from 'vitest'
import { askAgainAfter, mayConfirm, reactionTo, unconfirmedLife } from './subscriber.ts'

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

test('a link to confirm works for three days', () => {
  expect(mayConfirm(1000, 1000 + unconfirmedLife - 1)).toBe(true)
  expect(mayConfirm(1000, 1000 + unconfirmedLife)).toBe(false)
})
