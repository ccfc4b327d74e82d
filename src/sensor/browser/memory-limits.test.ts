import fc from 'fast-check'
import { expect, test } from 'vitest'
import { excessOf, heaviestBeyond, type ProcessMemory } from './memory-limits.ts'

const limits = { renderer: 100, other: 50, sum: 300 }
const process = (id: number, type: string, bytes: number): ProcessMemory => ({
  ...{ id, type, bytes },
  proportionalBytes: () => bytes,
})

test.each<[string, ProcessMemory[], { pages: readonly number[]; isWhole: boolean } | null]>([
  ['all are small', [process(1, 'browser', 50), process(2, 'renderer', 100)], null],
  [
    'a page is large',
    [process(1, 'browser', 50), process(2, 'renderer', 101), process(3, 'renderer', 9)],
    { pages: [2], isWhole: false },
  ],
  ['the browser itself is large', [process(1, 'browser', 51), process(2, 'renderer', 9)], { pages: [], isWhole: true }],
  ['a helper is large', [process(1, 'browser', 5), process(2, 'GPU', 51)], { pages: [], isWhole: true }],
  [
    'many pages below their limit take too much together',
    [process(1, 'browser', 9), ...[2, 3, 4, 5].map((id) => process(id, 'renderer', 99))],
    { pages: [], isWhole: true },
  ],
  [
    'ending the large page is enough for the sum',
    [process(1, 'browser', 9), process(2, 'renderer', 250), process(3, 'renderer', 90)],
    { pages: [2], isWhole: false },
  ],
])('%s', (_what, processes, expected) => {
  const excess = excessOf(processes, limits)
  expect(excess === null ? null : { pages: excess.pages, isWhole: excess.isWhole }).toEqual(expected)
})

test('what pages share counts once in the sum', () => {
  const sharing = [1, 2, 3, 4, 5].map((id) => ({ ...process(id, 'renderer', 90), proportionalBytes: () => 40 }))
  expect(excessOf(sharing, limits)).toBeNull()
})

test('whatever processes there are, what is left keeps every limit', () => {
  const one = fc
    .tuple(fc.nat(), fc.constantFrom('browser', 'renderer', 'GPU'), fc.nat(200))
    .map(([id, type, bytes]) => process(id, type, bytes))
  fc.assert(
    fc.property(fc.array(one, { maxLength: 12 }), (processes) => {
      const excess = excessOf(processes, limits)
      if (excess?.isWhole === true) return
      const left = processes.filter(({ type, bytes }) => excess === null || type !== 'renderer' || bytes <= 100)
      expect(left.every(({ type, bytes }) => bytes <= (type === 'renderer' ? 100 : 50))).toBe(true)
      expect(left.reduce((total, { bytes }) => total + bytes, 0)).toBeLessThanOrEqual(300)
    }),
  )
})

test.each<[string, [bytes: number, owners: number][], number | null]>([
  ['one browser is bounded by itself', [[900, 9]], null],
  [
    'two within the limit stay',
    [
      [200, 3],
      [100, 1],
    ],
    null,
  ],
  [
    'the one with the most for each owner ends',
    [
      [240, 9],
      [61, 1],
    ],
    1,
  ],
  [
    'one that nobody uses any more is its last owner’s',
    [
      [150, 2],
      [160, 0],
    ],
    1,
  ],
])('%s', (_what, browsers, expected) => {
  const named = browsers.map(([bytes, owners], index) => ({ bytes, owners, index }))
  expect(heaviestBeyond(300, named)?.heaviest.index ?? null).toBe(expected)
})
