import fc from 'fast-check'
import { expect, test } from 'vitest'
import { heartbeatMessage, readHeartbeatMessage } from './heartbeat-message.ts'

const second = fc.integer({ min: 0, max: 4_000_000_000 }).map((seconds) => seconds * 1000)

test('what a message says is read back', () => {
  const failures = fc.oneof(
    fc.record({
      kind: fc.constantFrom('late' as const, 'overrun' as const),
      exitStatus: fc.constant(null),
      sinceAt: second,
    }),
    fc.record({
      kind: fc.constant('reported' as const),
      exitStatus: fc.option(fc.integer({ min: 0, max: 255 })),
      sinceAt: second,
    }),
  )
  fc.assert(
    fc.property(failures, (failure) => {
      expect(readHeartbeatMessage(heartbeatMessage(failure))).toEqual(failure)
    }),
  )
})

test.each([
  '',
  'HTTP status 503',
  'no report that was expected at noon',
  'exit status 1000 reported at 2026-11-21T10:00:00Z',
])('any other text is none: %s', (text) => {
  expect(readHeartbeatMessage(text)).toBeNull()
})
