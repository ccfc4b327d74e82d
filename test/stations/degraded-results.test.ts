import { expect, test } from 'vitest'
import { readResult as readFromProcess } from '../../src/message-bus/read-items.ts'
import { answerTo } from '../../src/sensor/far/answer.ts'
import { resultText } from '../../src/sensor/far/plain-result.ts'
import { readResult as readFromStation, wireResult } from '../../src/sensor/far/wire-results.ts'
import type { CheckJob, CheckResult } from '../../src/sensor/protocol.ts'

const job: CheckJob = {
  ...{ serviceId: 7, sensorId: 3, typeId: 'https', address: 'shop.example', settings: {} },
  ...{ startAt: 1000, deadlineAt: 9000 },
}
const plain: CheckResult = {
  ...{ serviceId: 7, sensorId: 3, result: 'ok', startedAt: 1000, responseTime: 12, dataSize: 345 },
  ...{ errorTypeId: null, errorMessage: null, phases: null, steps: null, evidence: null },
}
const expiry = { kind: 'certificate', id: 'AA:BB', name: 'shop.example', endsAt: 1_800_000_000_000 } as const
const failed: CheckResult = { ...plain, result: 'error', errorTypeId: 2001, errorMessage: 'refused' }

/** By the wire of a far station. */
function overFarWire(result: CheckResult): CheckResult | null {
  const wire = readFromStation(JSON.parse(resultText(wireResult('a.1', result, result.startedAt))))
  return wire === null ? null : answerTo(job, wire, 2000)
}

/** By the exchange between processes. */
const overExchange = (result: unknown): CheckResult => readFromProcess(JSON.parse(JSON.stringify(result)))

test.each([
  ['nothing', plain],
  ['reasons', { ...plain, degraded: ['slow', 'assertion'] }],
  ['an end', { ...plain, expiry }],
  ['both', { ...plain, degraded: ['slow'], expiry }],
  ['an end of a check that failed', { ...failed, expiry }],
] as const)('%s comes over both wires as it was sent', (_case, result) => {
  expect(overFarWire(result)).toEqual(result)
  expect(overExchange(result)).toEqual(result)
})

test.each([
  ['reasons that nobody knows', { degraded: ['moody', 'slow', 7] }, { degraded: ['slow'] }],
  ['reasons that are no list', { degraded: 'slow' }, {}],
  ['an end without a kind', { expiry: { ...expiry, kind: 'mood' } }, {}],
  ['an end without a moment', { expiry: { ...expiry, endsAt: 'soon', ends_at: 'soon' } }, {}],
  ['an end before time', { expiry: { ...expiry, endsAt: -1, ends_at: -1 } }, {}],
  ['null', { degraded: null, expiry: null }, {}],
] as const)('%s: the rest of the result counts', (_case, strange, read) => {
  expect(overExchange({ ...plain, ...strange })).toEqual({ ...plain, ...read })
  const wire = readFromStation({ ...wireResult('a.1', plain, 1000), ...strange })
  expect(wire === null ? null : answerTo(job, wire, 2000)).toEqual({ ...plain, ...read })
})

test('a check that failed brings no reasons, and a long name is cut', () => {
  const long = { ...expiry, name: 'a'.repeat(5000) }
  const wire = readFromStation({ ...wireResult('a.1', { ...failed, degraded: ['slow'], expiry: long }, 1000) })
  const read = wire === null ? null : answerTo(job, wire, 2000)
  expect(read).not.toHaveProperty('degraded')
  expect(wire?.expiry?.name).toHaveLength(200)
  const { name = '' } = overExchange({ ...failed, expiry: long }).expiry ?? {}
  expect(name).toHaveLength(200)
})
