import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { BrowserPlaces } from './places.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Asks for `count` places at once; returns those that got one. */
function arrive(places: BrowserPlaces, count: number, waitMs = 10_000, ownerKey = 'a') {
  const states: ('waiting' | 'in' | 'refused' | 'left')[] = Array(count).fill('waiting')
  const leaves: (() => void)[] = []
  for (let index = 0; index < count; index += 1)
    places.enter(waitMs, ownerKey).then((leave) => {
      states[index] = leave === null ? 'refused' : 'in'
      leaves[index] = () => {
        states[index] = 'left'
        leave?.()
      }
    })
  return { states, leave: (index: number) => leaves[index]?.() }
}

test('who comes later waits until somebody leaves, in the order of the line', async () => {
  const { states, leave } = arrive(new BrowserPlaces({ usual: 2, most: 9 }), 4)
  await vi.advanceTimersByTimeAsync(500)
  expect(states).toEqual(['in', 'in', 'waiting', 'waiting'])
  leave(1)
  leave(1)
  await vi.advanceTimersByTimeAsync(0)
  expect(states).toEqual(['in', 'left', 'in', 'waiting'])
})

test('who can wait longer lets those in first who cannot', async () => {
  const places = new BrowserPlaces({ usual: 1, most: 1 })
  const first = arrive(places, 1)
  const patient = arrive(places, 1, 300_000)
  const hurried = arrive(places, 1, 60_000)
  await vi.advanceTimersByTimeAsync(0)
  first.leave(0)
  await vi.advanceTimersByTimeAsync(0)
  expect([...hurried.states, ...patient.states]).toEqual(['in', 'waiting'])
  hurried.leave(0)
  await vi.advanceTimersByTimeAsync(0)
  expect(patient.states).toEqual(['in'])
})

test('who has waited to the end enters beyond the usual number, until there are the most', async () => {
  const { states, leave } = arrive(new BrowserPlaces({ usual: 2, most: 3 }), 5)
  await vi.advanceTimersByTimeAsync(9999)
  expect(states).toEqual(['in', 'in', 'waiting', 'waiting', 'waiting'])
  await vi.advanceTimersByTimeAsync(1)
  expect(states).toEqual(['in', 'in', 'in', 'refused', 'refused'])
  leave(0)
  leave(1)
})

test('nobody enters for one who leaves from beyond the usual number', async () => {
  const places = new BrowserPlaces({ usual: 1, most: 2 })
  const first = arrive(places, 2, 1000)
  await vi.advanceTimersByTimeAsync(1000)
  const second = arrive(places, 1)
  first.leave(0)
  await vi.advanceTimersByTimeAsync(0)
  expect([...first.states, ...second.states]).toEqual(['left', 'in', 'waiting'])
  first.leave(1)
  await vi.advanceTimersByTimeAsync(0)
  expect(second.states).toEqual(['in'])
  expect(places.use).toEqual({ taken: 1, free: 0, waiting: 0 })
})

test('the owner with the fewest pages inside goes first, however short the wait of the others is', async () => {
  const places = new BrowserPlaces({ usual: 2, most: 9 })
  const first = [arrive(places, 1, 10_000, 'many'), arrive(places, 1, 10_000, 'few')]
  const many = arrive(places, 1, 1000, 'many')
  const none = arrive(places, 1, 300_000, 'none')
  await vi.advanceTimersByTimeAsync(0)
  expect([...many.states, ...none.states]).toEqual(['waiting', 'waiting'])
  first[1]?.leave(0)
  await vi.advanceTimersByTimeAsync(0)
  expect([...many.states, ...none.states]).toEqual(['waiting', 'in'])
})

test('an owner without a page enters at once beside one whose pages hang', async () => {
  const places = new BrowserPlaces({ usual: 2, most: 5 })
  const hanging = arrive(places, 20, 1000, 'greedy')
  await vi.advanceTimersByTimeAsync(1000)
  expect(hanging.states.filter((state) => state === 'in')).toHaveLength(5)
  const others = ['b', 'c', 'd'].map((owner) => arrive(places, owner === 'c' ? 2 : 1, 300_000, owner))
  await vi.advanceTimersByTimeAsync(0)
  // As many as the usual number stand aside, each owner with one page.
  expect(others.map(({ states }) => states)).toEqual([['in'], ['in', 'waiting'], ['waiting']])
  others[0]?.leave(0)
  await vi.advanceTimersByTimeAsync(0)
  expect(others.map(({ states }) => states[0])).toEqual(['left', 'in', 'in'])
})

test('owners that have one page each wait for one another', async () => {
  const places = new BrowserPlaces({ usual: 2, most: 9 })
  const owners = ['a', 'b', 'c'].map((owner) => arrive(places, 1, 10_000, owner))
  await vi.advanceTimersByTimeAsync(9999)
  expect(owners.map(({ states }) => states[0])).toEqual(['in', 'in', 'waiting'])
})

test('an owner without a page is not refused for the pages of others', async () => {
  const places = new BrowserPlaces({ usual: 1, most: 2 })
  const owners = ['a', 'b', 'c', 'd'].map((owner) => arrive(places, 1, 1000, owner))
  await vi.advanceTimersByTimeAsync(1000)
  expect(owners.map(({ states }) => states[0])).toEqual(['in', 'in', 'in', 'refused'])
})

test('beside hanging pages of another owner several stations judge a slow page, and a third owner has its place', async () => {
  const places = new BrowserPlaces({ usual: 4, most: 9 })
  const hanging = arrive(places, 20, 1000, 'greedy')
  await vi.advanceTimersByTimeAsync(1000)
  const stations = arrive(places, 3, 8000, 'slow')
  await vi.advanceTimersByTimeAsync(0)
  expect(stations.states).toEqual(['in', 'in', 'waiting'])
  await vi.advanceTimersByTimeAsync(8000)
  expect(stations.states).toEqual(['in', 'in', 'refused'])
  const another = arrive(places, 2, 8000, 'another')
  await vi.advanceTimersByTimeAsync(0)
  expect(another.states).toEqual(['in', 'waiting'])
  expect(hanging.states.filter((state) => state === 'in')).toHaveLength(9)
})
