import sql from 'sql-template-tag'
import type { Executor } from '../../database/connect.ts'
import { readReach } from '../../database/reports/report-reach.ts'
import { weeklyRangeProblems } from '../../domain/calendars/suspension.ts'
import { reportSectionIds } from '../../domain/dictionaries.ts'
import type { Problem } from '../../domain/input/problem.ts'
import { mailboxProblems } from '../../domain/notification/notification-address.ts'
import { oneOf } from '../../domain/queries/condition.ts'
import {
  type GivenScope,
  type ReportAccess,
  type RequestedScope,
  reportSummaries,
  scopeProblems,
  wholeScope,
} from '../../domain/reports/report-scope.ts'
import type { LeftOut } from '../../domain/reports/report-time.ts'
import type { ChildList } from '../../rest/declare.ts'
import { boolean, integer, list, object, text } from '../../rest/fields.ts'
import { weekMinuteShape } from '../services/weekly-suspensions.ts'

/** The content that a template sets for its reports; a report may replace it. */
export interface ReportContent {
  readonly name: string
  readonly description: string
  readonly email_addresses: readonly string[]
  readonly section_ids: readonly string[]
  readonly requested_scope: RequestedScope
  readonly summary: string
  readonly weekly_suspensions: readonly LeftOut[]
}

/** The sections below a template or a report. */
export const sectionsOf = (singular: 'template' | 'report'): ChildList => ({
  list: 'dictionaries/report_sections',
  summary: `Sections of a ${singular}`,
  where: (row) => oneOf('id', row['section_ids'] as readonly string[]),
})

const ids = (about: string) => list(integer({ minimum: 1 }), { about, example: [] })
const everything = boolean({ about: 'Everything that the owner of the template can access.', example: true })
const none = boolean({ about: 'Everything that the owner of the template can access.', example: false })

const scopeShape = {
  services: object(
    {
      all: everything,
      by_owner_id: ids('Services of these accounts.'),
      by_group_id: ids('Services of these groups.'),
      by_id: ids('These services.'),
    },
    { about: 'A point for each service.' },
  ),
  groups: object(
    { all: none, by_owner_id: ids('Groups of these accounts.'), by_id: ids('These groups.') },
    { about: 'A point for each group as a whole.' },
  ),
  accounts: object({ all: none, by_id: ids('These accounts.') }, { about: 'A point for each account as a whole.' }),
} as const

const weekMinute = (about: string, day: number, hour: number) =>
  object(weekMinuteShape, { about, required: true, example: { day_of_week: day, hour, minute: 0 } })

export const reportContentFields = {
  name: text({
    about: 'In a report default: that of the template. In a template required, unless there is a title.',
    typical: true,
    minimumLength: 1,
    maximumLength: 200,
    filter: true,
    contains: true,
    sort: true,
    example: 'Dostępność sklepu',
  }),
  description: text({
    about: 'On the first page of the document.',
    multiline: true,
    maximumLength: 5000,
    contains: true,
    example: 'Dla działu sprzedaży',
  }),
  email_addresses: list(text({ maximumLength: 254 }), {
    about:
      'Where the finished document is mailed to. Where people register themselves, confirmed notification addresses of the owner.',
    maximumLength: 20,
    filter: true,
    example: ['szef@example.com'],
  }),
  section_ids: list(text({ oneOf: reportSectionIds }), {
    about: 'Elements of the dictionary report_sections; in a template default: all.',
    maximumLength: reportSectionIds.length,
    filter: true,
    example: [...reportSectionIds],
  }),
  summary: text({
    about: 'Whether a point sums up everything; `only`: there is no other point.',
    oneOf: reportSummaries,
    filter: true,
    sort: true,
    example: 'enabled',
  }),
  weekly_suspensions: list(
    object({ start_minute: weekMinute('Inclusive.', 6, 0), end_minute: weekMinute('Exclusive.', 1, 0) }, {}),
    {
      about: "Ranges of every week, in the zone of the template's owner, whose data are left out.",
      maximumLength: 100,
      stored: 'json',
      example: [],
    },
  ),
  requested_scope: object(scopeShape, {
    about: 'The services that are reported on; selections add up.',
    typical: true,
  }),
} as const

/** The part of the requested scope that the template's owner can access, archived services included. */
export async function readScopeFacts(
  transaction: Executor,
  ownerId: number,
  given: { readonly requested_scope?: GivenScope },
): Promise<ReportAccess> {
  const { services } = wholeScope(given.requested_scope ?? {})
  return readReach(transaction, { accountId: ownerId, services: services.by_id, hasArchived: true })
}

function repeated(values: readonly string[], pointer: string): readonly Problem[] {
  return values.flatMap((value, index) =>
    values.indexOf(value) === index ? [] : [{ error: 'value_is_not_unique', field: `${pointer}[${index}]` }],
  )
}

/** Problems: incorrect_value, value_is_not_unique. */
export function reportContentProblems(
  row: Partial<ReportContent>,
  reach: ReportAccess,
  before: RequestedScope | null,
): readonly Problem[] {
  return [
    ...mailboxProblems(row.email_addresses ?? [], 'data.email_addresses'),
    ...repeated(row.section_ids ?? [], 'data.section_ids'),
    ...(row.weekly_suspensions ?? []).flatMap(({ start_minute, end_minute }, index) =>
      weeklyRangeProblems(start_minute, end_minute, `data.weekly_suspensions[${index}]`),
    ),
    ...(row.requested_scope === undefined ? [] : scopeProblems(row.requested_scope, reach, before)),
  ]
}

/**
 * True if a report of the template is being made; then neither can be deleted. The template is locked, so none begins
 * meanwhile.
 */
export async function isReporting(transaction: Executor, templateId: number): Promise<boolean> {
  const rows = await transaction.query(sql`
    select 1 from reports where template_id = ${templateId} and status = 'in_progress' limit 1`)
  return rows.length > 0
}
