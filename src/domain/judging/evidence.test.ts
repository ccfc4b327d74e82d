import fc from 'fast-check'
import { expect, test } from 'vitest'
import { artifactTypeIds } from '../dictionaries.ts'
import { artifactLimits, checkLimit, keptSizes } from './evidence.ts'

test('what is within the limits is kept whole', () => {
  const sizes = artifactTypeIds.map((typeId) => ({ typeId, size: 1000 }))
  expect([...keptSizes(sizes)]).toEqual([
    ['content', 1000],
    ['har', 1000],
    ['screenshot', 1000],
  ])
  expect(keptSizes([]).size).toBe(0)
})

test('too long a page is cut, a picture or a HAR file that would be broken is left out', () => {
  const sizes = artifactTypeIds.map((typeId) => ({ typeId, size: artifactLimits[typeId] + 1 }))
  expect([...keptSizes(sizes)]).toEqual([
    ['content', artifactLimits.content],
    ['har', null],
    ['screenshot', null],
  ])
})

test('together they stay within the limit of a check, and the later ones give way', () => {
  const sizes = artifactTypeIds.map((typeId) => ({ typeId, size: artifactLimits[typeId] }))
  expect([...keptSizes(sizes)]).toEqual([
    ['content', artifactLimits.content],
    ['har', artifactLimits.har],
    ['screenshot', null],
  ])
})

test('no limit is ever passed', () => {
  const anySizes = fc.uniqueArray(
    fc.record({ typeId: fc.constantFrom(...artifactTypeIds), size: fc.nat(2 * checkLimit) }),
    { selector: ({ typeId }) => typeId },
  )
  fc.assert(
    fc.property(anySizes, (sizes) => {
      const kept = keptSizes(sizes)
      expect(kept.size).toBe(sizes.length)
      let total = 0
      for (const { typeId, size } of sizes) {
        const bytes = kept.get(typeId) ?? 0
        expect(bytes).toBeLessThanOrEqual(Math.min(size, artifactLimits[typeId]))
        total += bytes
      }
      expect(total).toBeLessThanOrEqual(checkLimit)
    }),
  )
})
