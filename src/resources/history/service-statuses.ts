import sql, { join, raw, type Sql } from 'sql-template-tag'
import { serviceStatusPermissions, serviceVisible } from '../../domain/access/permissions.ts'
import { degradedReasons } from '../../domain/judging/degraded.ts'
import { summaries, summaryTable } from '../../domain/judging/status.ts'
import { unknownReasons } from '../../domain/judging/unknown-reason.ts'
import { one, resource, view } from '../../rest/declare.ts'
import type { ColumnContext } from '../../rest/fields.ts'
import { boolean, identifier, integer, list, moment, text } from '../../rest/fields.ts'
import { unknownReasonText } from '../../wording/unknown-reasons.ts'

const mark = { nullable: true, readOnly: true, filter: true, sort: true } as const

function analysisId(name: string): (context: ColumnContext) => Sql {
  return ({ alias }) => sql`lpad(${alias}.${raw(name)}::text, 15, '0')`
}

function isUpToDate({ alias, nowAt }: ColumnContext): Sql {
  return sql`coalesce(${alias}.valid_until > ${new Date(nowAt)}, false)`
}

/** True only with a valid verdict, as `summary` says `ok` only then. */
function isDegraded(context: ColumnContext): Sql {
  const { alias } = context
  return sql`(${alias}.degraded_since is not null and ${alias}.monitoring_status = 'on' and ${alias}.check_status = 'ok' and ${isUpToDate(context)})`
}

/** Null unless the service is monitored, because nobody waits for a stopped one. */
function whileMonitored(name: string): (context: ColumnContext) => Sql {
  return ({ alias }) => sql`case when ${alias}.monitoring_status = 'on' then ${alias}.${raw(name)} end`
}

/** The row of `summaryTable` that applies. */
function summary(context: ColumnContext): Sql {
  const { alias } = context
  const rows = summaryTable.map(({ summary: name, monitoring, check, isUpToDate: wanted }) => {
    const asked = [
      sql`${alias}.monitoring_status = ${raw(`'${monitoring}'`)}`,
      ...(check === undefined ? [] : [sql`${alias}.check_status = ${raw(`'${check}'`)}`]),
      ...(wanted === undefined ? [] : [sql`${isUpToDate(context)} = ${raw(String(wanted))}`]),
    ]
    return sql`when ${join(asked, ' and ')} then ${raw(`'${name}'`)}`
  })
  return sql`case ${join(rows, ' ')} end`
}

/** For other resources that tell of the state of services. */
export const statusColumns = { summary, isDegraded }

export const serviceStatuses = resource('service_statuses', {
  about: 'The current status of each service, with the same id.',
  singular: 'service status',
  source: view(
    () =>
      sql`select st.*, st.service_id as id, s.owner_id, s.group_id, s.tag_ids from service_statuses st left join services s on s.id = st.service_id`,
  ),
  fields: {
    id: identifier(),
    check_status: text({
      about:
        'The last verdict. It is `ok` before the first one, when nothing is known yet: `summary` says `unknown` then, and `check_status_is_up_to_date` is false.',
      oneOf: ['ok', 'failure'],
      readOnly: true,
      filter: true,
      sort: true,
      example: 'ok',
    }),
    check_status_is_up_to_date: boolean({
      about: 'Whether the last verdict is still valid.',
      readOnly: true,
      filter: true,
      sort: true,
      column: isUpToDate,
    }),
    monitoring_status: text({
      oneOf: ['on', 'off', 'suspended'],
      readOnly: true,
      filter: true,
      sort: true,
      example: 'on',
    }),
    notifications_status: text({ oneOf: ['on', 'silent'], readOnly: true, filter: true, sort: true, example: 'on' }),
    summary: text({
      oneOf: summaries,
      readOnly: true,
      filter: true,
      sort: true,
      example: 'ok',
      column: summary,
    }),
    is_acknowledged: boolean({
      about: 'Somebody acknowledged the failure that lasts now. A new failure is not acknowledged.',
      readOnly: true,
      filter: true,
      sort: true,
      example: false,
      column: ({ alias }) =>
        sql`coalesce(${alias}.state = 'failure' and ${alias}.acknowledged_change_id = ${alias}.state_change_id, false)`,
    }),
    held_by_service_id: integer({
      ...mark,
      about:
        'The failed service on which this one depends, directly or not, and whose failure holds its notifications; the highest of several.',
      example: null,
    }),
    is_degraded: boolean({
      about:
        'The service works, but not as well as it should; `summary` is `ok` then. False while nothing is known and while monitoring is stopped.',
      readOnly: true,
      filter: true,
      sort: true,
      example: false,
      column: isDegraded,
    }),
    degraded_reasons: list(text({ oneOf: degradedReasons }), {
      about:
        'Why it is degraded: slow answers, a certificate or a domain that ends soon, an assertion of that severity, or a failure that only a minority of the stations sees.',
      readOnly: true,
      example: [],
      column: (context) => sql`case when ${isDegraded(context)} then ${context.alias}.degraded_reasons else '{}' end`,
    }),
    degraded_since: moment({
      ...mark,
      about: 'Since when it is degraded.',
      example: null,
      column: (context) => sql`case when ${isDegraded(context)} then ${context.alias}.degraded_since end`,
    }),
    expires_at: moment({
      ...mark,
      about: 'The nearest end of the certificate or the domain, as the last analysis that saw one says.',
      example: null,
      // The smaller one; without one of them the other.
      column: ({ alias }) => sql`to_timestamp(least((${alias}.expiry ->> 'endsAt')::float8,
        (${alias}.domain_expiry ->> 'endsAt')::float8) / 1000)`,
    }),
    unknown_reason_id: text({
      ...mark,
      about:
        'Why the last analysis has no verdict: a fault of the definition (no_sensor, no_capable_sensor) or the symbol of the error type that most of its stations met. Null after a verdict, and while monitoring is stopped.',
      oneOf: unknownReasons,
      example: null,
      column: whileMonitored('unknown_reason'),
    }),
    unknown_reason_message: text({
      about: 'The same in the language of the caller.',
      nullable: true,
      readOnly: true,
      example: null,
      column: whileMonitored('unknown_reason'),
      shown: (id, _row, language) => (id === null ? null : unknownReasonText(String(id), language)),
    }),
    unknown_since: moment({
      ...mark,
      about: 'The first analysis without a verdict since the last one with a verdict.',
      example: null,
      column: whileMonitored('unknown_since'),
    }),
    last_check_status_change_time: moment(mark),
    last_analysis_id: text({ ...mark, example: '179539278012300', column: analysisId('last_analysis_id') }),
    last_ok_analysis_id: text({ ...mark, example: '179539278012300', column: analysisId('last_ok_analysis_id') }),
    last_failure_analysis_id: text({ ...mark, example: null, column: analysisId('last_failure_analysis_id') }),
    last_analysis_time: moment(mark),
    last_ok_analysis_time: moment(mark),
    last_failure_analysis_time: moment(mark),
    last_response_time: integer({
      ...mark,
      about: 'Milliseconds: the mean of the good checks of the last analysis that had any.',
      example: 84,
    }),
    owner_id: integer({ internal: true }),
    group_id: integer({ internal: true }),
    tag_ids: list(integer({}), { internal: true }),
  },
  relations: { service: one('services', 'id') },
  embed: ['service', 'permissions'],
  search: ['id'],
  forNarrowedKeys: true,
  visible: serviceVisible,
  permissions: serviceStatusPermissions,
  operations: ['list', 'search', 'read', 'permissions'],
})
