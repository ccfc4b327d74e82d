import { expect, test } from 'vitest'
import type { CheckResult } from '../sensor/protocol.ts'
import type { ClaimedRound, RoundTarget } from '../service-state/claims.ts'
import type { Analysis } from './analysis.ts'
import { patienceOf } from './recordable-round.ts'

const claim: ClaimedRound = { serviceId: 1, claimNo: 3, dueAt: 0, reason: 'interval' }
const target: RoundTarget = {
  ...{ id: 1, type_id: 'http', address: 'shop.example', interval: 60, primary_account_id: 1 },
  ...{ extended_settings: {}, sensorIds: [1, 2], isSteady: true },
}
const check: CheckResult = {
  ...{ serviceId: 1, sensorId: 1, result: 'ok', startedAt: 0, responseTime: 20, dataSize: 1 },
  ...{ errorTypeId: null, errorMessage: null, phases: null, steps: null, evidence: null },
}

function analysisOf(...checks: readonly CheckResult[]): Analysis {
  return {
    ...{ typeId: 'http', analysisId: 1, decidedAt: 0, verdict: 'ok', errorTolerance: 50, warningDays: [] },
    checks,
  }
}

const good = analysisOf(check, { ...check, sensorId: 2 })

test.each([
  ['a steady service is ok again', claim, target, good, 1000],
  ['the next round comes soon', claim, { ...target, interval: 5 }, good, 250],
  ['its state is not known or another', claim, { ...target, isSteady: false }, good, 0],
  ['somebody asked for the round', { ...claim, reason: 'forced' }, target, good, 0],
  ['it confirms a failure', { ...claim, reason: 'confirmation' }, target, good, 0],
  ['one station failed', claim, target, analysisOf(check, { ...check, sensorId: 2, result: 'error' }), 0],
  ['one station did not answer', claim, target, analysisOf(check, { ...check, result: 'unknown' }), 0],
  ['it works, but badly', claim, target, analysisOf({ ...check, degraded: ['slow'] }), 0],
  ['nobody checked', claim, target, analysisOf(), 0],
  ['there is no analysis', claim, target, null, 0],
] as const)('%s: the round waits for others for at most so long', (_case, of, whose, analysis, milliseconds) => {
  expect(patienceOf(of, whose, analysis)).toBe(milliseconds)
})
