import { expect, test } from 'vitest'
import { keptOnceRead } from './kept-once-read.ts'

test('a value is read once for all that ask, and again only after a read that failed', async () => {
  let reads = 0
  const read = keptOnceRead(async () => {
    reads += 1
    if (reads === 1) throw new Error('the database is away')
    return reads
  })
  await expect(read()).rejects.toThrow('away')
  expect(await Promise.all([read(), read()])).toEqual([2, 2])
  expect(await read()).toBe(2)
})
