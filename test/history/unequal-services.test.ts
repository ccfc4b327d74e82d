import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../src/database/connect.ts'
import { ensurePartitions } from '../../src/database/partitions.ts'
import { unequalServices } from '../../src/history/packed/batch.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { explained, type PlanNode } from '../support/plan.ts'

const [services, minutes] = [4000, 12]
const start = Date.UTC(2026, 10, 20)

let world: TestDatabase

/** The nodes that read the day. */
function readingsOf(nodes: readonly PlanNode[]): readonly string[] {
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
  let found: readonly PlanNode[] = []
  let settings: object | undefined
  const watching: Database = {
    ...world.database,
    transaction: (work) =>
      world.database.transaction((transaction) =>
        work({
          ...transaction,
          async query(statement, name) {
            found = await explained(transaction, statement)
            // With a hundred thousand services the plan depends on them; a table of that size takes a test too long.
            ;[settings] = await transaction.query<object>(
              sql`select current_setting('work_mem') as work_mem, current_setting('enable_indexscan') as enable_indexscan,
                current_setting('citus.propagate_set_commands') as on_machines`,
            )
            return transaction.query(statement, name)
          },
        }),
      ),
  }
  const rows = await unequalServices(watching, start)
  expect(rows).toHaveLength(services)
  expect(readingsOf(found)).toEqual(['Seq Scan'])
  expect(settings).toEqual({ work_mem: '128MB', enable_indexscan: 'off', on_machines: 'local' })
})
