import sql from 'sql-template-tag'
import { groupPermissions, groupVisible } from '../../domain/permissions.ts'
import { one, resource, view } from '../../rest/declare.ts'
import { identifier, integer, text } from '../../rest/fields.ts'
import { statusColumns } from '../history/service-statuses.ts'

const count = { readOnly: true, filter: true, sort: true, minimum: 0 } as const
const states = ['failure', 'unknown', 'ok', 'suspended', 'paused'] as const

const counted = Object.fromEntries(
  states.map((state) => [state, integer({ ...count, about: `Services whose summary is ${state}.` })]),
)

/** Archived services do not count. */
export const groupStats = resource('group_stats', {
  about: 'The present numbers of services of each group by their state, with the same id.',
  singular: 'numbers of a group',
  source: view(
    ({ caller, nowAt }) => sql`
      select g.id, g.name, g.owner_id, g.is_default, counted.*
      from groups g cross join lateral (
        select count(*)::int as services, (count(*) filter (where is_active))::int as active_services,
          (count(*) filter (where is_degraded))::int as degraded,
          (count(*) filter (where summary = 'failure'))::int as failure,
          (count(*) filter (where summary = 'unknown'))::int as unknown,
          (count(*) filter (where summary = 'ok'))::int as ok,
          (count(*) filter (where summary = 'suspended'))::int as suspended,
          (count(*) filter (where summary = 'paused'))::int as paused
        from (
          select s.is_active, ${statusColumns.summary({ alias: sql`st`, caller, nowAt })} as summary,
            ${statusColumns.isDegraded({ alias: sql`st`, caller, nowAt })} as is_degraded
          from services s join service_statuses st on st.service_id = s.id
          where s.group_id = g.id and not s.is_archived
        ) states
      ) counted`,
  ),
  fields: {
    id: identifier({ about: 'Of the group.' }),
    name: text({ readOnly: true, filter: true, contains: true, sort: true, about: 'Of the group.', example: 'Shop' }),
    owner_id: integer({ readOnly: true, filter: true, sort: true }),
    services: integer({ ...count, about: 'Services that are not archived.' }),
    active_services: integer({ ...count, about: 'Of them, those that are switched on.' }),
    ...counted,
    degraded: integer({ ...count, about: 'Of the ok ones, those that do not work as well as they should.' }),
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
