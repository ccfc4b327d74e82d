import { expect, test } from 'vitest'
import { pauseBeforeLook } from './pauses.ts'

const never = Number.POSITIVE_INFINITY

test('a process that hears wake-ups looks less often once nothing was due for a minute', () => {
  expect(pauseBeforeLook({ hears: true, quietFor: 59_000, nextIn: never })).toBe(2000)
  expect(pauseBeforeLook({ hears: true, quietFor: 61_000, nextIn: never })).toBe(5000)
  expect(pauseBeforeLook({ hears: false, quietFor: 61_000, nextIn: never })).toBe(2000)
})

test('what is due at a known moment is looked at then, and what is overdue is not looked at in a loop', () => {
  expect(pauseBeforeLook({ hears: true, quietFor: 0, nextIn: 300 })).toBe(300)
  expect(pauseBeforeLook({ hears: true, quietFor: 61_000, nextIn: 3000 })).toBe(3000)
  expect(pauseBeforeLook({ hears: true, quietFor: 0, nextIn: -50 })).toBe(20)
})
