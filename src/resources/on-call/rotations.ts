import { namingRotation, ownIds } from '../../database/accounts/on-call.ts'
import type { Executor } from '../../database/connect.ts'
import { mayWrite, ownOrParents, tagPermissions } from '../../domain/access/permissions.ts'
import { periodProblems } from '../../domain/calendars/period.ts'
import { isDate, type Override, type Shift } from '../../domain/calendars/rotation.ts'
import { timeZoneIds } from '../../domain/calendars/time-zones.ts'
import { countLimits } from '../../domain/input/count-limits.ts'
import type { Problem } from '../../domain/input/problem.ts'
import type { Call } from '../../rest/call.ts'
import { one, resource, table, type Writing } from '../../rest/declare.ts'
import { identifier, integer, list, moment, object, text } from '../../rest/fields.ts'
import { issueCalendarLink, linkedCalendar, revokeCalendarLink } from './calendar-link.ts'
import { calendarOfRotation, onDutyOperation, turnsOperation } from './duty.ts'
import {
  foreignIds,
  nameField,
  type OwnerFacts,
  ownerFacts,
  ownerField,
  ownerProblem,
  refuseWhileNamed,
} from './references.ts'

export interface RotationRow extends Readonly<Record<string, unknown>> {
  readonly id: number
  readonly owner_id: number
  readonly name: string
  readonly time_zone_id: string
  readonly contact_ids: readonly number[]
  readonly shift: Shift
  readonly starts_on: string
  readonly overrides: readonly Override[]
}

interface Facts extends OwnerFacts {
  readonly contacts: ReadonlySet<number>
}

async function facts(
  transaction: Executor,
  call: Call,
  given: Partial<RotationRow>,
  before: RotationRow | null,
): Promise<Facts> {
  const owner = ownerFacts(call, given, before)
  const { contact_ids = [], overrides = [] } = given
  const named = [...contact_ids, ...overrides.map(({ contact_id }) => contact_id)]
  const kept = [...(before?.contact_ids ?? []), ...(before?.overrides ?? []).map(({ contact_id }) => contact_id)]
  return { ...owner, contacts: await ownIds(transaction, 'contacts', [...new Set([...named, ...kept])], owner.ownerId) }
}

function shiftProblems({ every, day_of_week: day }: Shift): readonly Problem[] {
  const field = 'data.shift.day_of_week'
  if (every === 'week' && day == null) return [{ error: 'missing_value', field, facts: { name: 'day_of_week' } }]
  return every === 'day' && day != null ? [{ error: 'incorrect_value', field, facts: { detail: 'day_of_shift' } }] : []
}

function overrideProblems(overrides: readonly Override[], { contacts }: Facts): readonly Problem[] {
  return overrides.flatMap(({ contact_id, start_time, end_time }, index) => {
    const pointer = `data.overrides[${index}]`
    const foreign = { error: 'incorrect_value', field: `${pointer}.contact_id`, facts: { detail: 'object_of_owner' } }
    return [
      ...(contacts.has(contact_id) ? [] : [foreign]),
      ...periodProblems(start_time, end_time, `${pointer}.end_time`),
    ]
  })
}

function rules(row: Partial<RotationRow>, known: Facts): readonly Problem[] {
  const { contact_ids: contactIds, shift, starts_on: startsOn, overrides = [] } = row
  return [
    ...ownerProblem(known),
    ...(contactIds?.length === 0
      ? [{ error: 'value_too_short', field: 'data.contact_ids', facts: { minimum: 1 } }]
      : []),
    ...foreignIds(contactIds ?? [], known.contacts, 'data.contact_ids'),
    ...(shift === undefined ? [] : shiftProblems(shift)),
    ...(startsOn === undefined || isDate(startsOn)
      ? []
      : [{ error: 'incorrect_value', field: 'data.starts_on', facts: { detail: 'date' } }]),
    ...overrideProblems(overrides, known),
  ]
}

const write: Writing<RotationRow, Facts> = {
  countLimit: { count: countLimits.rotations, per: 'owner_id' },
  allowed: ({ caller }) => mayWrite(caller),
  facts,
  complete: (given, before, { ownerId }) => ({
    row: before === null ? { overrides: [], ...given, owner_id: ownerId } : given,
    problems: [],
  }),
  rules,
  removing: refuseWhileNamed(namingRotation),
}

export const rotations = resource('rotations', {
  about: 'On-call rotations: contacts take turns, and steps of escalations tell whoever is on duty.',
  singular: 'rotation',
  making: 'Its contacts exist already. Then a step of an escalation names it in `rotation_ids`.',
  source: table('rotations'),
  fields: {
    id: identifier(),
    owner_id: ownerField,
    name: nameField,
    time_zone_id: text({
      about: 'Whose clocks say when a shift ends.',
      required: true,
      oneOf: timeZoneIds,
      filter: true,
      example: 'europe_warsaw',
    }),
    contact_ids: list(integer({ minimum: 1 }), {
      about: 'In the order of their turns; one may come several times.',
      required: true,
      maximumLength: 100,
      example: [1],
    }),
    shift: object(
      {
        every: text({ required: true, oneOf: ['day', 'week'] }),
        at: text({
          about: 'Local time of the hand-over, HH:MM.',
          required: true,
          pattern: /^([01]\d|2[0-3]):[0-5]\d$/,
          detail: 'time_of_day',
        }),
        day_of_week: integer({
          about: 'The day of a weekly hand-over; 1 is Monday.',
          minimum: 1,
          maximum: 7,
          nullable: true,
        }),
      },
      { required: true, example: { every: 'week', at: '09:00', day_of_week: 1 } },
    ),
    starts_on: text({
      about:
        'The first hand-over: on this local date, or the first matching day of the week after it. Nobody is on duty before.',
      required: true,
      pattern: /^\d{4}-\d\d-\d\d$/,
      detail: 'date',
      example: '2026-11-02',
    }),
    overrides: list(
      object(
        {
          contact_id: integer({ required: true, minimum: 1 }),
          start_time: moment({ required: true }),
          end_time: moment({ required: true, about: 'Exclusive.' }),
        },
        {},
      ),
      {
        about: 'Somebody takes over for a while; a later one wins over an earlier one.',
        maximumLength: 100,
        stored: 'json',
        example: [],
      },
    ),
    link_prefix: text({
      about: 'The beginning of the token of the calendar link; null while there is no link.',
      nullable: true,
      readOnly: true,
      computed: true,
      filter: true,
      example: null,
    }),
    link_used_at: moment({
      about: 'When the calendar link was last used, to a minute.',
      nullable: true,
      readOnly: true,
      computed: true,
      filter: true,
      sort: true,
      example: null,
    }),
  },
  relations: { owner: one('accounts', 'owner_id') },
  embed: ['owner', 'permissions'],
  subresources: ['owner'],
  search: ['id', 'name'],
  scope: 'notifications',
  visible: (caller) => ownOrParents(caller),
  permissions: tagPermissions,
  operations: ['list', 'search', 'read', 'create', 'update', 'remove', 'permissions'],
  configuration: { references: { contact_ids: { to: 'contacts' }, 'overrides.contact_id': { to: 'contacts' } } },
  write,
  actions: [onDutyOperation, turnsOperation, calendarOfRotation, issueCalendarLink, revokeCalendarLink, linkedCalendar],
})
