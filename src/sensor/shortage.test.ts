import { expect, test } from 'vitest'
import { Shortage } from './shortage.ts'

test('a shortage is told once when it begins and once when no check has met it for a while', () => {
  const told: boolean[] = []
  const shortage = new Shortage(15_000, (isShort) => told.push(isShort))
  shortage.look(0)
  for (const now of [1000, 2000, 14_000]) shortage.meet(now)
  shortage.look(28_000)
  expect([told, shortage.isOn]).toEqual([[true], true])
  shortage.look(29_000)
  shortage.look(60_000)
  expect([told, shortage.isOn]).toEqual([[true, false], false])
  shortage.meet(61_000)
  expect(told).toEqual([true, false, true])
})
