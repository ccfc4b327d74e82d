import { expect, test } from 'vitest'
import { systemTimers } from '../../src/turns/timers.ts'

test('a delay that is longer than a timer of Node.js can have is not over at once', async () => {
  let ran = 0
  const takeBack = [2 ** 31, 3_600_000_000, 2 ** 40].map((delay) => systemTimers.after(delay, () => ran++))
  // A timer set by mistake for one millisecond fires before this.
  await new Promise<void>((resolve) => systemTimers.after(20, resolve))
  for (const cancel of takeBack) cancel()
  expect(ran).toBe(0)
})
