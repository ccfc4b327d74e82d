import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database, Executor } from '../../src/database/connect.ts'
import { ensurePartitions } from '../../src/database/partitions.ts'
import { unequalServices } from '../../src/history/packed/batch.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

const [services, minutes] = [4000, 12]
const start = Date.UTC(2026, 10, 20)

let world: TestDatabase

interface Plan {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly Plans?: readonly Plan[]
}

function nodesOf(plan: Plan): readonly Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]
}

async function planOf(executor: Executor, statement: Parameters<Executor['query']>[0]): Promise<readonly Plan[]> {
  const [row] = await executor.query<{ 'QUERY PLAN': readonly [{ readonly Plan: Plan }] }>(
    sql`explain (format json) ${statement}`,
  )
  return row === undefined ? [] : nodesOf(row['QUERY PLAN'][0].Plan)
}

/** The nodes that read the day. */
function readingsOf(nodes: readonly Plan[]): readonly string[] {
  return nodes.flatMap((node) => (node['Relation Name']?.startsWith('analyses_hot') ? [node['Node Type']] : []))
}

beforeAll(async () => {
  world = await testDatabase()
  const { database } = world
  await ensurePartitions(database, start, 0)
  await database.execute(sql`
    insert into analyses_hot (service_id, analysis_id, verdict, error_tolerance, sensor_ids, results, time_offsets,
      response_times, data_sizes, phases)
    select id, (${start}::bigint + minute * 60000 + id * 10) * 100, 'ok', 51, '{1}', '{o}', '{-90}', '{90}', '{5120}', '{1,2,3,4,5,6}'
    from generate_series(0, ${minutes - 1}::int) minute, generate_series(1, ${services}::int) id order by 2`)
  await database.execute(raw('vacuum analyze analyses_hot'))
})
afterAll(() => world.drop())

test('what is to be packed is found in one pass over the day, however many services there are', async () => {
  let found: readonly Plan[] = []
  let settings: object | undefined
  const watching: Database = {
    ...world.database,
    transaction: (work) =>
      world.database.transaction((transaction) =>
        work({
          ...transaction,
          async query(statement, name) {
            found = await planOf(transaction, statement)
            // With a hundred thousand services the plan depends on them; a table of that size takes a test too long.
            ;[settings] = await transaction.query<object>(
              sql`select current_setting('work_mem') as work_mem, current_setting('enable_indexscan') as enable_indexscan`,
            )
            return transaction.query(statement, name)
          },
        }),
      ),
  }
  const rows = await unequalServices(watching, start)
  expect(rows).toHaveLength(services)
  expect(readingsOf(found)).toEqual(['Seq Scan'])
  expect(settings).toEqual({ work_mem: '128MB', enable_indexscan: 'off' })
})
