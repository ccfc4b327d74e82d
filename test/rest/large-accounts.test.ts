import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../src/database/connect.ts'
import { countRows, list } from '../../src/rest/operations/list.ts'
import { type FurnishedWorld, furnishedWorld } from '../support/furnished.ts'
import { listingOn } from '../support/listing.ts'
import { explained, type PlanNode } from '../support/plan.ts'

/** An account with most services of the installation: its lists are counted and chosen without reading their rows. */
let world: FurnishedWorld
let plans: (readonly PlanNode[])[] = []
const services = 4000

beforeAll(async () => {
  world = await furnishedWorld()
  await world.database.execute(sql`
    insert into services (owner_id, group_id, name, type_id, address, interval, notification_channel_ids, notification_condition_ids)
    select ${world.people.ids.alice}, ${world.groupIds.private}, 'Many ' || (number * 7919 % 4001), 'http', 'many.example', 60, '{}', '{}'
    from generate_series(1, ${services}::int) number`)
  await world.database.execute(sql`
    insert into service_statuses (service_id, check_status, monitoring_status, valid_until)
    select id, case when id % 50 = 3 then 'failure' else 'ok' end, case when id % 7 = 1 then 'off' else 'on' end,
      case when id % 11 = 5 then null else ${new Date(world.clock.now() + 60_000)}::timestamptz end
    from services on conflict do nothing`)
  await world.database.execute(sql`
    insert into audit_log (owner_id, position, time, account_id, ip_address, source, operation, resource, object_id, hash)
    select ${world.people.ids.alice}, 1000000 + id, now(), ${world.people.ids.alice}, '', 'api', 'services.update', 'services', id::text, ''
    from services`)
  await world.database.execute(sql`analyze audit_log`)
  // Only then does an index alone tell which rows are visible.
  await world.database.execute(sql`vacuum analyze services`)
  await world.database.execute(sql`vacuum analyze service_statuses`)
})
afterAll(() => world.drop())

function watched(database: Database): Database {
  return {
    ...database,
    async query(statement, name) {
      plans.push(await database.transaction((transaction) => explained(transaction, statement)))
      return database.query(statement, name)
    },
  }
}

/** How each statement finds services. */
async function waysToServices(query: string, work = list): Promise<readonly (readonly string[])[]> {
  const resource = world.registry.get('services')
  const call = (await listingOn(world, watched(world.database))).callOf(resource, query)
  plans = []
  await work(resource, call)
  return plans.map((nodes) =>
    nodes
      .filter((node) => node['Relation Name'] === 'services')
      .map((node) => `${node['Node Type']}, ${node['Index Name']}`),
  )
}

const byOwner = 'Index Only Scan, services_owner'
const byNumber = 'Index Scan, services_pkey'

test.each(['is_archived=false&limit=0', 'is_archived=false&status.summary=failure&limit=0'])(
  'the index of the owner is all that is read of services to count %s',
  async (query) => {
    const [, counting] = await waysToServices(query)
    expect(counting).toEqual([byOwner])
  },
)

test('the same index counts the states', async () => {
  const { countings } = world.registry.get('services')
  const counting = countings['state_counts']
  if (counting === undefined) throw new Error('Nothing counts the states.')
  const ways = await waysToServices('is_archived=false', (resource, call) => countRows(resource, counting, call))
  expect(ways).toEqual([[byOwner]])
})

test('a page by state reads the rows of its services alone', async () => {
  const [page = []] = await waysToServices('is_archived=false&sort=status.summary&limit=20')
  expect([...page].sort()).toEqual([byOwner, byNumber])
})

test('the records of one object in the audit log are found by an index', async () => {
  const resource = world.registry.get('logs/audit')
  const query = `resource=services&object_id=${world.serviceIds.private}`
  const call = (await listingOn(world, watched(world.database))).callOf(resource, query)
  plans = []
  await list(resource, call)
  const ways = plans.flat().filter((node) => node['Relation Name'] === 'audit_log')
  expect(ways.map((node) => node['Index Name'])).toEqual(['audit_log_object'])
})

interface Listed {
  readonly id: number
  readonly status: { readonly summary: string } | null
}

test.each(['status.summary', '-status.summary,name', '-name', 'type_id,-id'])(
  'pages by %s follow each other without a gap',
  async (sort) => {
    const path = `/services?is_archived=false&sort=${sort}&embed=status.summary&fields=id,name`
    const read = async (query: string) =>
      (await world.call('alice', 'GET', `${path}&${query}`)).body as readonly Listed[]
    const pages: Listed[] = []
    for (let offset = 0; offset < services + 1000; offset += 999)
      pages.push(...(await read(`limit=999&offset=${offset}`)))
    expect(pages.length).toBeGreaterThan(services)
    expect(new Set(pages.map(({ id }) => id)).size).toBe(pages.length)
    const [first, middle] = [await read('limit=7'), await read('limit=7&offset=2000')]
    expect([first, middle]).toEqual([pages.slice(0, 7), pages.slice(2000, 2007)])
    if (!sort.includes('status.summary')) return
    const states = pages.map(({ status }) => status?.summary ?? '')
    const inOrder = sort.startsWith('-') ? states.toSorted().toReversed() : states.toSorted()
    expect(states).toEqual(inOrder)
    expect(new Set(states)).toEqual(new Set(['failure', 'ok', 'paused', 'unknown']))
  },
)
