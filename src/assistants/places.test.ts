import { expect, test } from 'vitest'
import { ApiError } from '../rest/problems.ts'
import { Places } from './places.ts'

const times = (count: number) => Array.from({ length: count })

test('an account has eight places, and gets one back when a message is over, once', () => {
  const places = new Places()
  const leaves = times(8).map(() => places.enter('customer 1'))
  expect(() => places.enter('customer 1')).toThrow(ApiError)
  places.enter('customer 2')()
  leaves[0]?.()
  leaves[0]?.()
  places.enter('customer 1')
  expect(() => places.enter('customer 1')).toThrow('too_many_requests')
})

test('all accounts together have sixty-four', () => {
  const places = new Places()
  const leaves = times(64).map((_, number) => places.enter(`customer ${number}`))
  expect(() => places.enter('customer 100')).toThrow('too_many_requests')
  for (const leave of leaves) leave()
  for (const _ of times(8)) places.enter('customer 100')
})
