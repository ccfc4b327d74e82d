import { expect, test } from 'vitest'
import { taken } from './taken.ts'

const fails = () => Promise.reject(new Error('Unable to capture screenshot'))

test('the next way is tried when one fails, also when it throws at once', async () => {
  const throws = (): Promise<string> => {
    throw new Error('Target closed')
  }
  expect(await taken(60_000, [fails, throws, async () => 'picture'])).toEqual({ value: 'picture' })
})

test('when no way is left the last reason is told', async () => {
  expect(await taken(60_000, [async () => Promise.reject(new Error('first')), fails])).toEqual({
    reason: 'not_taken',
    error: 'Unable to capture screenshot',
  })
})

test('the patience is that of all ways together', async () => {
  let later = 0
  const never = () => new Promise<string>(() => {})
  const next = async () => {
    later += 1
    return 'too late'
  }
  expect(await taken(20, [never, next])).toEqual({ reason: 'timed_out', error: 'it did not come within 20 ms' })
  expect(later).toBe(0)
})
