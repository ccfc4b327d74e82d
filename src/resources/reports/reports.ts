import sql from 'sql-template-tag'
import type { Executor } from '../../database/connect.ts'
import { lockMonthlyReports, type MonthlyReports, reportMade } from '../../database/reports/reports.ts'
import { lacksPermission } from '../../domain/access/lacking-right.ts'
import {
  mayWrite,
  ownOrParents,
  reportPermissions,
  reportTemplatePermissions,
} from '../../domain/access/permissions.ts'
import { periodProblems } from '../../domain/calendars/period.ts'
import { reportingPlanIds } from '../../domain/dictionaries.ts'
import { countLimits } from '../../domain/input/count-limits.ts'
import type { Problem } from '../../domain/input/problem.ts'
import { holds } from '../../domain/queries/condition.ts'
import { phaseStatuses, reportStatuses } from '../../domain/reports/report-progress.ts'
import { type ReportAccess, wholeScope } from '../../domain/reports/report-scope.ts'
import type { Call } from '../../rest/call.ts'
import { one, type Resource, resource, table, type Writing } from '../../rest/declare.ts'
import { boolean, identifier, integer, moment, text } from '../../rest/fields.ts'
import { onlyConfirmed } from '../accounts/confirmed-mailboxes.ts'
import { attachmentOperations } from './generated-attachments.ts'
import {
  type ReportContent,
  readScopeFacts,
  reportContentFields,
  reportContentProblems,
  sectionsOf,
} from './report-content.ts'
import { reportJson, reportPdf } from './report-files.ts'

interface Report extends ReportContent, Readonly<Record<string, unknown>> {
  readonly id: number
  readonly template_id: number
  readonly owner_id: number
  readonly from: number
  readonly to: number
  readonly status: string
}

interface Template extends ReportContent {
  readonly id: number
  readonly owner_id: number
  readonly archived_services: boolean
}

interface Facts {
  readonly template: Template
  readonly refusal: Problem | null
  readonly reach: ReportAccess
  readonly monthly: MonthlyReports
}

/** Null when the caller may not read the template. It is held against deletion. */
async function facts(transaction: Executor, call: Call, given: Partial<Report>): Promise<Facts | null> {
  const [template] = await transaction.query<Template>(sql`
    select id, owner_id, name, description, email_addresses, section_ids, summary, archived_services, weekly_suspensions,
      requested_scope
    from report_templates where id = ${given.template_id ?? null}::bigint for key share`)
  if (template === undefined || !holds(ownOrParents(call.caller), { ...template })) return null
  const { create_reports: creating } = reportTemplatePermissions(call.caller)
  const isAllowed = creating !== undefined && holds(creating, { ...template })
  return {
    template,
    refusal: isAllowed ? null : lacksPermission(call.caller, 'create_reports'),
    reach: await readScopeFacts(transaction, template.owner_id, given),
    monthly: await lockMonthlyReports(transaction, template.owner_id, call.nowAt),
  }
}

/** Values that the report lacks come from the template; later changes of the template do not affect it. */
function complete(given: Partial<Report>, _before: Report | null, known: Facts | null, { nowAt }: Call) {
  if (known === null) return { row: given, problems: [] }
  const { id: _id, ...template } = known.template
  const scope = given.requested_scope
  const row: Partial<Report> = {
    ...template,
    ...given,
    ...(scope === undefined ? {} : { requested_scope: wholeScope(scope) }),
    created_at: nowAt,
  }
  return { row, problems: [] }
}

function limitProblems({ made, limit }: MonthlyReports): readonly Problem[] {
  if (limit === null || made < limit) return []
  return [{ error: 'limit_exceeded', facts: { limit: 'monthly_reports_limit', value: limit } }]
}

const noSuchTemplate: Problem = {
  error: 'incorrect_value',
  field: 'data.template_id',
  facts: { detail: 'report_template' },
}

function rules(row: Partial<Report>, known: Facts | null): readonly Problem[] {
  const period = periodProblems(row.from, row.to, 'data.to')
  if (known === null) {
    // A missing or malformed template_id was told before.
    return row.template_id === undefined ? period : [noSuchTemplate, ...period]
  }
  if (known.refusal !== null) return [known.refusal]
  return [
    ...period,
    ...reportContentProblems(row, known.reach, known.template.requested_scope),
    ...limitProblems(known.monthly),
  ]
}

const write: Writing<Report, Facts | null> = {
  countLimit: { count: countLimits.reports, per: 'owner_id' },
  allowed: ({ caller }) => mayWrite(caller),
  facts,
  complete,
  rules,
  explain: (row, flag, { caller }) =>
    flag === 'delete' &&
    row.status === 'in_progress' &&
    holds(mayWrite(caller), row) &&
    holds(ownOrParents(caller), row)
      ? [{ error: 'report_in_progress' }]
      : [],
  created: (transaction, { nowAt }, row) => reportMade(transaction, row.owner_id, nowAt),
}

const ofServer = { readOnly: true, filter: true, sort: true } as const
const changing = { ...ofServer, computed: true } as const
const percent = { ...changing, minimum: 0, maximum: 100 } as const
const phase = { ...changing, oneOf: phaseStatuses } as const
const { name, description, email_addresses, section_ids, requested_scope, summary, weekly_suspensions } =
  reportContentFields
const side = { required: true, immutable: true, filter: true, sort: true } as const

const fields = {
  id: identifier(),
  template_id: integer({ required: true, immutable: true, filter: true, sort: true, example: 1 }),
  owner_id: integer({ about: "The template's owner.", ...ofServer }),
  from: moment({ ...side, about: 'Inclusive.', storedIn: 'from_time', example: '2026-11-01T00:00:00Z' }),
  to: moment({
    ...side,
    about: 'Exclusive; what lies after the creation of the report is not in it.',
    storedIn: 'to_time',
    example: '2026-11-08T00:00:00Z',
  }),
  name,
  description,
  email_addresses,
  section_ids,
  requested_scope,
  summary,
  weekly_suspensions,
  archived_services: boolean({ about: "The template's.", ...ofServer, example: false }),
  reporting_plan_id: text({
    about: 'The plan that made it; null when it was asked for.',
    ...ofServer,
    nullable: true,
    oneOf: reportingPlanIds,
    example: null,
  }),
  generating_status: text({ about: 'The state of the data.', ...phase }),
  generating_progress: integer({ about: 'Percent.', ...percent }),
  rendering_status: text({ about: 'The state of the document.', ...phase }),
  rendering_progress: integer({ about: 'Percent.', ...percent }),
  status: text({ about: 'The state of the whole report.', ...changing, oneOf: reportStatuses }),
  progress: integer({ about: 'Percent of the whole; 50 when the data are there.', ...percent }),
  error_message: text({ about: 'Why it failed; else null.', ...changing, nullable: true, example: null }),
  created_at: moment(ofServer),
}

const confirming = onlyConfirmed(write, {
  named: (row) => row.email_addresses ?? [],
  pointer: (index) => `data.email_addresses[${index}]`,
  accepted: (_before, known) => known?.template.email_addresses ?? [],
  ownerId: ({ owner_id }) => owner_id,
})

/** @param mustConfirm whether a mailbox has to be a confirmed notification address */
export function reports(mustConfirm: boolean): Resource {
  return resource('reports', {
    about: 'Reports on what a template selects over a range of time, as data and as a document.',
    singular: 'report',
    making:
      'A report of a template (`POST /report_templates`) is made within seconds: when `status` is completed, read `json` and `pdf`.',
    source: table('reports'),
    fields,
    relations: { template: one('report_templates', 'template_id'), owner: one('accounts', 'owner_id') },
    embed: ['template', 'owner', 'permissions'],
    subresources: ['template', 'owner'],
    search: ['id', 'name', 'description'],
    scope: 'reports',
    visible: (caller) => ownOrParents(caller),
    permissions: reportPermissions,
    children: { sections: sectionsOf('report') },
    operations: ['list', 'search', 'read', 'create', 'remove', 'permissions'],
    write: mustConfirm ? confirming : write,
    actions: [reportJson, reportPdf, ...attachmentOperations],
  })
}
