import { expect, test } from 'vitest'
import type { PackedAnalysis } from './analysis.ts'
import { withinEvidence } from './thin-evidence.ts'

const failure = {
  ...{ error_type_id: 1104, error_message: 'refused', base_url: `http://a.example/${'x'.repeat(5000)}` },
  ...{ response_headers: 'x'.repeat(50_000), facts: { port: 80 }, artifacts: [{ type_id: 'har' }] },
}

function analysis(analysisId: number, failures: unknown): PackedAnalysis {
  return {
    ...{ analysisId, verdict: 'failure', errorTolerance: 0, sensorIds: [7], results: ['e'], timeOffsets: [0] },
    ...{ responseTimes: [1], dataSizes: [1], phases: [], stepSetId: null, stepTimes: null },
    failures: failures === null ? null : JSON.stringify(failures),
  }
}

const day = [analysis(1, null), analysis(2, { '7': failure }), analysis(3, { '7': failure })]

test('evidence of a usual day stays as it is', () => {
  expect(withinEvidence(day)).toBe(day)
})

test('of a day with more evidence than any, reasons, messages and artifacts stay, and it is told what is gone', () => {
  const [ok, failed] = withinEvidence(day, 100_000)
  expect(ok).toBe(day[0])
  expect(JSON.parse(failed?.failures ?? '')).toEqual({
    '7': {
      ...failure,
      ...{ base_url: failure.base_url.slice(0, 1000), response_headers: null, facts: { evidence_thinned: true } },
    },
  })
})

test('what was thinned once is not too much again', () => {
  const once = withinEvidence(day, 100_000)
  expect(withinEvidence(once, 100_000)).toBe(once)
})
