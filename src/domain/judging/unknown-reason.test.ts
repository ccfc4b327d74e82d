import { expect, test } from 'vitest'
import { type ErrorTypeSymbol, errorType, errorTypes } from './error-types.ts'
import { isTriedAgain, unknownReason, unknownReasons } from './unknown-reason.ts'

function unknown(...symbols: ErrorTypeSymbol[]) {
  return symbols.map((symbol) => ({ result: 'unknown', errorTypeId: errorType(symbol).id }) as const)
}

test.each([
  ['the only one', unknown('browser_busy'), 'browser_busy'],
  ['what most say', unknown('sensor_lost', 'browser_busy', 'browser_busy'), 'browser_busy'],
  ['of equals the first', unknown('sensor_late', 'sensor_held'), 'sensor_late'],
  ['what may pass before what stays', unknown('browser_missing', 'browser_missing', 'sensor_late'), 'sensor_late'],
  [
    'who could tell says nothing of it',
    [{ result: 'ok', errorTypeId: null }, ...unknown('sensor_lost')] as const,
    'sensor_lost',
  ],
  ['an unknown number', [{ result: 'unknown', errorTypeId: 4_711 }] as const, 'sensor_fault'],
  ['a fault of the target is no reason', unknown('connection_refused'), 'sensor_fault'],
])('the reason of a round without a verdict: %s', (_name, answers, reason) => {
  expect(unknownReason(answers)).toBe(reason)
})

test('every fault of a sensor can be a reason, and nothing that speaks of a target', () => {
  for (const { symbol, stage } of errorTypes) expect(unknownReasons.includes(symbol), symbol).toBe(stage === 'sensor')
})

test.each([
  [null, false],
  ['browser_busy', true],
  ['sensor_lost', true],
  ['sensor_cannot_ping', false],
  ['no_sensor', false],
])('after %s the round is tried again: %s', (reason, again) => {
  expect(isTriedAgain(reason)).toBe(again)
})
