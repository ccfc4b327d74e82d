import fc from 'fast-check'
import { expect, test } from 'vitest'
import { casesMet } from '../../../test/support/cases-met.ts'
import { requestedRange } from './byte-range.ts'

const parts = casesMet('ranges of a content')

test.each([
  ['bytes=0-0', { start: 0, end: 1 }],
  ['bytes=0-', { start: 0, end: 10 }],
  ['bytes=3-5', { start: 3, end: 6 }],
  ['bytes=9-999999999999999999999', { start: 9, end: 10 }],
  ['Bytes=-4', { start: 6, end: 10 }],
  ['bytes=-99', { start: 0, end: 10 }],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=10-20', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=5-4', 'whole'],
  ['bytes=0-1,3-4', 'whole'],
  ['bytes=', 'whole'],
  ['bytes=-', 'whole'],
  ['bytes=a-b', 'whole'],
  ['bytes 0-1', 'whole'],
  ['items=0-1', 'whole'],
  ['', 'whole'],
  [undefined, 'whole'],
])('%s of ten bytes', (header, expected) => {
  expect(requestedRange(header, 10)).toEqual(expected)
})

test('an empty content has no part', () => {
  for (const header of ['bytes=0-', 'bytes=-1', 'bytes=0-0']) expect(requestedRange(header, 0)).toBe('unsatisfiable')
})

test('a part is never empty and never leaves the content', () => {
  fc.assert(
    fc.property(fc.nat(), fc.option(fc.nat()), fc.nat(), (first, last, size) => {
      const requested = requestedRange(`bytes=${first}-${last ?? ''}`, size)
      const range = typeof requested === 'string' ? null : requested
      if (!parts(range)) return
      expect(range.start).toBe(first)
      expect(range.end).toBeGreaterThan(range.start)
      expect(range.end).toBeLessThanOrEqual(size)
    }),
  )
})
