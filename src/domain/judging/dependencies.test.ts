import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Ancestor, type Dependence, dependenceOf, independent, longestWait, waitsUntil } from './dependencies.ts'

const healthy: Ancestor = {
  serviceId: 1,
  level: 1,
  state: 'ok',
  sinceAt: 0,
  isMonitored: true,
  isKnown: true,
  isUntried: false,
  isNotified: true,
  lastDueAt: 1000,
}
const failed: Ancestor = { ...healthy, state: 'failure' }
const child = { failedAt: 1000, previousAt: null }

describe('what an ancestor means', () => {
  test.each<[string, Partial<Ancestor>, Partial<Dependence>]>([
    ['that works since the failure', {}, {}],
    ['that has failed', { state: 'failure' }, { heldBy: 1 }],
    ['that has failed and is paused', { state: 'failure', isMonitored: false }, {}],
    ['that is paused', { state: 'paused', isMonitored: false, lastDueAt: null }, {}],
    ['whose failure nobody is told of', { state: 'failure', isNotified: false, lastDueAt: 0 }, {}],
    ['of which nothing is known now', { state: 'failure', isKnown: false, isUntried: true, lastDueAt: 0 }, {}],
    ['whose verdict is out of date', { state: 'failure', isKnown: false }, {}],
    ['that was not analysed since', { lastDueAt: 999 }, { unheardIds: [1] }],
    ['that was never analysed', { state: null, sinceAt: null, isKnown: false, lastDueAt: null }, { unheardIds: [1] }],
    ['that has recovered since', { sinceAt: 1001, lastDueAt: 1001 }, { unheardIds: [1], recoveredAt: 1001 }],
  ])('%s', (_name, changed, expected) => {
    expect(dependenceOf(child, [{ ...healthy, ...changed }])).toEqual({ ...independent, ...expected })
  })

  test('one that has recovered counts as heard after the failure was found again', () => {
    const found = { failedAt: 1000, previousAt: 2000 }
    const recovered = { ...healthy, sinceAt: 1500 }
    expect(dependenceOf(found, [{ ...recovered, lastDueAt: 1999 }]).unheardIds).toEqual([1])
    expect(dependenceOf(found, [{ ...recovered, lastDueAt: 2000 }]).unheardIds).toEqual([])
  })

  test('the cause is the highest that has failed', () => {
    const chain = [failed, { ...healthy, serviceId: 2, level: 2 }, { ...failed, serviceId: 4, level: 3 }]
    expect(dependenceOf(child, chain).heldBy).toBe(4)
    expect(dependenceOf(child, [...chain, { ...failed, serviceId: 3, level: 3 }]).heldBy).toBe(3)
  })
})

describe('the wait', () => {
  const unheard: Dependence = { ...independent, unheardIds: [1] }

  test('is none without ancestors, and at last ends', () => {
    expect(waitsUntil(independent, 0, 0)).toBeNull()
    expect(waitsUntil(unheard, 0, longestWait)).toBeNull()
    expect(waitsUntil({ ...unheard, recoveredAt: 5000 }, 0, longestWait)).toBe(longestWait + 5000)
    expect(waitsUntil({ ...independent, heldBy: 1 }, 0, 10 * longestWait)).toBe(11 * longestWait)
  })

  test('looks at 5, 10, 20, 40 and 60 seconds', () => {
    const moments: number[] = []
    for (let now: number | null = 0; now !== null && moments.length < 10; now = waitsUntil(unheard, 0, now))
      moments.push(now / 1000)
    expect(moments).toEqual([0, 5, 10, 20, 40, 60])
  })

  test('of verdicts that never come ends within a minute of the moment of telling', () => {
    fc.assert(
      fc.property(fc.nat(1e9), fc.nat(2 * longestWait), (tellAt, late) => {
        let now: number | null = tellAt + late
        let last = now
        for (let looks = 0; now !== null; looks++) {
          expect(looks).toBeLessThan(10)
          last = now
          const next: number | null = waitsUntil(unheard, tellAt, now)
          expect(next ?? Number.POSITIVE_INFINITY).toBeGreaterThan(now)
          now = next
        }
        expect(last).toBeLessThanOrEqual(Math.max(tellAt + longestWait, tellAt + late))
      }),
    )
  })
})
