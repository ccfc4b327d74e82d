import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Shares } from './shares.ts'

function fill(shares: Shares, source: string): number {
  let taken = 0
  while (shares.fits(source, 1)) {
    shares.move(source, 1)
    taken += 1
  }
  return taken
}

test('one source fills half of the room, and the next one finds half of the rest', () => {
  const shares = new Shares(1000)
  expect(fill(shares, 'noisy')).toBe(500)
  expect(shares.fits('quiet', 250)).toBe(true)
  expect(fill(shares, 'quiet')).toBe(250)
  shares.move('noisy', -500)
  expect(shares.left).toBe(750)
})

test('a new source finds room beside any number of greedy ones', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 8 }), (count) => {
      const shares = new Shares(10_000)
      for (let source = 0; source < count; source++) fill(shares, `greedy ${source}`)
      expect(shares.fits('new', 10)).toBe(true)
    }),
  )
})

test('what is released is as if it had never been taken', () => {
  const amounts = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 0, max: 50 })))
  fc.assert(
    fc.property(amounts, (taken) => {
      const shares = new Shares(100)
      for (const [source, amount] of taken) shares.move(source, amount)
      for (const [source, amount] of taken) shares.move(source, -amount)
      expect(shares.left).toBe(100)
      expect(shares.fits('a', 100)).toBe(true)
    }),
  )
})
