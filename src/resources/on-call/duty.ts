import sql from 'sql-template-tag'
import { dayLength } from '../../domain/calendars/durations.ts'
import { calendarText } from '../../domain/calendars/icalendar.ts'
import {
  dutyPeriods,
  type Override,
  onDuty,
  type Rotation,
  type Shift,
  type Turn,
  turnsBetween,
} from '../../domain/calendars/rotation.ts'
import { formatMoment, parseMoment } from '../../domain/calendars/time.ts'
import { timeZoneName } from '../../domain/calendars/time-zones.ts'
import { type Problem, unknownParameter } from '../../domain/input/problem.ts'
import type { Row } from '../../domain/queries/condition.ts'
import type { Call, Operation } from '../../rest/call.ts'
import { boolean, integer, list, moment, object } from '../../rest/fields.ts'
import { locatedRow } from '../../rest/locate.ts'
import { pathParameters } from '../../rest/parameter-descriptions.ts'
import { refuseAny } from '../../rest/problems.ts'
import { maximumInteger, schemaOf } from '../../rest/schemas.ts'
import { readCount } from '../history/query-count.ts'

/** The contact on duty, now and for the next weeks: as a list of turns, and as a calendar. */

function rotationOf(row: Row): Rotation {
  return {
    zone: timeZoneName(String(row['time_zone_id'])) ?? 'UTC',
    contactIds: row['contact_ids'] as readonly number[],
    shift: row['shift'] as Shift,
    startsOn: String(row['starts_on']),
    overrides: row['overrides'] as readonly Override[],
  }
}

/** Null for ever. */
function endText(at: number): string | null {
  return Number.isFinite(at) ? formatMoment(at) : null
}

/** The moment in the parameter `at`, now without it. */
function askedMoment({ query, nowAt }: Call): number {
  const others = [...query.keys()].filter((name) => name !== 'at')
  refuseAny(
    others.map((name) => ({ error: 'incorrect_value', field: `query.${name}`, facts: unknownParameter(name, ['at']) })),
  )
  const written = query.get('at')
  if (written === null) return nowAt
  const at = parseMoment(written, nowAt)
  if (typeof at !== 'number') refuseAny([{ error: at, field: 'query.at', facts: { detail: 'moment' } }])
  return Number(at)
}

const dutyPath = '/rotations/{_id}/on_duty'

export const onDutyOperation: Operation = {
  id: 'rotations.on_duty',
  method: 'GET',
  path: dutyPath,
  tag: 'rotations',
  summary: 'The people on duty',
  about: 'At the moment `at`, now without it. Before the rotation starts nobody is, but for overrides.',
  access: 'customer',
  parameters: [
    ...pathParameters(dutyPath),
    {
      name: 'at',
      in: 'query',
      about: 'RFC 3339, Unix seconds, or negative seconds before now. Default: now.',
      schema: { type: 'string' },
      example: '2026-12-24T12:00:00Z',
    },
  ],
  answers: {
    200: {
      about: 'The contact, and when the shift or the override ends.',
      schema: {
        type: 'object',
        required: ['contact_id', 'until'],
        properties: {
          contact_id: { type: ['integer', 'null'], maximum: maximumInteger, description: 'Null: nobody.' },
          until: { type: ['string', 'null'], format: 'date-time', description: 'Null: for ever.' },
        },
        example: { contact_id: 1, until: '2026-12-28T08:00:00Z' },
      },
    },
  },
  refusals: [422],
  async handle(call) {
    const row = await locatedRow(call.registry.get('rotations'), call, { flags: [] })
    const { contactId, untilAt } = onDuty(rotationOf(row), askedMoment(call))
    return { status: 200, body: { contact_id: contactId, until: endText(untilAt) } }
  },
}

const turnsPath = '/rotations/{_id}/turns'
const maximumDays = 90
const usualDays = 28

const turn = object(
  {
    contact_id: integer({ required: true, nullable: true, minimum: 1, about: 'Null: nobody is on duty.' }),
    start_time: moment({ required: true, about: 'The first turn starts now.' }),
    end_time: moment({ required: true, nullable: true, about: 'Exclusive. Null: for ever.' }),
    is_override: boolean({ required: true, about: 'True if an override of the rotation put the contact on duty.' }),
  },
  {
    example: {
      ...{ contact_id: 1, start_time: '2026-12-21T08:00:00Z', end_time: '2026-12-28T08:00:00Z' },
      is_override: false,
    },
  },
)

/** The number of days in the query. */
function askedDays(call: Call): number {
  const problems: Problem[] = [...call.query.keys()]
    .filter((name) => name !== 'days')
    .map((name) => ({
      error: 'incorrect_value',
      field: `query.${name}`,
      facts: unknownParameter(name, ['days']),
    }))
  const days = readCount(call, problems, { name: 'days', maximum: maximumDays, fallback: usualDays })
  refuseAny(problems)
  return days
}

const shownTurn = ({ contactId, startAt, endAt, isOverride }: Turn) => ({
  ...{ contact_id: contactId, start_time: formatMoment(startAt), end_time: endText(endAt) },
  is_override: isOverride,
})

export const turnsOperation: Operation = {
  id: 'rotations.turns',
  method: 'GET',
  path: turnsPath,
  tag: 'rotations',
  summary: 'Turns of the next weeks',
  about:
    'The contact on duty now, and everybody who follows within `days` days, in order and without a gap. The last turn is whole.',
  access: 'customer',
  parameters: [
    ...pathParameters(turnsPath),
    {
      name: 'days',
      in: 'query',
      about: 'How many days, from now on.',
      schema: { type: 'integer', minimum: 1, maximum: maximumDays, default: usualDays },
    },
  ],
  answers: { 200: { about: 'An element for each turn.', schema: schemaOf(list(turn, {})) } },
  refusals: [422],
  async handle(call) {
    const days = askedDays(call)
    const row = await locatedRow(call.registry.get('rotations'), call, { flags: [] })
    const turns = turnsBetween(rotationOf(row), call.nowAt, call.nowAt + days * dayLength)
    return { status: 200, body: turns.map(shownTurn) }
  },
}

/** How far a calendar looks ahead. */
const shownDays = 90
/** A shift lasts a week at most, and an hour more when clocks change. */
const longestShiftDays = 8

const calendarPath = '/rotations/{_id}/calendar.ics'

async function namesOf({ database }: Call, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const rows = await database.query<{ id: number; name: string }>(sql`
    select id, name from contacts where id = any(${[...ids]}::int[])`)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** The calendar of a rotation's row. */
export async function calendarAnswer(call: Call, row: Row) {
  // Whole days, so that the shift under way begins when it began, and events stay the same when they are read again.
  const today = call.nowAt - (call.nowAt % dayLength)
  const [fromAt, toAt] = [today - longestShiftDays * dayLength, today + shownDays * dayLength]
  const periods = dutyPeriods(rotationOf(row), fromAt, toAt).filter(({ endAt }) => endAt > call.nowAt)
  const names = await namesOf(call, [...new Set(periods.map(({ contactId }) => contactId))])
  const host = new URL(call.baseUrl).hostname
  const text = calendarText({
    name: String(row['name']),
    stampAt: call.nowAt,
    events: periods.map(({ contactId, startAt, endAt }) => ({
      ...{ startAt, endAt, summary: names.get(contactId) ?? String(contactId) },
      uid: `rotation-${row['id']}-${contactId}-${startAt}@${host}`,
    })),
  })
  const headers = { 'Content-Type': 'text/calendar; charset=utf-8', 'X-Content-Type-Options': 'nosniff' }
  return { status: 200, bytes: Buffer.from(text), headers }
}

/** The description of a calendar's answer. */
export const calendarDescription = {
  about: 'The calendar.',
  contentType: 'text/calendar',
  schema: { type: 'string', example: 'BEGIN:VCALENDAR' },
} as const

export const calendarOfRotation: Operation = {
  id: 'rotations.calendar',
  method: 'GET',
  path: calendarPath,
  tag: 'rotations',
  summary: 'Shifts of a rotation as a calendar',
  about: `The next ${shownDays} days in the format iCalendar (RFC 5545), one event for each shift, named after the contact. The shift under way begins when it began.`,
  access: 'customer',
  parameters: pathParameters(calendarPath),
  answers: {
    200: calendarDescription,
  },
  async handle(call) {
    return calendarAnswer(call, await locatedRow(call.registry.get('rotations'), call, { flags: [] }))
  },
}
