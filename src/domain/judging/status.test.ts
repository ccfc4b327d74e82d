import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type CheckStatus,
  type MonitoringStatus,
  type StatusMemory,
  statusAfter,
  summaryTable,
  validUntil,
} from './status.ts'

function summariesOf(monitoring: MonitoringStatus, check: CheckStatus, isUpToDate: boolean): readonly string[] {
  const applying = summaryTable.filter(
    (row) =>
      row.monitoring === monitoring && (row.check ?? check) === check && (row.isUpToDate ?? isUpToDate) === isUpToDate,
  )
  return applying.map(({ summary }) => summary)
}

test.each<[MonitoringStatus, CheckStatus, boolean, string]>([
  ['on', 'failure', true, 'failure'],
  ['on', 'ok', true, 'ok'],
  ['on', 'ok', false, 'unknown'],
  ['on', 'failure', false, 'unknown'],
  ['off', 'ok', true, 'paused'],
  ['off', 'failure', false, 'paused'],
  ['suspended', 'ok', true, 'suspended'],
  ['suspended', 'failure', false, 'suspended'],
])('monitoring %s, last check %s, up to date %o: %s', (monitoring, check, isUpToDate, summary) => {
  expect(summariesOf(monitoring, check, isUpToDate)).toEqual([summary])
})

test('exactly one row of the table applies to every combination', () => {
  for (const monitoring of ['on', 'off', 'suspended'] as const)
    for (const check of ['ok', 'failure'] as const)
      for (const isUpToDate of [true, false]) expect(summariesOf(monitoring, check, isUpToDate)).toHaveLength(1)
})

test('a verdict is valid for two intervals and a minute', () => {
  expect(validUntil(0, 600)).toBe(1_260_000)
})

test('the status remembers the last analysis of each kind and when the verdict last changed', () => {
  const verdicts = fc.array(fc.constantFrom<CheckStatus>('ok', 'failure'), { minLength: 1, maxLength: 20 })
  const property = fc.property(verdicts, (given) => {
    let memory: StatusMemory = {
      checkStatus: 'ok',
      lastChangeAt: null,
      lastAnalysis: null,
      lastOkAnalysis: null,
      lastFailureAnalysis: null,
    }
    given.forEach((verdict, index) => {
      memory = statusAfter(memory, verdict, { analysisId: index, at: index * 1000 })
    })
    const last = given.length - 1
    const lastOf = (verdict: CheckStatus) => (given.includes(verdict) ? given.lastIndexOf(verdict) : undefined)
    expect(memory.checkStatus).toBe(given[last])
    expect(memory.lastAnalysis?.analysisId).toBe(last)
    expect(memory.lastOkAnalysis?.analysisId).toBe(lastOf('ok'))
    expect(memory.lastFailureAnalysis?.analysisId).toBe(lastOf('failure'))
    const opposite = given.lastIndexOf(given[last] === 'ok' ? 'failure' : 'ok')
    expect(memory.lastChangeAt).toBe((opposite + 1) * 1000)
  })
  fc.assert(property)
})
