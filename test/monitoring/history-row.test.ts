import { expect, test } from 'vitest'
import type { KeptArtifacts } from '../../src/monitoring/evidence.ts'
import { rowOf } from '../../src/monitoring/history-row.ts'
import type { CheckResult, StepResult } from '../../src/sensor/protocol.ts'

const decidedAt = Date.UTC(2026, 10, 21)
const claim = { serviceId: 7, claimNo: 1, dueAt: decidedAt, reason: 'interval' as const }

function check(sensorId: number, result: CheckResult['result'], steps: readonly StepResult[] | null): CheckResult {
  const measured = { responseTime: null, dataSize: null, phases: null, evidence: null }
  const error = result === 'ok' ? null : 8101
  return {
    serviceId: 7,
    sensorId,
    result,
    startedAt: decidedAt,
    ...measured,
    errorTypeId: error,
    errorMessage: null,
    steps,
  }
}

function row(...checks: readonly CheckResult[]) {
  const artifacts: KeptArtifacts = new Map()
  const analysis = {
    typeId: 'http',
    analysisId: decidedAt * 100,
    verdict: 'ok' as const,
    warningDays: [],
    errorTolerance: 51,
    checks,
    decidedAt,
  }
  return rowOf({ claim, artifacts }, analysis)
}

const ok = (name: string, responseTime: number): StepResult => ({ name, result: 'ok', responseTime })
const failed = (name: string, responseTime: number): StepResult => ({ name, result: 'error', responseTime })
const notRun = (name: string): StepResult => ({ name, result: 'not_run', responseTime: null })

test('the steps of all sensors are kept, and of a failed check the step where it failed', () => {
  const kept = row(
    check(1, 'ok', [ok('Open', 120), ok('Log in', 80)]),
    check(2, 'error', [ok('Open', 90), failed('Log in', 300)]),
    check(3, 'unknown', null),
    check(4, 'error', [failed('Open', 0), notRun('Log in')]),
  )
  expect(kept.steps).toEqual({ names: ['Open', 'Log in'], times: [120, 80, 90, -302, -1, -1, -2, -1] })
  expect(Object.entries(kept.failures ?? {}).map(([id, failure]) => [id, failure['path_step']])).toEqual([
    ['2', 'Log in'],
    ['3', null],
    ['4', 'Open'],
  ])
})

test('a round without steps keeps none', () => {
  expect(row(check(1, 'ok', null), check(2, 'error', null)).steps).toBeNull()
})
