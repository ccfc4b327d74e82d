import fc from 'fast-check'
import { expect, test } from 'vitest'
import { roundHeap } from '../../src/monitoring/round-heap.ts'

test('rounds come out in the order of their starts, however they went in', () => {
  const moves = fc.array(fc.oneof(fc.integer({ min: 0, max: 50 }), fc.constant('pop' as const)), { maxLength: 200 })
  const property = fc.property(moves, (given) => {
    const heap = roundHeap<number>()
    const model: number[] = []
    for (const move of given) {
      if (move === 'pop') expect(heap.pop()).toBe(model.shift())
      else {
        heap.push(move, move)
        model.push(move)
        model.sort((one, other) => one - other)
      }
      expect(heap.size).toBe(model.length)
      expect(heap.nextStart()).toBe(model[0] ?? Number.POSITIVE_INFINITY)
    }
    expect(heap.clear().toSorted((one, other) => one - other)).toEqual(model)
    expect(heap.size).toBe(0)
  })
  fc.assert(property)
})
