import { expect, test } from 'vitest'
import type { HeldFailure, NoticeCondition, NoticeFacts } from '../domain/notification/notice.ts'
import { incidentOf } from './incident.ts'

const publicUrl = 'https://watch.example.com'

function facts(condition: NoticeCondition, startedAt = 1000, failures?: readonly HeldFailure[]): NoticeFacts {
  return {
    ...{ condition, decidedAt: 5000, sinceAt: startedAt, previous: null, durationSeconds: null, analysis_id: null },
    service: { id: 7, name: 'Shop', address: 'shop.example.com', type_id: 'http' },
    ...{ group: { id: 1, name: 'Told' }, checks: [], pauseReason: null },
    ...(failures === undefined ? {} : { failures }),
  }
}

const ended = { startedAt: 1000, endedAt: 2000 }
const lasting = { startedAt: 3000, endedAt: null }

test.each([
  ['failure', undefined, false],
  ['failure_continuation', undefined, false],
  ['recovery', undefined, true],
  ['silent_failure', [ended, lasting], false],
  ['silent_failure', [ended], undefined],
  ['pause', undefined, undefined],
  ['degraded', undefined, undefined],
  ['degraded_end', undefined, undefined],
] as const)('%s with %j: is the incident over? %s', (condition, failures, isOver) => {
  expect(incidentOf(facts(condition, 1000, failures), 7, publicUrl).incident?.isOver).toBe(isOver)
})

test('a test tells of no incident', () => {
  const test = { condition: 'test', service: null, group: { id: 1, name: 'Told' }, decidedAt: 1 } as const
  expect(incidentOf(test, 7, publicUrl)).toEqual({})
})

test('the recovery of a failure that a pause went through ends what the failure opened; other installations have other incidents', () => {
  const opened = incidentOf(facts('failure', 1000), 7, publicUrl).incident
  expect(opened?.key).toMatch(/^latarnik-[0-9a-f]{8}-7$/)
  expect(incidentOf(facts('recovery', 9000), 7, publicUrl).incident?.key).toBe(opened?.key)
  expect(incidentOf(facts('failure', 1000), 8, publicUrl).incident?.key).not.toBe(opened?.key)
  expect(incidentOf(facts('failure', 1000), 7, 'https://other.example.com').incident?.key).not.toBe(opened?.key)
})
