import { expect, test } from 'vitest'
import { Suspects } from './suspects.ts'

const dayMs = 24 * 3600 * 1000

/** Visits that go well until the owner shares a browser again. */
function visitsUntilShared(suspects: Suspects, ownerKey: string): number {
  let visits = 0
  for (; suspects.isApart(ownerKey); visits += 1) suspects.wentWell(ownerKey)
  return visits
}

test('all owners inside an ended browser are apart until four visits of each went well', () => {
  const suspects = new Suspects()
  suspects.browserEnded(['a', 'b'], 0)
  expect(['a', 'b', 'c'].map((owner) => suspects.isApart(owner))).toEqual([true, true, false])
  expect(visitsUntilShared(suspects, 'a')).toBe(4)
  expect([suspects.isApart('a'), suspects.isApart('b')]).toEqual([false, true])
})

test('whoever is inside again stays apart four times as long', () => {
  const suspects = new Suspects()
  const visits = [0, 1, 2, 3, 4, 5].map((nowMs) => {
    suspects.browserEnded(['a'], nowMs)
    return visitsUntilShared(suspects, 'a')
  })
  expect(visits).toEqual([4, 16, 64, 256, 1000, 1000])
})

test('an owner is known for a day', () => {
  const suspects = new Suspects()
  suspects.browserEnded(['a'], 0)
  suspects.browserEnded(['b'], dayMs + 1)
  suspects.browserEnded(['a'], dayMs + 2)
  expect([visitsUntilShared(suspects, 'a'), visitsUntilShared(suspects, 'b')]).toEqual([4, 4])
})

test('a disturbed owner is apart for one visit, which changes nothing about what it did', () => {
  const suspects = new Suspects()
  suspects.setApartOnce('a', 0)
  expect(visitsUntilShared(suspects, 'a')).toBe(1)
  suspects.browserEnded(['a'], 1)
  suspects.setApartOnce('a', 2)
  expect(visitsUntilShared(suspects, 'a')).toBe(4)
  suspects.setApartOnce('a', 3)
  expect(visitsUntilShared(suspects, 'a')).toBe(1)
  suspects.browserEnded(['a'], 4)
  expect(visitsUntilShared(suspects, 'a')).toBe(16)
})
