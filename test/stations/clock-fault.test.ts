import { expect, test } from 'vitest'
import { type ErrorTypeSymbol, errorType, errorTypeById } from '../../src/domain/judging/error-types.ts'
import { withoutClockFault } from '../../src/sensor/far/clock-fault.ts'
import type { CheckResult } from '../../src/sensor/protocol.ts'

const coreAt = Date.UTC(2026, 10, 22)
const day = 86_400_000

/** A failed check of a certificate that is valid for so many days before and after the core's present. */
function failed(symbol: ErrorTypeSymbol, [before, after]: readonly [number, number]): CheckResult {
  const facts = {
    certificate_valid_from: new Date(coreAt - before * day).toUTCString(),
    certificate_valid_to: new Date(coreAt + after * day).toUTCString(),
  }
  const evidence = { base_url: '', ip_address: null, status_code: null, response_headers: null, content_type: null }
  return {
    ...{ serviceId: 1, sensorId: 1, result: 'error', startedAt: coreAt, responseTime: 5, dataSize: null, phases: null },
    ...{ errorTypeId: errorType(symbol).id, errorMessage: 'bad', steps: null },
    evidence: { ...evidence, file_name: null, facts, artifacts: [] },
  }
}

const year = 365 * day

test.each<[ErrorTypeSymbol, readonly [number, number], number, 'error' | 'unknown']>([
  ['certificate_expired', [30, 30], year, 'unknown'],
  ['certificate_expired', [30, -1], year, 'error'],
  ['certificate_not_yet_valid', [30, 30], -year, 'unknown'],
  ['certificate_not_yet_valid', [-1, 30], -year, 'error'],
  ['certificate_expires_soon', [30, 30], year, 'unknown'],
  ['certificate_expired', [30, 30], 1000, 'error'],
  ['server_clock_off', [30, 30], -year, 'unknown'],
  ['server_clock_off', [30, 30], 1000, 'error'],
  ['certificate_wrong_host', [30, 30], year, 'error'],
])('%s of a certificate valid from −%j days, by a clock that is off by %i ms: %s', (symbol, days, offset, result) => {
  const told = withoutClockFault(failed(symbol, days), offset, coreAt)
  expect(told.result).toBe(result)
  expect(errorTypeById(told.errorTypeId ?? 0)?.symbol).toBe(result === 'error' ? symbol : 'sensor_clock_off')
})

test('an assertion about the days of a certificate depends on the clock, another one does not', () => {
  const plain = failed('assertion_failed', [30, 30])
  const facts = { ...plain.evidence?.facts, failed_by_clock: true }
  const ofDays = { ...plain, evidence: plain.evidence === null ? null : { ...plain.evidence, facts } }
  expect(withoutClockFault(ofDays, -year, coreAt).result).toBe('unknown')
  expect(withoutClockFault(ofDays, 1000, coreAt).result).toBe('error')
  expect(withoutClockFault(plain, -year, coreAt).result).toBe('error')
})
