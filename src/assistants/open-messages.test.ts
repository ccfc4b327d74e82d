import { expect, test } from 'vitest'
import { ApiError } from '../rest/problems.ts'
import { OpenMessages } from './open-messages.ts'

const times = (count: number) => Array.from({ length: count })

test('an account has eight messages at once, and may open another when one is over', () => {
  const messages = new OpenMessages()
  const leaves = times(8).map(() => messages.enter('customer 1'))
  expect(() => messages.enter('customer 1')).toThrow(ApiError)
  messages.enter('customer 2')()
  leaves[0]?.()
  leaves[0]?.()
  messages.enter('customer 1')
  expect(() => messages.enter('customer 1')).toThrow('too_many_requests')
})

test('all accounts together have sixty-four', () => {
  const messages = new OpenMessages()
  const leaves = times(64).map((_, number) => messages.enter(`customer ${number}`))
  expect(() => messages.enter('customer 100')).toThrow('too_many_requests')
  for (const leave of leaves) leave()
  for (const _ of times(8)) messages.enter('customer 100')
})
