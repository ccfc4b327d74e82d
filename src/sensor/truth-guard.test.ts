import { constantFrom, double, property, assert as verify } from 'fast-check'
import { expect, test } from 'vitest'
import { errorType, errorTypeById, errorTypes } from '../domain/judging/error-types.ts'
import type { CheckOutcome } from './attempt.ts'
import type { StallTimes } from './stall-meter.ts'
import { guarded, isDoubtful } from './truth-guard.ts'

type Symbol = (typeof errorTypes)[number]['symbol']

function failed(symbol: Symbol, responseTime = 7000): CheckOutcome {
  return {
    ...{ result: 'error', responseTime, dataSize: null, errorTypeId: errorType(symbol).id, errorMessage: 'it failed' },
    ...{ phases: null, steps: null, evidence: null },
  }
}

const sighted: StallTimes = { elapsedMs: 7000, heldMs: 0, starvedMs: 0 }
/** Nothing was made up for, unless stated otherwise. */
const seen = (whole: StallTimes, owed = whole) => ({ whole: () => whole, owed: () => owed })
const verdict = (
  outcome: CheckOutcome,
  blindness: StallTimes,
  mostResponseMs: number | null = null,
  owed = blindness,
) => {
  const { errorTypeId } = guarded(outcome, seen(blindness, owed), mostResponseMs)
  return errorTypeId === null ? null : errorTypeById(errorTypeId)?.symbol
}

test('many short waits for a CPU, none of which is a hold, make a timeout unknown and say so', () => {
  const outcome = guarded(failed('http_first_byte_timeout'), seen({ ...sighted, heldMs: 40, starvedMs: 4000 }), null)
  expect(outcome).toMatchObject({ result: 'unknown', responseTime: null, errorTypeId: errorType('sensor_held').id })
  expect(outcome.errorMessage).toBe('it failed; this station waited 4000 ms for a CPU meanwhile')
})

test('a long hold does too', () => {
  const outcome = guarded(failed('http_first_byte_timeout'), seen({ ...sighted, heldMs: 400 }), null)
  expect(outcome.errorMessage).toBe('it failed; this station was held for 400 ms meanwhile')
})

test('what is told is what decided it: a machine that is busy besides a hold is not said to be the reason', () => {
  const outcome = guarded(failed('http_first_byte_timeout'), seen({ ...sighted, heldMs: 400, starvedMs: 900 }), null)
  expect(outcome.errorMessage).toBe('it failed; this station was held for 400 ms meanwhile')
})

test('a timeout stands whose station gave back what it had missed; what it owes still hides it', () => {
  const blind = { elapsedMs: 12_000, heldMs: 5000, starvedMs: 5000 }
  expect(verdict(failed('http_first_byte_timeout'), blind)).toBe('sensor_held')
  expect(verdict(failed('http_first_byte_timeout'), blind, null, sighted)).toBe('http_first_byte_timeout')
  expect(verdict(failed('http_first_byte_timeout'), blind, null, { ...sighted, heldMs: 400 })).toBe('sensor_held')
  expect(verdict(failed('http_first_byte_timeout'), blind, null, { ...sighted, starvedMs: 3500 })).toBe('sensor_held')
})

test('who was kept waiting hangs up, and what came late was late, whatever was given back', () => {
  const blind = { elapsedMs: 12_000, heldMs: 5000, starvedMs: 5000 }
  expect(verdict(failed('connection_reset'), blind, null, sighted)).toBe('sensor_held')
  expect(verdict(failed('response_too_slow', 9000), blind, 6000, sighted)).toBe('sensor_held')
})

test('a timeout on a machine that is busy but sees stays the target’s failure', () => {
  const busy = { elapsedMs: 7000, heldMs: 60, starvedMs: 2400 }
  expect(verdict(failed('http_first_byte_timeout'), busy)).toBe('http_first_byte_timeout')
})

test('an answer that came too late is the target’s fault when it was later than this station was blind', () => {
  const blind = { elapsedMs: 1600, heldMs: 60, starvedMs: 300 }
  expect(verdict(failed('response_too_slow', 1500), blind, 1000)).toBe('response_too_slow')
  expect(verdict(failed('response_too_slow', 1250), blind, 1000)).toBe('sensor_held')
})

const shares = double({ min: 0, max: 1, noNaN: true })

test('a target that hung up may have been kept waiting for seconds by us, but not by a machine that is busy', () => {
  for (const symbol of ['http_closed_before_response', 'connection_reset', 'smtp_closed'] as const) {
    expect(verdict(failed(symbol), { ...sighted, heldMs: 3000 })).toBe('sensor_held')
    expect(verdict(failed(symbol), { ...sighted, heldMs: 600, starvedMs: 900 })).toBe(symbol)
    expect(verdict(failed(symbol), { elapsedMs: 60, heldMs: 30, starvedMs: 50 })).toBe(symbol)
  }
})

const blindest: StallTimes = { elapsedMs: 7000, heldMs: 7000, starvedMs: 7000 }

test('what neither a clock of ours decided nor the target’s patience stands, however blind the station was', () => {
  const untimed = errorTypes.map(({ symbol }) => symbol).filter((symbol) => !isDoubtful(failed(symbol)))
  expect(untimed).toEqual(expect.arrayContaining(['connection_refused', 'http_server_error', 'content_missing']))
  for (const symbol of untimed) expect(verdict(failed(symbol), blindest)).toBe(symbol)
  verify(
    property(constantFrom(...untimed), shares, shares, (symbol, held, starved) => {
      const blindness = { elapsedMs: 7000, heldMs: held * 7000, starvedMs: starved * 7000 }
      expect(verdict(failed(symbol), blindness)).toBe(symbol)
    }),
  )
})

test('a failure that is unknown once stays so when the station was blinder still, and one that sees hides nothing', () => {
  const timed = errorTypes.filter((type) => 'timed' in type).map(({ symbol }) => symbol)
  verify(
    property(constantFrom(...timed), shares, shares, shares, (symbol, held, starved, more) => {
      const blindness = { elapsedMs: 7000, heldMs: held * 7000, starvedMs: starved * 7000 }
      const blinder = { ...blindness, starvedMs: blindness.starvedMs + more * 7000 }
      if (verdict(failed(symbol), blindness) === 'sensor_held') {
        expect(verdict(failed(symbol), blinder)).toBe('sensor_held')
        expect(held >= 0.05 || starved >= 0.5).toBe(true)
      }
    }),
  )
})
