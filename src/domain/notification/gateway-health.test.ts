import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  afterAttempt,
  type GatewayAttempt,
  type GatewayHealth,
  isDown,
  knownDown,
  throughput,
  workingGateway,
} from './gateway-health.ts'

const failed = (now: number, retryAfter = 0): GatewayAttempt => ({ isServed: false, now, retryAfter })
const served = (now: number): GatewayAttempt => ({ isServed: true, now, retryAfter: 0 })

function having(...attempts: GatewayAttempt[]): GatewayHealth {
  return attempts.reduce(afterAttempt, workingGateway)
}

test.each([
  ['nothing', having(), Number.POSITIVE_INFINITY],
  ['two failures', having(failed(0), failed(1)), Number.POSITIVE_INFINITY],
  ['three failures', having(failed(0), failed(1), failed(2)), 0],
  [
    'three failures with a success among them',
    having(failed(0), failed(1), served(2), failed(3)),
    Number.POSITIVE_INFINITY,
  ],
  ['one failure that asks for a pause', having(failed(0, 30_000)), 0],
])('after %s so many go on', (_, health, expected) => {
  expect(throughput(health, 3, 0)).toBe(expected)
})

test('a gateway that is shut is tried by one message at a time', () => {
  const shut = having(failed(0), failed(1), failed(2))
  expect(throughput(shut, 5001, 0)).toBe(0)
  expect(throughput(shut, 5002, 0)).toBe(1)
  expect(throughput(shut, 5002, 1)).toBe(0)
})

test('failures that were under way when it was shut make the pause no longer', () => {
  const shut = having(failed(0), failed(1), failed(2))
  expect([failed(3), failed(4), failed(5000)].reduce(afterAttempt, shut)).toEqual(shut)
})

test('pauses double up to a minute, and are never shorter than the gateway asked for', () => {
  const pauses: number[] = []
  let health = having(failed(0), failed(0), failed(0))
  for (let round = 0; round < 6; round += 1) {
    const now = health.tryAt ?? 0
    health = afterAttempt(health, failed(now))
    pauses.push((health.tryAt ?? 0) - now)
  }
  expect(pauses).toEqual([10_000, 20_000, 40_000, 60_000, 60_000, 60_000])
  expect(having(failed(0, 600_000)).tryAt).toBe(600_000)
})

describe('the administrator', () => {
  test('hears of a gateway that has failed for a minute, not of a hiccup', () => {
    expect(isDown(having(failed(0), failed(1), failed(2)), 2)).toBe(false)
    expect(isDown(having(failed(0), failed(1), failed(2), failed(60_000)), 60_000)).toBe(true)
    expect(isDown(having(failed(0), failed(60_000)), 60_000)).toBe(false)
  })

  test('what another process said of it is tried at once', () => {
    expect(throughput(knownDown(0, 90_000), 90_000, 0)).toBe(1)
    expect(isDown(knownDown(0, 90_000), 90_000)).toBe(true)
  })
})

test('one success opens it whatever was before; without one it is tried again within a minute or what was asked for', () => {
  const attempts = fc.array(
    fc.record({ isServed: fc.boolean(), now: fc.nat(1_000_000), retryAfter: fc.constantFrom(0, 0, 0, 120_000) }),
  )
  fc.assert(
    fc.property(attempts, (history) => {
      const inOrder = history.toSorted((one, other) => one.now - other.now)
      const health = having(...inOrder)
      const last = inOrder.at(-1)?.now ?? 0
      expect(afterAttempt(health, served(last))).toEqual(workingGateway)
      if (health.tryAt !== null) expect(health.tryAt - last).toBeLessThanOrEqual(120_000)
      expect(health.failures === 0).toBe(health.failingSince === null)
    }),
  )
})
