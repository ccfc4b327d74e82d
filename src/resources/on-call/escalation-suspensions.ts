import { isDeepStrictEqual } from 'node:util'
import sql from 'sql-template-tag'
import type { Executor } from '../../database/connect.ts'
import { bounds } from '../../domain/bounds.ts'
import { holds, type Row } from '../../domain/condition.ts'
import { lacksPermission } from '../../domain/lacking-right.ts'
import { periodProblems } from '../../domain/period.ts'
import { mayWrite, ownOrParents, tagPermissions } from '../../domain/permissions.ts'
import type { Problem } from '../../domain/problem.ts'
import { type WeekMinute, weeklyRangeProblems } from '../../domain/suspension.ts'
import { escalationChanged } from '../../outbox/escalations.ts'
import type { Call } from '../../rest/call.ts'
import { one, resource, table, type Writing } from '../../rest/declare.ts'
import { identifier, integer, moment, text } from '../../rest/fields.ts'
import { weekMinute } from '../weekly-suspensions.ts'

/** Times in which the steps of an escalation wait. */

interface Facts {
  /** The escalation is one that the caller may change. */
  readonly isOwn: boolean
}

/** The escalation is held against deletion. */
async function facts(transaction: Executor, { caller }: Call, given: Row, before: Row | null): Promise<Facts> {
  const id = before?.['escalation_id'] ?? given['escalation_id']
  if (typeof id !== 'number') return { isOwn: false }
  const [escalation] = await transaction.query<{ owner_id: number }>(sql`
    select owner_id from escalations where id = ${id} for key share`)
  return { isOwn: escalation !== undefined && holds(ownOrParents(caller), { ...escalation }) }
}

function targetProblems(row: Row, { isOwn }: Facts): readonly Problem[] {
  if (isOwn || row['escalation_id'] === undefined) return []
  return [{ error: 'incorrect_value', field: 'data.escalation_id', facts: { detail: 'object_of_owner' } }]
}

async function speaksAnew(transaction: Executor, { nowAt }: Call, { escalation_id: id }: Row): Promise<void> {
  await escalationChanged(transaction, Number(id), nowAt)
}

const times = ['start_time', 'end_time', 'start_minute', 'end_minute']

function writing(
  count: number,
  rules: (row: Row) => readonly Problem[],
  defaults: (call: Call) => Row,
): Writing<Row, Facts> {
  return {
    most: { count, per: 'escalation_id' },
    allowed: ({ caller }) => mayWrite(caller),
    explain: (_row, flag, { caller }) => (flag === 'create' ? [lacksPermission(caller, 'update')] : []),
    facts,
    complete: (given, before, _facts, call) => ({
      row: before === null ? { ...defaults(call), ...given } : given,
      problems: [],
    }),
    rules: (row, known) => [...targetProblems(row, known), ...rules(row)],
    created: speaksAnew,
    async changed(transaction, call, row, before) {
      const isMoved = times.some((name) => !isDeepStrictEqual(row[name], before[name]))
      if (isMoved) await speaksAnew(transaction, call, row)
    },
    removed: speaksAnew,
  }
}

function source(name: 'escalation_suspensions' | 'escalation_weekly_suspensions') {
  const from = {
    escalation_suspensions: sql`escalation_suspensions`,
    escalation_weekly_suspensions: sql`escalation_weekly_suspensions`,
  }
  return table(
    name,
    () => sql`select part.*, e.owner_id from ${from[name]} part join escalations e on e.id = part.escalation_id`,
  )
}

const common = {
  relations: { escalation: one('escalations', 'escalation_id') },
  embed: ['escalation', 'permissions'],
  subresources: ['escalation'],
  search: ['id', 'description'],
  visible: ownOrParents,
  permissions: tagPermissions,
  operations: ['list', 'search', 'read', 'create', 'update', 'remove', 'permissions'],
} as const

const escalation_id = integer({ required: true, immutable: true, filter: true, sort: true, example: 1 })
const description = text({ multiline: true, maximumLength: 5000, contains: true, example: 'Holidays' })
const time = { filter: true, sort: true } as const

export const escalationSuspensions = resource('escalation_suspensions', {
  ...common,
  about: 'One-off times in which an escalation tells nobody: its steps wait until the end.',
  singular: 'escalation suspension',
  source: source('escalation_suspensions'),
  fields: {
    id: identifier(),
    escalation_id,
    start_time: moment({ ...time, about: 'Inclusive; default now.', typical: true, example: '2030-12-24T08:00:00Z' }),
    end_time: moment({ ...time, required: true, about: 'Exclusive.', example: '2030-12-24T10:00:00Z' }),
    description,
    owner_id: integer({ internal: true }),
  },
  write: writing(
    bounds.escalationSuspensions,
    ({ start_time: start, end_time: end }) =>
      periodProblems(start as number | undefined, end as number | undefined, 'data.end_time'),
    ({ nowAt }) => ({ start_time: Math.floor(nowAt / 1000) * 1000, description: '' }),
  ),
})

export const escalationWeeklySuspensions = resource('escalation_weekly_suspensions', {
  ...common,
  about:
    'Times of the week in which an escalation tells nobody, in the zone of its owner: its steps wait until the end.',
  singular: 'weekly escalation suspension',
  source: source('escalation_weekly_suspensions'),
  fields: {
    id: identifier(),
    escalation_id,
    start_minute: weekMinute('start_minute', 'Inclusive.', { day_of_week: 6, hour: 0, minute: 0 }),
    end_minute: weekMinute('end_minute', 'Exclusive; before the start: in the next week.', {
      ...{ day_of_week: 1, hour: 6, minute: 0 },
    }),
    description,
    owner_id: integer({ internal: true }),
    start_minute_of_week: integer({ internal: true, storedIn: 'start_minute' }),
    end_minute_of_week: integer({ internal: true, storedIn: 'end_minute' }),
  },
  write: writing(
    bounds.escalationWeeklySuspensions,
    ({ start_minute: start, end_minute: end }) => weeklyRangeProblems(start as WeekMinute, end as WeekMinute),
    () => ({ description: '' }),
  ),
})
