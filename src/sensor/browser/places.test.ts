import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Places } from './places.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Asks for so many places at once; tells who is in. */
function arrive(places: Places, count: number, waitMs = 10_000) {
  const states: ('waiting' | 'in' | 'refused' | 'left')[] = Array(count).fill('waiting')
  const leaves: (() => void)[] = []
  for (let index = 0; index < count; index += 1)
    places.enter(waitMs).then((leave) => {
      states[index] = leave === null ? 'refused' : 'in'
      leaves[index] = () => {
        states[index] = 'left'
        leave?.()
      }
    })
  return { states, leave: (index: number) => leaves[index]?.() }
}

test('who comes later waits until somebody leaves, in the order of the line', async () => {
  const { states, leave } = arrive(new Places({ usual: 2, most: 9 }), 4)
  await vi.advanceTimersByTimeAsync(500)
  expect(states).toEqual(['in', 'in', 'waiting', 'waiting'])
  leave(1)
  leave(1)
  await vi.advanceTimersByTimeAsync(0)
  expect(states).toEqual(['in', 'left', 'in', 'waiting'])
})

test('while somebody leaves now and then nobody enters beyond the usual number', async () => {
  const { states, leave } = arrive(new Places({ usual: 1, most: 9 }), 5, 60_000)
  for (let turn = 0; turn < 4; turn += 1) {
    await vi.advanceTimersByTimeAsync(900)
    expect(states.filter((state) => state === 'in')).toHaveLength(1)
    leave(turn)
  }
})

test('while nobody leaves one enters each second, until there are the most', async () => {
  const { states, leave } = arrive(new Places({ usual: 2, most: 4 }), 6)
  const inside = () => states.filter((state) => state === 'in').length
  await vi.advanceTimersByTimeAsync(1000)
  expect(inside()).toBe(3)
  await vi.advanceTimersByTimeAsync(3000)
  expect(inside()).toBe(4)
  for (const index of [0, 1]) leave(index)
  await vi.advanceTimersByTimeAsync(500)
  expect([inside(), states[4]]).toEqual([2, 'waiting'])
  leave(2)
  await vi.advanceTimersByTimeAsync(0)
  expect([inside(), states[4]]).toEqual([2, 'in'])
})

test('arrivals do not put off the one who waits, nor does one who gives up hold the line', async () => {
  const places = new Places({ usual: 1, most: 2 })
  const first = arrive(places, 2)
  await vi.advanceTimersByTimeAsync(600)
  const second = arrive(places, 2, 200)
  await vi.advanceTimersByTimeAsync(400)
  expect([first.states, second.states]).toEqual([
    ['in', 'in'],
    ['refused', 'refused'],
  ])
  const third = arrive(places, 1)
  first.leave(0)
  first.leave(1)
  await vi.advanceTimersByTimeAsync(0)
  expect(third.states).toEqual(['in'])
})
