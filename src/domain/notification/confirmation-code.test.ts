import { expect, test } from 'vitest'
import { codeLimit } from './confirmation-code.ts'

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
