import sql, { join, raw } from 'sql-template-tag'
import { groupPermissions, groupVisible } from '../../domain/access/permissions.ts'
import { one, resource, view } from '../../rest/declare.ts'
import { identifier, integer, text } from '../../rest/fields.ts'
import { statusColumns } from '../history/service-statuses.ts'

const count = { readOnly: true, filter: true, sort: true, minimum: 0 } as const
const states = ['failure', 'unknown', 'ok', 'suspended', 'paused'] as const

const shownStates = Object.fromEntries(
  states.map((state) => [state, integer({ ...count, about: `Services whose summary is ${state}.` })]),
)

/** The number of services in a state; a group without services has none. */
const counted = (state: string) => raw(`(count(*) filter (where summary = '${state}'))::int as ${state}`)
const counts = raw(
  ['services', 'active_services', 'degraded', ...states].map((name) => `coalesce(${name}, 0) as ${name}`).join(', '),
)

/** Archived services do not count. */
export const groupStats = resource('group_stats', {
  about: 'The present numbers of services of each group by their state, with the same id.',
  singular: 'numbers of a group',
  source: view(({ caller, nowAt }) => {
    const status = { alias: sql`st`, caller, nowAt, mayWrite: false }
    return sql`
      select g.id, g.name, g.owner_id, g.is_default, ${counts}
      from groups g left join (
        select group_id, count(*)::int as services, (count(*) filter (where is_active))::int as active_services,
          (count(*) filter (where is_degraded))::int as degraded, ${join(states.map(counted), ', ')}
        from (
          select s.group_id, s.is_active, ${statusColumns.summary(status)} as summary, ${statusColumns.isDegraded(status)} as is_degraded
          from services s join service_statuses st on st.service_id = s.id
          where not s.is_archived and (s.owner_id = any(${caller.account_ids}::int[])
            or s.group_id = any(${caller.shares.map(({ group_id: id }) => id)}::int[]))
        ) states group by group_id
      ) counted on counted.group_id = g.id`
  }),
  fields: {
    id: identifier({ about: 'The id of the group.' }),
    name: text({
      readOnly: true,
      filter: true,
      contains: true,
      sort: true,
      about: 'The name of the group.',
      example: 'Shop',
    }),
    owner_id: integer({ readOnly: true, filter: true, sort: true }),
    services: integer({ ...count, about: 'Services that are not archived.' }),
    active_services: integer({ ...count, about: 'The services among them that are switched on.' }),
    ...shownStates,
    degraded: integer({ ...count, about: 'The services among the ok ones that do not work as well as they should.' }),
    is_default: integer({ internal: true }),
  },
  relations: { group: one('groups', 'id'), owner: one('accounts', 'owner_id') },
  embed: ['group', 'owner', 'permissions'],
  search: ['id', 'name'],
  visible: (caller) => groupVisible(caller),
  permissions: (caller) => {
    const { own, read } = groupPermissions(caller)
    return { own: own ?? groupVisible(caller), read: read ?? groupVisible(caller) }
  },
  operations: ['list', 'search', 'read', 'permissions'],
})
