import sql from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'
import { type Override, onDuty, type Shift } from '../domain/calendars/rotation.ts'
import { type Calendar, calendarOf } from '../domain/calendars/suspension.ts'
import { timeZoneName } from '../domain/calendars/time-zones.ts'
import { windowsOfRange } from '../domain/calendars/week.ts'
import type { EscalationStep } from '../domain/notification/escalation.ts'

/** Escalations as they are now, and whom their steps name. */

export interface EscalationPlan {
  readonly id: number
  readonly name: string
  readonly steps: readonly EscalationStep[]
  /** When its steps wait. */
  readonly suspended: Calendar
}

interface EscalationRow {
  readonly id: number
  readonly name: string
  readonly steps: readonly EscalationStep[]
  readonly time_zone_id: string
  /** Unix milliseconds. */
  readonly once: readonly { readonly start: number; readonly end: number }[]
  /** Minutes since Monday 00:00. */
  readonly weekly: readonly { readonly start: number; readonly end: number }[]
}

/** By id. Suspensions that are over are left out. */
export async function readEscalations(
  transaction: Executor,
  ids: readonly number[],
  now: number,
): Promise<ReadonlyMap<number, EscalationPlan>> {
  const rows = await transaction.query<EscalationRow>(
    sql`
    select escalations.id, escalations.name, steps, accounts.time_zone_id,
      coalesce((select jsonb_agg(jsonb_build_object('start', extract(epoch from start_time) * 1000,
          'end', extract(epoch from end_time) * 1000))
        from escalation_suspensions where escalation_id = escalations.id and end_time > ${new Date(now)}), '[]') as once,
      coalesce((select jsonb_agg(jsonb_build_object('start', start_minute, 'end', end_minute))
        from escalation_weekly_suspensions where escalation_id = escalations.id), '[]') as weekly
    from escalations join accounts on accounts.id = escalations.owner_id
    where escalations.id = any(${[...ids]}::int[])`,
    'read-escalations',
  )
  return new Map(rows.map((row) => [row.id, planOf(row)]))
}

function planOf({ id, name, steps, time_zone_id: zoneId, once, weekly }: EscalationRow): EscalationPlan {
  const windows = weekly.flatMap(({ start, end }) => windowsOfRange(start, end))
  const periods = once.map(({ start, end }) => ({ startAt: start, endAt: end }))
  return { id, name, steps, suspended: calendarOf(timeZoneName(zoneId) ?? 'UTC', windows, periods) }
}

interface RotationRow {
  readonly id: number
  readonly time_zone_id: string
  readonly contact_ids: readonly number[]
  readonly shift: Shift
  readonly starts_on: string
  readonly overrides: readonly Override[]
}

/** The contact on duty, by the id of the rotation; rotations in which nobody is are left out. */
async function readOnDuty(
  transaction: Executor,
  ids: readonly number[],
  now: number,
): Promise<ReadonlyMap<number, number>> {
  if (ids.length === 0) return new Map()
  const rows = await transaction.query<RotationRow>(
    sql`select id, time_zone_id, contact_ids, shift, starts_on, overrides from rotations where id = any(${[...ids]}::int[])`,
    'read-rotations',
  )
  return new Map(
    rows.flatMap((row) => {
      const { contact_ids: contactIds, starts_on: startsOn, shift, overrides } = row
      const zone = timeZoneName(row.time_zone_id) ?? 'UTC'
      const { contactId } = onDuty({ zone, contactIds, shift, startsOn, overrides }, now)
      return contactId === null ? [] : [[row.id, contactId] as const]
    }),
  )
}

async function readMembers(
  transaction: Executor,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly number[]>> {
  if (ids.length === 0) return new Map()
  const rows = await transaction.query<{ id: number; contact_ids: readonly number[] }>(
    sql`select id, contact_ids from contact_groups where id = any(${[...ids]}::int[])`,
    'read-contact-groups',
  )
  return new Map(rows.map((row) => [row.id, row.contact_ids]))
}

/** For each step the contacts that it names, each once: by name, by a group, or on duty at the moment. */
export async function contactsOf(
  transaction: Executor,
  steps: readonly EscalationStep[],
  now: number,
): Promise<readonly (readonly number[])[]> {
  const members = await readMembers(transaction, [...new Set(steps.flatMap((step) => step.contact_group_ids))])
  const duties = await readOnDuty(transaction, [...new Set(steps.flatMap((step) => step.rotation_ids))], now)
  return steps.map(({ contact_ids, contact_group_ids, rotation_ids }) => {
    const inGroups = contact_group_ids.flatMap((id) => members.get(id) ?? [])
    const onCall = rotation_ids.flatMap((id) => duties.get(id) ?? [])
    return [...new Set([...contact_ids, ...inGroups, ...onCall])]
  })
}
