import { expect, test } from 'vitest'
import { failureAt, failureNotice, noticeCheck } from '../../test/support/notices.ts'
import type { NoticeFacts } from '../domain/notification/notice.ts'
import { eventOf } from './event.ts'

const words = { subject: 'Shop: FAILURE', text: 'It failed.\n', attachment: null }
const of = (changes: Partial<NoticeFacts>) =>
  eventOf({ ...failureNotice(), ...changes }, words, 'https://watch.example.com/')

test('a failure tells the service, the failure, the analysis and every check, and no password of an address', () => {
  const facts = failureNotice()
  const service = { ...facts.service, address: 'ann:secret@shop.example.com/', tags: ['web'] }
  const change = { id: '179525958000000', startedAt: failureAt, endedAt: null }
  const event = of({ service, change })
  expect(event).toMatchObject({
    type: 'service.failure',
    data: {
      service: { id: facts.service.id, tags: ['web'], url: `https://watch.example.com/services/${facts.service.id}` },
      status_change: { change_id: change.id, end_time: null, duration: null },
      analysis: { analysis_id: facts.analysis_id },
      message: { subject: 'Shop: FAILURE' },
    },
  })
  expect(JSON.stringify(event)).not.toContain('secret')
  const check = noticeCheck({ result: 'ok', error_type_id: null, error_message: null, failed_assertions: 'came 740' })
  expect(of({ checks: [check] })?.data.checks).toMatchObject([{ result: 'ok', message: 'came 740' }])
  expect(event?.data.checks).toHaveLength(facts.checks.length)
  const { ok = 0, error = 0, unknown = 0 } = event?.data.analysis ?? {}
  expect(ok + error + unknown).toBe(facts.checks.length)
  expect(event?.data.checks.some(({ error_type }) => error_type === 'connection_refused')).toBe(true)
})

test('a recovery tells the failure that ended, and how long it lasted', () => {
  const change = { id: '179525958000000', startedAt: failureAt, endedAt: failureAt + 90_000 }
  expect(of({ condition: 'recovery', change, durationSeconds: 90 })?.data.status_change).toEqual({
    ...{ change_id: change.id, start_time: '2026-11-21T11:13:00Z', end_time: '2026-11-21T11:14:30Z', duration: 90 },
  })
})

test('a step of an escalation says which one it is, other messages say nothing of escalations', () => {
  const escalation = { id: 4, name: 'Nights', step: 2, steps: 3, repeat: 1 }
  const event = of({ escalation, durationSeconds: 600 })
  expect(event?.type).toBe('service.failure')
  expect(event?.data.escalation).toEqual({ escalation_id: 4, name: 'Nights', step: 2, steps: 3, repeat: 1 })
  expect(of({})?.data).not.toHaveProperty('escalation')
})

test('what an older version wrote has no status change and no tags', () => {
  expect(of({})?.data).toMatchObject({ status_change: null, service: { tags: [] } })
})

test.each([
  ['pause', 'service.paused'],
  ['degraded', 'service.degraded'],
  ['degraded_end', 'service.degraded_end'],
  ['silent_failure', 'service.silent_failure'],
  ['failure_continuation', 'service.failure_continuation'],
] as const)('%s is %s', (condition, type) => {
  expect(of({ condition })?.type).toBe(type)
})

test('a test tells that it is one; a code is for people', () => {
  const group = { id: 1, name: 'Told' }
  expect(eventOf({ condition: 'test', service: null, group, decidedAt: failureAt }, words, '')).toMatchObject({
    ...{ type: 'test', timestamp: '2026-11-21T11:13:00Z', data: { service: null, checks: [] } },
  })
  expect(eventOf({ condition: 'confirmation', codeId: 1, decidedAt: failureAt }, words, '')).toBeNull()
})
