import sql, { raw } from 'sql-template-tag'
import { type Resource, resource, view } from '../../rest/declare.ts'
import { integer, json, text } from '../../rest/fields.ts'
import { ofDistribution } from './distribution.ts'

const column = { readOnly: true, filter: true, sort: true } as const
const counter = { ...column, minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const

/**
 * Monthly sums (answers §12). The tables hold a row per group, type and month. That is few enough to read them whole,
 * so year and month need no index.
 */
function usage(name: 'by_account' | 'by_group', owner: 'account_id' | 'group_id', about: string): Resource {
  const key = owner === 'account_id' ? raw('account_id') : raw('account_id, group_id')
  return resource(`admin/usage_stats/${name}`, {
    about,
    tag: 'admin',
    singular: 'usage',
    path: `/admin/usage_stats/${name}/{year}/{month}`,
    bound: { year: 'year', month: 'month' },
    access: 'administrator',
    key: [owner, 'service_type_id'],
    source: view(
      () => sql`
        select used.*, nullif(used.type_id, '') as service_type_id, accounts.distribution_id,
          extract(year from used.first_day)::int as year, extract(month from used.first_day)::int as month
        from (
          select first_day, ${key}, type_id, coalesce(sum(analyses), 0)::bigint as analyses, coalesce(sum(checks), 0)::bigint as checks,
            coalesce(jsonb_object_agg(channel_id, sent) filter (where channel_id is not null), '{}') as notifications_by_channel
          from (
            select month as first_day, ${key}, service_type_id as type_id, sum(analyses) as analyses, sum(checks) as checks,
              null as channel_id, null::bigint as sent
            from usage_counters group by month, ${key}, service_type_id
            union all
            select month, ${key}, service_type_id, null, null, notification_channel_id, sum(sent)::bigint
            from usage_notifications group by month, ${key}, service_type_id, notification_channel_id
          ) counted
          group by first_day, ${key}, type_id
        ) used join accounts on accounts.id = used.account_id`,
    ),
    fields: {
      [owner]: integer(column),
      service_type_id: text({
        ...column,
        nullable: true,
        about: 'Null for test messages, which speak of no type.',
        example: 'https',
      }),
      checks: integer({ ...counter, about: 'Checks of single stations.', example: 129_600 }),
      analyses: integer({ ...counter, about: 'Rounds of checks.', example: 43_200 }),
      notifications_by_channel: json({
        members: integer(counter),
        readOnly: true,
        about: 'Notifications sent, by notification_channel_id.',
        example: { email: 12, sms: 3 },
      }),
      // Years of four digits, months that exist: everything else is not found.
      year: integer({ internal: true, minimum: 1970, maximum: 9999 }),
      month: integer({ internal: true, minimum: 1, maximum: 12 }),
      distribution_id: integer({ internal: true }),
    },
    search: [owner, 'service_type_id'],
    visible: ofDistribution,
    operations: ['list'],
  })
}

export const usageByAccount = usage('by_account', 'account_id', 'What each account used in one month, by type.')
export const usageByGroup = usage(
  'by_group',
  'group_id',
  'The use of each group in one month, by type; a service counts in the group where it was then.',
)
