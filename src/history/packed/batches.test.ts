import fc from 'fast-check'
import { expect, test } from 'vitest'
import { batchesOf } from './batches.ts'

const service = fc.record({
  serviceId: fc.nat(),
  weight: fc.oneof(fc.nat({ max: 3_000_000 }), fc.nat({ max: 40_000_000 })),
  isTooMuch: fc.boolean(),
})

test('batches are all services in order, of ten at most and no more than a batch may weigh, and no smaller than that', () => {
  fc.assert(
    fc.property(fc.array(service, { maxLength: 40 }), (services) => {
      const batches = batchesOf(services)
      expect(batches.flat()).toEqual(services)
      const weightOf = (batch: typeof services) => batch.reduce((sum, { weight }) => sum + weight, 0)
      for (const [index, batch] of batches.entries()) {
        expect(batch.length).toBeGreaterThan(0)
        expect(batch.length).toBeLessThanOrEqual(10)
        if (batch.length > 1) expect(weightOf([...batch])).toBeLessThanOrEqual(16_777_216)
        const next = batches[index + 1]?.slice(0, 1) ?? []
        const isFull = batch.length === 10 || weightOf([...batch, ...next]) > 16_777_216
        expect(next.length === 0 || isFull).toBe(true)
      }
    }),
  )
})
