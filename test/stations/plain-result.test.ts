import fc from 'fast-check'
import { expect, test } from 'vitest'
import { degradedReasons } from '../../src/domain/judging/degraded.ts'
import { largest } from '../../src/sensor/bounds.ts'
import { readPlainResult, resultText } from '../../src/sensor/far/plain-result.ts'
import type { WireResult } from '../../src/sensor/far/result-schema.ts'
import { readResultBySchema } from '../../src/sensor/far/wire-results.ts'

const odd = fc.constantFrom<unknown>(
  ...[undefined, null, '', 'ok', -1, 0, 1.5, 2 ** 31 - 1, 2 ** 31, 1e300, 8.64e15, 8.64e15 + 2, true, [], {}, [1], -0],
)
/** Nearly always right: a result is read by hand only if nothing of it is odd. */
const mostly = (right: fc.Arbitrary<unknown>) => fc.oneof({ weight: 20, arbitrary: right }, odd)
const time = mostly(fc.double({ min: 0, max: largest.phaseMs, noNaN: true }))
const phases = mostly(
  fc.record(
    { dns: time, connect: time, tls: time, sent: time, first_byte: time, transfer: time, later: fc.anything() },
    { requiredKeys: [] },
  ),
)
const result = fc.record(
  {
    id: mostly(fc.string({ minLength: 1, maxLength: 70 })),
    result: mostly(fc.constantFrom('ok', 'error', 'unknown', 'splendid')),
    started_at: mostly(fc.nat()),
    response_time: mostly(fc.nat(largest.responseMs + 1)),
    data_size: mostly(fc.nat()),
    error_type_id: mostly(fc.nat()),
    error_message: mostly(fc.constant(null)),
    phases,
    steps: mostly(fc.constant(null)),
    evidence: mostly(fc.constant(null)),
    degraded: mostly(fc.subarray(['slow', 'minority', 'moody'])),
    expiry: mostly(
      fc.record({
        kind: fc.constantFrom('certificate', 'mood'),
        id: fc.string(),
        name: fc.string(),
        ends_at: mostly(fc.nat()),
      }),
    ),
    later: fc.anything(),
  },
  { requiredKeys: ['id', 'result', 'started_at'] },
)

test('what is read by hand is what the schema reads', () => {
  let readByHand = 0
  fc.assert(
    fc.property(fc.oneof({ weight: 20, arbitrary: result }, fc.anything()), (given) => {
      // As it comes over the wire.
      const sent: unknown = JSON.parse(JSON.stringify(given) ?? 'null')
      const plain = readPlainResult(sent)
      if (plain === null) return
      readByHand += 1
      expect(plain).toEqual(readResultBySchema(sent))
    }),
    { numRuns: 5000 },
  )
  expect(readByHand).toBeGreaterThan(500)
})

test('the result of a page that is well is read by hand', () => {
  const phasesOfIt = { dns: 0.5, connect: 1.2, tls: null, sent: 0.1, first_byte: 9, transfer: 1 }
  const sent = { id: 'a.1', result: 'ok', started_at: 1, response_time: 12, data_size: 345, phases: phasesOfIt }
  expect(readPlainResult({ ...sent, mood: 'fine' })).toEqual(readResultBySchema(sent))
  expect(readPlainResult(sent)).not.toBeNull()
})

const number = fc.oneof(fc.double(), fc.nat(), fc.constant(null))
const written: fc.Arbitrary<WireResult> = fc.record({
  id: fc.string(),
  result: fc.constantFrom('ok', 'error', 'unknown'),
  started_at: fc.double(),
  response_time: number,
  data_size: number,
  error_type_id: number,
  error_message: fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, fc.string()),
  phases: fc.option(
    fc.record({ dns: number, connect: number, tls: number, sent: number, first_byte: number, transfer: number }),
  ),
  steps: fc.constant(null),
  evidence: fc.constant(null),
  degraded: fc.subarray([...degradedReasons]),
  expiry: fc.option(
    fc.record({ kind: fc.constant('certificate' as const), id: fc.string(), name: fc.string(), ends_at: fc.nat() }),
  ),
})

test('what is written by hand is what JSON has', () => {
  fc.assert(
    fc.property(written, (result) => {
      const { degraded, expiry, ...others } = result
      // Most results have neither, so the hand writes neither.
      const said = { ...(degraded.length === 0 ? {} : { degraded }), ...(expiry === null ? {} : { expiry }) }
      const isPlain = result.error_message === null
      expect(JSON.parse(resultText(result))).toEqual(
        JSON.parse(JSON.stringify(isPlain ? { ...others, ...said } : result)),
      )
    }),
  )
})
