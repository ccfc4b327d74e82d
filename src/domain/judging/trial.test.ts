import { expect, test } from 'vitest'
import { dayLength } from '../calendars/durations.ts'
import type { DegradedReason } from './degraded.ts'
import { reasonsOfCheck, reasonsOfTrial, type TrialCheck } from './trial.ts'

const now = Date.parse('2026-11-25T12:00:00Z')
const warningDays = [21, 7, 1]
const plain: TrialCheck = {
  ...{ sensorId: 1, result: 'ok', startedAt: now, responseTime: 12, dataSize: null, errorTypeId: null },
  ...{ errorMessage: null, phases: null, steps: null, evidence: null },
}
const expiry = (days: number, kind: 'certificate' | 'domain' = 'certificate') => ({
  expiry: { kind, id: 'a', name: 'shop.example', endsAt: now + days * dayLength },
})
const failed: TrialCheck = { ...plain, result: 'error' }
const unknown: TrialCheck = { ...plain, result: 'unknown' }
const slow: TrialCheck = { ...plain, degraded: ['slow'] }

test.each<[string, Partial<TrialCheck>, readonly DegradedReason[]]>([
  ['good', {}, []],
  ['slow', { degraded: ['slow'] }, ['slow']],
  ['with an old certificate', expiry(5), ['certificate']],
  ['with a domain that ends', expiry(5, 'domain'), ['domain']],
  [
    'slow, with an old certificate',
    { ...expiry(5), degraded: ['assertion', 'slow'] },
    ['slow', 'certificate', 'assertion'],
  ],
  ['with a certificate of some months', expiry(90), []],
  ['failed', { ...expiry(5), result: 'error', degraded: ['slow'] }, []],
])('a check that is %s', (_what, more, reasons) => {
  expect(reasonsOfCheck({ ...plain, ...more }, warningDays, now)).toEqual(reasons)
})

test.each<[string, readonly TrialCheck[], readonly DegradedReason[]]>([
  ['good everywhere', [plain, plain, plain], []],
  ['slow at one of three', [slow, plain, plain], []],
  ['slow at two of three', [slow, slow, plain], ['slow']],
  ['a failure that few see', [failed, plain, plain], ['minority']],
  ['an old certificate at one', [plain, { ...plain, ...expiry(5) }, unknown], ['certificate']],
])('a trial with %s', (_what, checks, reasons) => {
  const tried = { verdict: 'ok', errorTolerance: 51, warningDays, decidedAt: now, checks } as const
  expect(reasonsOfTrial(tried)).toEqual(reasons)
  expect(reasonsOfTrial({ ...tried, verdict: 'failure' })).toEqual([])
  expect(reasonsOfTrial({ ...tried, warningDays: [] })).not.toContain('certificate')
})
