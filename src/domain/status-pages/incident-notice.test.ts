import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  concernedComponents,
  dueNotices,
  type IncidentFacts,
  nextNoticeAt,
  type SentNotice,
} from './incident-notice.ts'
import type { IncidentStatus, IncidentUpdate } from './status-page.ts'

const update = (id: string, status: IncidentStatus): IncidentUpdate => ({
  ...{ id, status, body: id, display_at: 0, created_at: 0, updated_at: 0, affected_components: [] },
})
const incident = (more: Partial<IncidentFacts>): IncidentFacts => ({
  ...{ status: 'investigating', is_published: true, is_maintenance: false },
  ...{ scheduled_for: null, scheduled_until: null, updates: [], ...more },
})
const maintenance = { is_maintenance: true, scheduled_for: 100, scheduled_until: 200, status: 'scheduled' } as const
const first: SentNotice = { status: 'investigating', update_ids: [] }

/** `kind status update`, one for each notice. */
const told = (given: Partial<IncidentFacts>, before: readonly SentNotice[], now = 0) =>
  dueNotices(incident(given), before, now).map(({ kind, status, update: one }) => `${kind} ${status} ${one?.id ?? '-'}`)

describe('what subscribers are told', () => {
  test.each<[string, Partial<IncidentFacts>, readonly SentNotice[], number, readonly string[]]>([
    ['a draft', { is_published: false }, [], 0, []],
    ['its publication', {}, [], 0, ['published investigating -']],
    [
      'its publication with updates',
      { updates: [update('1', 'identified')], status: 'identified' },
      [],
      0,
      ['published identified 1'],
    ],
    ['one that was over before', { status: 'resolved' }, [], 0, []],
    ['nothing new', {}, [first], 0, []],
    ['an update', { updates: [update('1', 'identified')], status: 'identified' }, [first], 0, ['updated identified 1']],
    ['its end', { updates: [update('1', 'resolved')], status: 'resolved' }, [first], 0, ['resolved resolved 1']],
    ['a status without an update', { status: 'resolved' }, [first], 0, ['resolved resolved -']],
    [
      'a post-mortem',
      { updates: [update('1', 'postmortem')], status: 'postmortem' },
      [{ status: 'resolved', update_ids: [] }],
      0,
      ['updated postmortem 1'],
    ],
    ['planned maintenance', maintenance, [], 0, ['scheduled scheduled -']],
    ['its start', maintenance, [{ status: 'scheduled', update_ids: [] }], 100, ['started in_progress -']],
    ['its end by time', maintenance, [{ status: 'in_progress', update_ids: [] }], 200, ['completed completed -']],
    [
      'an update while it lasts',
      { ...maintenance, updates: [update('1', 'scheduled')] },
      [{ status: 'in_progress', update_ids: [] }],
      150,
      ['updated in_progress 1'],
    ],
    [
      'maintenance that is late',
      maintenance,
      [{ status: 'scheduled', update_ids: [] }],
      300,
      ['completed completed -'],
    ],
  ])('%s', (_name, given, before, now, expected) => {
    expect(told(given, before, now)).toEqual(expected)
  })

  test('each update is told once, whenever it is looked at', () => {
    const statuses = fc.constantFrom<IncidentStatus>('investigating', 'identified', 'monitoring', 'resolved')
    fc.assert(
      fc.property(fc.array(fc.record({ status: statuses, isLook: fc.boolean() }), { maxLength: 12 }), (story) => {
        const notices: SentNotice[] = []
        const updates: IncidentUpdate[] = []
        const look = () => {
          const now = incident({ updates, status: updates.at(-1)?.status ?? 'investigating' })
          for (const due of dueNotices(now, notices, 0)) notices.push({ status: due.status, update_ids: due.updateIds })
        }
        look()
        for (const { status, isLook } of story) {
          updates.push(update(String(updates.length), status))
          if (isLook) look()
        }
        look()
        look()
        expect(notices.flatMap(({ update_ids: ids }) => ids)).toEqual(updates.map(({ id }) => id))
      }),
    )
  })
})

test('time alone moves maintenance on', () => {
  expect(nextNoticeAt(incident(maintenance), 0)).toBe(100)
  expect(nextNoticeAt(incident(maintenance), 150)).toBe(200)
  expect(nextNoticeAt(incident(maintenance), 200)).toBe(null)
  expect(nextNoticeAt(incident({}), 0)).toBe(null)
  expect(nextNoticeAt(incident({ ...maintenance, is_published: false }), 0)).toBe(null)
})

test('a group stands for its parts, and each part for its group', () => {
  const components = [
    { id: 1, parent_id: null },
    { id: 2, parent_id: 1 },
    { id: 3, parent_id: 1 },
    { id: 4, parent_id: null },
  ]
  expect(concernedComponents([1], components)).toEqual([1, 2, 3])
  expect(concernedComponents([2], components)).toEqual([1, 2])
  expect(concernedComponents([4], components)).toEqual([4])
})
