import sql from 'sql-template-tag'
import type { Executor } from '../../database/connect.ts'
import { scheduleReports } from '../../database/reports/report-schedules.ts'
import { mayWrite, ownOrParents, reportTemplatePermissions } from '../../domain/access/permissions.ts'
import { reportingPlanIds, reportSectionIds } from '../../domain/dictionaries.ts'
import { countLimits } from '../../domain/input/count-limits.ts'
import type { Problem } from '../../domain/input/problem.ts'
import { oneOf } from '../../domain/queries/condition.ts'
import type { ReportingPlan } from '../../domain/reports/report-plan.ts'
import { type ReportAccess, wholeScope } from '../../domain/reports/report-scope.ts'
import type { Call } from '../../rest/call.ts'
import { by, one, type Resource, resource, table, type Writing } from '../../rest/declare.ts'
import { boolean, identifier, integer, list, moment, text } from '../../rest/fields.ts'
import { onlyConfirmed } from '../accounts/confirmed-mailboxes.ts'
import {
  isReporting,
  type ReportContent,
  readScopeFacts,
  reportContentFields,
  reportContentProblems,
  sectionsOf,
} from './report-content.ts'
import { templateStats } from './template-stats.ts'

interface Template extends ReportContent, Readonly<Record<string, unknown>> {
  readonly id: number
  readonly owner_id: number
  readonly title: string
  readonly reporting_plan_ids: readonly ReportingPlan[]
}

function wrote(body: unknown, name: string): boolean {
  return typeof body === 'object' && body !== null && name in body
}

/** `title` is another name of `name`: whichever differs from what was there before is meant. */
function nameOf(given: Partial<Template>, before: Template | null, { body }: Call) {
  const { name, title } = given
  const isTitleNew = title !== undefined && title !== before?.name
  const isNameNew = name !== undefined && name !== before?.name
  const problems: Problem[] = []
  if (isTitleNew && isNameNew && name !== title)
    problems.push({ error: 'incorrect_value', field: 'data.title', facts: { detail: 'title' } })
  if (before === null && !wrote(body, 'name') && !wrote(body, 'title')) {
    problems.push({ error: 'missing_value', field: 'data.name', facts: { name: 'name' } })
  }
  const chosen = isTitleNew && !isNameNew ? title : name
  return { values: chosen === undefined ? {} : { name: chosen }, problems }
}

function complete(given: Partial<Template>, before: Template | null, _reach: ReportAccess, call: Call) {
  const { title: _alias, ...values } = given
  const named = nameOf(given, before, call)
  const { requested_scope: scope } = given
  const defaults = {
    owner_id: call.caller.primary_account_id,
    created_at: call.nowAt,
    section_ids: reportSectionIds,
    requested_scope: wholeScope({}),
  }
  const row: Partial<Template> = {
    ...(before === null ? defaults : {}),
    ...values,
    ...named.values,
    ...(scope === undefined ? {} : { requested_scope: wholeScope(scope) }),
  }
  return { row, problems: named.problems }
}

function repeatedPlans(plans: readonly string[]): readonly Problem[] {
  return plans.flatMap((plan, index) =>
    plans.indexOf(plan) === index ? [] : [{ error: 'value_is_not_unique', field: `data.reporting_plan_ids[${index}]` }],
  )
}

const write: Writing<Template, ReportAccess> = {
  countLimit: { count: countLimits.reportTemplates, per: 'owner_id' },
  allowed: ({ caller }) => mayWrite(caller),
  facts: (transaction, { caller }, given, before) =>
    readScopeFacts(transaction, before?.owner_id ?? caller.primary_account_id, given),
  complete,
  rules: (row, reach, before) => [
    ...reportContentProblems(row, reach, before?.requested_scope ?? null),
    ...repeatedPlans(row.reporting_plan_ids ?? []),
  ],
  created: (transaction, { nowAt }, { id, reporting_plan_ids: plans = [] }) =>
    scheduleReports(transaction, id, plans, nowAt),
  changed: (transaction, { nowAt }, { id, reporting_plan_ids: plans }) =>
    scheduleReports(transaction, id, plans, nowAt),
  async removing(transaction: Executor, _call, { id }) {
    if (await isReporting(transaction, id)) return [{ error: 'report_in_progress' }]
    await transaction.execute(sql`delete from reports where template_id = ${id}`)
    return []
  },
}

const { name, ...content } = reportContentFields

const fields = {
  id: identifier(),
  owner_id: integer({
    about: 'Whose access and time zone the reports have.',
    readOnly: true,
    filter: true,
    sort: true,
  }),
  name,
  title: text({
    about: 'The same as name.',
    deprecated: true,
    minimumLength: 1,
    maximumLength: 200,
    elsewhere: true,
    example: 'Dostępność sklepu',
    column: ({ alias }) => sql`${alias}.name`,
  }),
  ...content,
  reporting_plan_ids: list(text({ oneOf: reportingPlanIds }), {
    about: 'Elements of the dictionary reporting_plans: when reports are made by themselves.',
    maximumLength: reportingPlanIds.length,
    filter: true,
    example: ['weekly'],
  }),
  archived_services: boolean({
    about: 'Whether archived services are reported on.',
    filter: true,
    sort: true,
    example: false,
  }),
  created_at: moment({ readOnly: true, filter: true, sort: true }),
}

const confirming = onlyConfirmed(write, {
  named: (row) => row.email_addresses ?? [],
  pointer: (index) => `data.email_addresses[${index}]`,
  accepted: (before) => before?.email_addresses ?? [],
  ownerId: ({ owner_id }) => owner_id,
})

/** @param mustConfirm whether a mailbox has to be a confirmed notification address */
export function reportTemplates(mustConfirm: boolean): Resource {
  return resource('report_templates', {
    about:
      'Templates say which services reports are about, what they show, when they are made and to whom they are mailed.',
    singular: 'report template',
    making:
      'Without a `requested_scope` its reports are about nothing. Then `POST /reports` makes one; with `reporting_plan_ids` they are made by themselves and mailed to `email_addresses`.',
    source: table('report_templates'),
    fields,
    relations: { owner: one('accounts', 'owner_id') },
    embed: ['owner', 'permissions'],
    subresources: ['owner'],
    search: ['id', 'name', 'description'],
    scope: 'reports',
    visible: (caller) => ownOrParents(caller),
    permissions: reportTemplatePermissions,
    children: {
      reports: by('reports', 'template_id', 'Reports made from a template'),
      reporting_plans: {
        list: 'dictionaries/reporting_plans',
        summary: 'Reporting plans by which a template makes reports',
        where: (template) => oneOf('id', template['reporting_plan_ids'] as readonly string[]),
      },
      sections: sectionsOf('template'),
    },
    operations: ['list', 'search', 'read', 'create', 'update', 'remove', 'permissions'],
    configuration: {
      references: {
        'requested_scope.services.by_group_id': { to: 'groups' },
        'requested_scope.services.by_id': { to: 'services' },
        'requested_scope.groups.by_id': { to: 'groups' },
      },
      explicit: () => ['section_ids'],
    },
    write: mustConfirm ? confirming : write,
    actions: [templateStats],
  })
}
