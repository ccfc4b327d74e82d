import { reportSectionIds } from '../../domain/dictionaries.ts'
import { reportSummaries } from '../../domain/reports/report-scope.ts'
import { boolean, decimal, integer, list, moment, object, text } from '../../rest/fields.ts'
import { reportContentFields } from './report-content.ts'

/** The form of `GET /reports/{_id}/json`. */

const count = (about: string) => integer({ required: true, minimum: 0, about })
const id = integer({ required: true })
const name = text({ required: true })
const seconds = (about: string) => count(`Seconds: ${about}`)
const milliseconds = { required: true, nullable: true, minimum: 0 } as const

const named = object({ id, name }, { about: 'Account; not for the summary.' })

const scope = object(
  {
    type: text({ required: true, oneOf: ['summary', 'account', 'group', 'service'] }),
    account: named,
    group: object({ id, name }, { about: 'For groups and services.' }),
    service: object({ id, name }, { about: 'For services.' }),
  },
  { required: true },
)

const stretch = { start_time: moment({ required: true }), end_time: moment({ required: true }) } as const
const states = { ok: seconds('working.'), failure: seconds('failing.'), paused: seconds('not monitored.') } as const

const level = object(
  {
    ...states,
    availability_percent: decimal({
      required: true,
      nullable: true,
      about: 'ok ÷ (ok + failure), rounded down to three decimals; null when both are nought.',
      example: 99.951,
    }),
    longest_failure: seconds('of the longest failure.'),
    failures_count: count('Failures of which any second counts.'),
    corrections_count: count('Corrections that were applied.'),
    parts: list(object({ ...stretch, ...states }, {}), { required: true, about: 'The course of time; they touch.' }),
    failures: list(object({ ...stretch, seconds: seconds('that count.') }, {}), {
      about: 'For a single service: the longest, at most a hundred, in the order of time.',
    }),
    last_status: text({
      oneOf: ['ok', 'failure', 'paused'],
      nullable: true,
      about: 'For a single service: its state in the last second that counts; null when none counts.',
    }),
  },
  { about: 'Corrections are applied.' },
)

const performance = {
  average: decimal({ ...milliseconds, about: 'Milliseconds of the ok checks, to a tenth; null without one.' }),
  minimum: integer({ ...milliseconds, about: 'Milliseconds.' }),
  maximum: integer({ ...milliseconds, about: 'Milliseconds.' }),
  checks: count('Checks that answered ok or with an error.'),
} as const

const point = object(
  {
    scope,
    checks_summary: object({ ok: count('Checks.'), error: count('Checks.'), unknown: count('Checks.') }, {}),
    service_level_summary: level,
    average_response_time: decimal({
      nullable: true,
      minimum: 0,
      about: 'Milliseconds of all ok checks, to a tenth, with either of the performance sections; null without one.',
    }),
    performance_by_hour: list(
      object({ hour: integer({ required: true, minimum: 0, maximum: 23 }), ...performance }, {}),
      {
        about: 'Twenty-four, in the zone of the owner.',
      },
    ),
    performance_by_week_day: list(
      object({ day_of_week: integer({ required: true, minimum: 1, maximum: 7 }), ...performance }, {}),
      { about: 'Seven from Monday, in the zone of the owner.' },
    ),
  },
  { about: 'One attribute for each selected section.' },
)

const head = object(
  {
    id,
    template_id: id,
    name,
    description: text({ required: true }),
    owner: object({ id, name }, { required: true }),
    from: moment({ required: true, about: 'As asked for.' }),
    to: moment({ required: true, about: 'As asked for.' }),
    created_at: moment({ required: true, about: 'Later events are not in the report.' }),
    time_zone: text({ required: true, about: 'IANA name, of the owner.', example: 'Europe/Warsaw' }),
    language_id: text({ required: true, about: 'The language of the owner.', example: 'pl' }),
    section_ids: list(text({ oneOf: reportSectionIds }), { required: true }),
    summary: text({ required: true, oneOf: reportSummaries }),
    archived_services: boolean({ required: true }),
    weekly_suspensions: { ...reportContentFields.weekly_suspensions, required: true },
  },
  { required: true, about: 'By which rules the results were computed.' },
)

export const reportDocument = object(
  {
    report: head,
    results: list(point, { required: true, about: 'One for each point of the document, in its order.' }),
  },
  {},
)
