import sql from 'sql-template-tag'
import { serviceTypes } from '../../checks/index.ts'
import { lacksPermission } from '../../domain/access/lacking-right.ts'
import type { Row } from '../../domain/queries/condition.ts'
import { sensorCategories } from '../../domain/services/service-types.ts'
import type { Call, Operation } from '../../rest/call.ts'
import { readParent } from '../../rest/locate.ts'
import { pathParameters } from '../../rest/parameter-descriptions.ts'
import { refuse, refuseWith } from '../../rest/problems.ts'
import { maximumInteger, named } from '../../rest/schemas.ts'

interface Counts {
  readonly services: number
  readonly active_services: number
  readonly steps: number
  readonly groups: number
}

type Stats = { readonly [K in keyof Counts]: { readonly own: number; readonly shared: number } }

const count = { type: 'integer', minimum: 0, maximum: maximumInteger } as const
const numbers = ['services', 'active_services', 'steps', 'groups'] as const

const pair = named('own_and_shared', {
  type: 'object',
  required: ['own', 'shared'],
  properties: { own: count, shared: count },
  example: { own: 3, shared: 1 },
})

/** `GET /accounts/{_id}/stats`: archived services count for nothing; steps are those of scenarios. */
export const accountStats: Operation = {
  id: 'accounts.stats',
  method: 'GET',
  path: '/accounts/{_id}/stats',
  tag: 'accounts',
  summary: 'Numbers of services, steps and groups of an account',
  about:
    'Its own ones, and those in groups shared with it. Archived services do not count; steps are those of scenarios.',
  access: 'customer',
  parameters: pathParameters('{_id}'),
  answers: {
    200: {
      about: 'The numbers.',
      schema: {
        type: 'object',
        required: numbers,
        properties: Object.fromEntries(numbers.map((name) => [name, pair])),
      },
    },
  },
  async handle(call) {
    const id = await countedAccount(call)
    const [counts] = await call.database.query<{ own: Counts; shared: Counts }>(sql`
      with counted as (
        select s.owner_id = ${id} as is_own, count(*)::int as services, (count(*) filter (where s.is_active))::int as active_services,
          coalesce(sum(cardinality(s.path_steps)), 0)::int as steps
        from services s
        where not s.is_archived
          and (s.owner_id = ${id} or s.group_id in (select group_id from shares where account_id = ${id}))
        group by 1
      ), sides (is_own, groups) as (
        select true, count(*)::int from groups where owner_id = ${id}
        union all select false, count(*)::int from shares where account_id = ${id}
      )
      select jsonb_object_agg(side, numbers)->'own' as own, jsonb_object_agg(side, numbers)->'shared' as shared
      from (
        select case when is_own then 'own' else 'shared' end as side, jsonb_build_object('services', coalesce(services, 0),
          'active_services', coalesce(active_services, 0), 'steps', coalesce(steps, 0), 'groups', groups) as numbers
        from sides left join counted using (is_own)
      ) side`)
    return { status: 200, body: counts === undefined ? refuse('internal_error') : besides(counts.own, counts.shared) }
  },
}

function besides(own: Counts, shared: Counts): Stats {
  const both = (name: keyof Counts) => ({ own: own[name], shared: shared[name] })
  return {
    services: both('services'),
    active_services: both('active_services'),
    steps: both('steps'),
    groups: both('groups'),
  }
}

const categories = sql`unnest(
  ${serviceTypes.map(({ id }) => id)}::text[], ${serviceTypes.map(({ category }) => category)}::text[])`

const categoryNumbers = named('numbers_of_a_category', {
  type: 'object',
  required: ['service_type_category_id', 'services', 'active_services'],
  properties: {
    service_type_category_id: { type: 'string' },
    services: pair,
    active_services: pair,
  },
  example: {
    service_type_category_id: 'default',
    services: { own: 3, shared: 1 },
    active_services: { own: 2, shared: 1 },
  },
})

interface CategoryCounts {
  readonly category: string
  readonly own: number
  readonly shared: number
  readonly active_own: number
  readonly active_shared: number
}

async function countedAccount(call: Call): Promise<number> {
  const account = await readParent(call.registry.get('accounts'), call)
  if ((account['permissions'] as Row)['read_stats'] !== true) refuseWith(lacksPermission(call.caller, 'read_stats'))
  return Number(account['id'])
}

/** `GET /accounts/{_id}/stats/by_service_type_category` */
export const categoryStats: Operation = {
  ...accountStats,
  id: 'accounts.stats_by_service_type_category',
  path: '/accounts/{_id}/stats/by_service_type_category',
  summary: 'Numbers of services of an account by the category of their type',
  about:
    'Its own ones, and those in groups shared with it. Archived services do not count; a category without services has zeros.',
  answers: { 200: { about: 'The numbers of each category.', schema: { type: 'array', items: categoryNumbers } } },
  async handle(call) {
    const id = await countedAccount(call)
    const counted = await call.database.query<CategoryCounts>(sql`
      select known.category, (count(*) filter (where s.owner_id = ${id}))::int as own,
        (count(*) filter (where s.owner_id <> ${id}))::int as shared,
        (count(*) filter (where s.owner_id = ${id} and s.is_active))::int as active_own,
        (count(*) filter (where s.owner_id <> ${id} and s.is_active))::int as active_shared
      from services s join ${categories} as known (type_id, category) on known.type_id = s.type_id
      where not s.is_archived
        and (s.owner_id = ${id} or s.group_id in (select group_id from shares where account_id = ${id}))
      group by known.category`)
    const body = sensorCategories.map((category) => {
      const found = counted.find((row) => row.category === category)
      return {
        service_type_category_id: category,
        services: { own: found?.own ?? 0, shared: found?.shared ?? 0 },
        active_services: { own: found?.active_own ?? 0, shared: found?.active_shared ?? 0 },
      }
    })
    return { status: 200, body }
  },
}
