import { expect, test } from 'vitest'
import { databaseAftermath, farAftermath } from '../../bench/operator/aftermath.ts'
import type { RoundFacts } from '../../bench/operator/audit.ts'
import { missedFaults } from '../../bench/operator/incident-lines.ts'
import type { Incident } from '../../bench/operator/incidents.ts'
import type { Measured } from '../../bench/operator/report.ts'

/** The audit of the operator's bench (`bench/operator`) blames an incident for its own cost and for nothing else. */
const startsAt = Date.UTC(2026, 0, 1)
const second = 1000

/** A round each second, decided a tenth later. */
function rounds(change: (second: number) => Partial<RoundFacts>): RoundFacts[] {
  return Array.from({ length: 60 }, (_none, place) => {
    const dueAt = startsAt + place * second
    return { serviceId: 1, dueAt, decidedAt: dueAt + 100, far: 'o', shouldFail: false, ...change(place) }
  })
}

const incident = (kind: Incident['kind'], from: number, to: number): Incident => ({
  ...{ kind, from: startsAt + from * second, to: startsAt + to * second },
})

test('an ended database costs the rounds until others are held; one that is missed elsewhere stays a fault', () => {
  const ended = incident('database ended', 19.5, 22)
  const each = rounds((place) => ((place > 19 && place < 25) || place === 40 ? { decidedAt: null } : {}))
  const { silence, missed, cost } = databaseAftermath(each, ended)
  expect(silence).toEqual({ from: startsAt + 19_000, to: startsAt + 25_000 })
  expect([missed, cost]).toEqual([5, { from: ended.from, to: startsAt + 25_000 }])
  const measured = { incidents: [ended], rounds: { each } } as unknown as Measured
  expect(missedFaults(measured)).toEqual(['service 1: the round of 00:00:40.000 was missed'])
})

test('a killed station is unknown from its end to its return; its errors elsewhere are counted', () => {
  const killed = incident('far station killed', 9.5, 29.5)
  const each = rounds((place) => {
    if (place === 30) return { far: 'e' }
    if (place === 31) return { far: 'e', shouldFail: true }
    return { far: place > 9 && place < 31 ? 'u' : 'o' }
  })
  const after = farAftermath(each, killed)
  expect(after.meanwhile).toEqual({ rounds: 20, unknown: 20, falseErrors: 0 })
  expect(after.otherwise).toEqual({ rounds: 40, unknown: 0, falseErrors: 1 })
  expect([after.unknownFrom, after.unknownTo]).toEqual([startsAt + 10_000, startsAt + 29_000])
})
