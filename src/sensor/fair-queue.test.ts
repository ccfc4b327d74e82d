import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FairQueue } from './fair-queue.ts'

interface Job {
  readonly ownerKey: string
  readonly endsAt: number
  readonly name: string
}

const never = 10 ** 9
const options = { budgetMs: 20_000, windowMs: 60_000 }

function job(ownerKey: string, name: string, endsAt = never): Job {
  return { ownerKey, name: `${ownerKey}${name}`, endsAt }
}

/** Processes the waiting jobs, each in `tookMs` milliseconds, and returns their order. */
function workOff(queue: FairQueue<Job>, now: number, tookMs: (job: Job) => number): string[] {
  const order: string[] = []
  for (let at = now, next = queue.take(at); next !== undefined; next = queue.take(at)) {
    order.push(next.name)
    at += tookMs(next)
    queue.charge(next.ownerKey, tookMs(next), at)
  }
  return order
}

test('who asks for much does not hold up who asks for little', () => {
  const queue = new FairQueue<Job>(options)
  for (const name of '123') queue.add(job('greedy', name), 0)
  queue.add(job('modest', '1'), 1)
  const order = workOff(queue, 2, ({ ownerKey }) => (ownerKey === 'greedy' ? 1500 : 5))
  expect(order).toEqual(['greedy1', 'modest1', 'greedy2', 'greedy3'])
})

test('owners that use the same alternate, and the jobs of each stay in order', () => {
  const queue = new FairQueue<Job>(options)
  for (const name of '12') for (const owner of 'abc') queue.add(job(owner, name), 0)
  expect(workOff(queue, 0, () => 100)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2'])
})

test('what was used is forgotten in the course of a window', () => {
  const queue = new FairQueue<Job>(options)
  queue.charge('a', 1500, 0)
  queue.add(job('a', '1'), 10_000)
  queue.charge('b', 5, 10_000)
  queue.add(job('b', '1'), 10_000)
  expect(queue.take(10_000)?.name).toBe('a1')
})

test('who has used its budget waits until some of it is forgotten, while others use the worker too', () => {
  const queue = new FairQueue<Job>(options)
  queue.charge('greedy', 20_300, 0)
  queue.add(job('greedy', '1'), 0)
  expect(queue.take(0)?.name).toBe('greedy1')
  queue.charge('modest', 1, 0)
  queue.add(job('greedy', '2'), 0)
  expect([queue.take(0), queue.take(899)]).toEqual([undefined, undefined])
  expect(queue.nextAt(0)).toBeCloseTo(901)
  expect(queue.take(901)?.name).toBe('greedy2')
  expect(queue.nextAt(901)).toBeNull()
})

test('a single owner has no budget, and is alone again when others have not asked for a window', () => {
  const queue = new FairQueue<Job>(options)
  queue.charge('a', 90_000, 0)
  queue.charge('b', 1, 0)
  queue.add(job('a', '1'), 59_999)
  expect([queue.take(59_999), queue.take(60_000)?.name]).toEqual([undefined, 'a1'])
})

test('what expires is dropped with its reason and never handed out', () => {
  const queue = new FairQueue<Job>(options)
  queue.charge('greedy', 40_000, 0)
  queue.add(job('greedy', '1', 100), 0)
  queue.add(job('modest', '1', 50), 0)
  queue.add(job('modest', '2', 200), 0)
  expect(queue.nextAt(0)).toBe(50)
  expect(queue.takeExpired(49)).toEqual([])
  expect(queue.takeExpired(100).map(([{ name }, reason]) => [name, reason])).toEqual([
    ['greedy1', 'budget'],
    ['modest1', 'late'],
  ])
  expect([queue.take(100)?.name, queue.take(100)]).toEqual(['modest2', undefined])
})

/** The longest single search. */
const slice = 1500
const asked = fc.record({
  owner: fc.integer({ min: 1, max: 6 }),
  atMs: fc.integer({ min: 0, max: 60_000 }),
  tookMs: fc.integer({ min: 1, max: slice }),
})

test('whoever asks for one small thing waits for one slice of each other owner at most', () => {
  let met = 0
  fc.assert(
    fc.property(fc.array(asked, { maxLength: 120 }), fc.integer({ min: 0, max: 60_000 }), (others, smallAt) => {
      const queue = new FairQueue<Job>(options)
      const tookMs = new Map<string, number>()
      const coming = others
        .map(({ owner, atMs, ...rest }, index) => ({ ...rest, atMs, job: job(`other ${owner} `, String(index)) }))
        .concat({ atMs: smallAt, tookMs: 5, job: job('small', '') })
        .toSorted((one, other) => one.atMs - other.atMs)
      for (const one of coming) tookMs.set(one.job.name, one.tookMs)
      const owners = new Set(others.map(({ owner }) => owner))
      let now = 0
      for (;;) {
        while ((coming[0]?.atMs ?? never) <= now) queue.add(coming.shift()?.job ?? job('', ''), now)
        const next = queue.take(now)
        if (next?.name === 'small') break
        if (next === undefined) now = Math.min(coming[0]?.atMs ?? never, queue.nextAt(now) ?? never)
        else {
          now += tookMs.get(next.name) ?? 0
          queue.charge(next.ownerKey, tookMs.get(next.name) ?? 0, now)
        }
      }
      expect(now - smallAt).toBeLessThanOrEqual(slice * owners.size)
      met += 1
    }),
  )
  expect(met).toBeGreaterThanOrEqual(100)
})

test('no owner that others use the worker beside gets more than its budget and a slice in a window', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: slice }), { minLength: 60, maxLength: 120 }), (takes) => {
      const queue = new FairQueue<Job>(options)
      for (const [index] of takes.entries()) queue.add(job('greedy', String(index)), 0)
      let usedMs = 0
      let now = 0
      let index = 0
      while (now < options.windowMs) {
        queue.add(job('modest', '', now + 1), now)
        queue.takeExpired(now + 1)
        const next = queue.take(now)
        if (next === undefined) now = queue.nextAt(now) ?? options.windowMs
        else {
          const tookMs = takes[index++] ?? 0
          if (now < options.windowMs) usedMs += tookMs
          now += tookMs
          queue.charge('greedy', tookMs, now)
        }
      }
      // The initial budget, the part restored meanwhile, and the last search that went beyond it.
      expect(usedMs).toBeLessThanOrEqual(2 * options.budgetMs + slice)
    }),
  )
})

test('nothing gets lost: everything added is handed out or dropped, once, and never after its end', () => {
  const added = fc.record({
    owner: fc.constantFrom('a', 'b', 'c'),
    atMs: fc.integer({ min: 0, max: 5000 }),
    patienceMs: fc.integer({ min: 1, max: 5000 }),
    tookMs: fc.integer({ min: 1, max: 1500 }),
  })
  fc.assert(
    fc.property(fc.array(added, { maxLength: 60 }), (all) => {
      const queue = new FairQueue<Job>({ budgetMs: 500, windowMs: 5000 })
      const coming = all
        .map((one, index) => ({ ...one, job: job(one.owner, String(index), one.atMs + one.patienceMs) }))
        .toSorted((one, other) => one.atMs - other.atMs)
      const expected = coming.map((one) => one.job.name).toSorted()
      const tookMs = new Map(coming.map((one) => [one.job.name, one.tookMs]))
      const seen: string[] = []
      let now = 0
      while (coming.length > 0 || queue.nextAt(now) !== null) {
        now = Math.max(now, Math.min(coming[0]?.atMs ?? never, queue.nextAt(now) ?? never))
        for (;;) {
          while ((coming[0]?.atMs ?? never) <= now) queue.add(coming.shift()?.job ?? job('', ''), now)
          for (const [{ name }] of queue.takeExpired(now)) seen.push(name)
          const next = queue.take(now)
          if (next === undefined) break
          expect(next.endsAt).toBeGreaterThan(now)
          seen.push(next.name)
          now += tookMs.get(next.name) ?? 0
          queue.charge(next.ownerKey, tookMs.get(next.name) ?? 0, now)
        }
      }
      expect(seen.toSorted()).toEqual(expected)
    }),
  )
})
