import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { readsHistory, servicesRead } from '../../src/database/history-reads.ts'

const days = sql`analysis_id >= ${1}`

test.each([
  [sql`select 1 from analyses_hot where ${days} and service_id = ${7}`, [7]],
  [sql`select 1 from (select * from packed_days where ${days}) t where t."service_id" = ${7}::bigint`, [7]],
  [sql`select 1 from hourly_performance where service_id = any(${[7, 8]}::int[])`, [7, 8]],
  [sql`select 1 from daily_performance p where p.service_id = any (${[7]}::bigint[]) and p.service_id = ${8}`, [7, 8]],
  // Numbers that no service can have.
  [sql`select 1 from analyses_hot where service_id = ${'x'} or service_id = ${2 ** 40} or service_id = ${9}`, [9]],
  [sql`select count(*) from analyses_hot where ${days}`, []],
  [sql`with newest as (select 1 from analyses_hot) select from path_step_sets, newest`, []],
])('%# reads the history of the services that it names', (statement, services) => {
  expect(readsHistory(statement.text)).toBe(true)
  expect(servicesRead(statement)).toEqual(services)
})

test.each([
  'select 1 from services where id = $1',
  'select 1 from unsent_analyses where service_id = $1',
  "select 1 from pg_dist_shard where logicalrelid = 'analyses_hot'::regclass",
  'insert into analyses_hot (service_id) values ($1)',
  'insert into hourly_performance as kept (service_id) values ($1) on conflict do update set ok_checks = 1',
  'delete from analyses_hot where service_id = $1',
  'with gone as (delete from packed_days where service_id = $1 returning 1) select count(*) from gone',
  'update daily_performance set ok_checks = 1 where service_id = $1',
])('is no reading of the history: %s', (text) => {
  expect(readsHistory(text)).toBe(false)
})
