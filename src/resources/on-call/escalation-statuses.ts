import sql, { empty, type Sql } from 'sql-template-tag'
import { ownOrParents } from '../../domain/access/permissions.ts'
import { escalationStates } from '../../domain/notification/escalation.ts'
import { one, resource, view } from '../../rest/declare.ts'
import { integer, moment, text } from '../../rest/fields.ts'

const column = { readOnly: true, filter: true, sort: true } as const

/** @param which `distinct on …`, with its order behind the rows */
function rows(which: Sql = empty, order: Sql = empty): Sql {
  return sql`
    select ${which} service_id, change_id as change_key, escalation_id, owner_id, state, step, started_at, last_told_at,
      case when next_at < 'infinity' then next_at end as next_at
    from escalation_statuses ${order}`
}

const fields = {
  service_id: integer(column),
  change_id: text({
    ...column,
    about: 'The failure.',
    sortBy: 'change_key',
    example: '179539278012300',
    column: ({ alias }) => sql`lpad(${alias}.change_key::text, 15, '0')`,
  }),
  escalation_id: integer(column),
  state: text({
    ...column,
    about: 'over: the service works again, or is not monitored any more.',
    oneOf: escalationStates,
    example: 'running',
  }),
  step: integer({ ...column, about: 'The number of the last step that was told, from 1; 0: none was.', example: 1 }),
  started_at: moment({ ...column, about: 'When the failure was to be told: the first delay counts from here.' }),
  last_told_at: moment({ ...column, nullable: true, about: 'When a step was told last; null: none was.' }),
  next_at: moment({
    ...column,
    nullable: true,
    about:
      'When more is told, or a suspension of the escalation ends. Null: nothing more is, or it waits for the end of quiet hours.',
  }),
  change_key: integer({ internal: true }),
  owner_id: integer({ internal: true }),
}

const shared = {
  singular: 'escalation status',
  tag: 'escalations',
  relations: { service: one('services', 'service_id'), escalation: one('escalations', 'escalation_id') },
  embed: ['service', 'escalation'],
} as const

export const escalationStatuses = resource('escalation_statuses', {
  ...shared,
  about: 'How far the escalation of a failure has come: one for each failure that began one.',
  source: view(() => rows()),
  key: ['service_id', 'change_key'],
  fields,
  scope: 'notifications',
  visible: (caller) => ownOrParents(caller),
  operations: ['list', 'search'],
})

/** For each escalation, the status of the service's last failure that began it. */
export const serviceEscalationStatuses = resource('service_escalation_statuses', {
  ...shared,
  about: 'How far the escalations of a service have come: of each one that of the last failure that began it.',
  path: '/services/{_id}/escalation_statuses',
  parent: 'services',
  bound: { _id: 'service_id', _escalation_id: 'escalation_id' },
  key: ['escalation_id'],
  source: view(() =>
    rows(sql`distinct on (service_id, escalation_id)`, sql`order by service_id, escalation_id, change_id desc`),
  ),
  fields,
  scope: 'notifications',
  visible: (caller) => ownOrParents(caller),
  operations: ['list', 'read'],
})
