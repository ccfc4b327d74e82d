import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Judge, openJudge } from '../support/citus-judge.ts'

/**
 * The rules of the statement guard (support/statement-guard.ts), after Citus' documentation ("SQL Support and
 * Workarounds") and its planner's messages. Citus itself does not run here.
 */
let judge: Judge
beforeAll(async () => {
  judge = await openJudge(inject('statementGuard').url)
})
afterAll(() => judge.close())

test.each([
  ['rows of several shards are locked', 'select id from services where group_id = $1 for update'],
  [
    'rows of several shards are locked',
    'select from schedule join services on services.id = schedule.service_id where services.id = $1 for update of schedule',
  ],
  [
    'distributed tables are joined by something else than the service',
    'select from services s join status_changes c on c.first_analysis_id = s.id',
  ],
  [
    'a distributed subquery refers to what is not distributed',
    'select (select count(*) from services s where s.group_id = g.id) from groups g',
  ],
  [
    'a distributed subquery refers to what is not distributed',
    'select from unnest($1::int[]) id cross join lateral (select from analyses_hot where service_id = id limit 1) found',
  ],
  [
    'a subquery that stays on the coordinator refers to a distributed table around it',
    'select from services where exists (select from schedule where schedule.service_id = services.id)',
  ],
  [
    'a subquery refers outside by more than the service',
    'select from services s where exists (select from services o where o.group_id = s.group_id and o.id <> s.id)',
  ],
  ['subqueries within an insert', 'insert into groups (name) values ((select max(name) from groups))'],
  ['the service changes', 'update services set id = id + 1 where id = $1'],
  ['a write calls what is volatile', 'update services set name = random()::text where id = $1'],
  [
    'a write calls what is only stable with a column',
    `update service_statuses set valid_until = valid_until + interval '1 s' where service_id = $1`,
  ],
  ['grouping sets over several shards', 'select count(*) from services group by rollup (group_id)'],
])('refused: %s', async (reason, statement) => {
  expect(await judge.refusals(statement)).toContain(reason)
})

test.each([
  'select id from services where id = $1 for update',
  'select from services s join service_statuses t on t.service_id = s.id where s.id = $1 for update of t',
  'select from schedule where service_id = any($1::int[]) order by service_id for update',
  'select from services s join groups g on g.id = s.group_id join service_statuses t on t.service_id = s.id',
  'select (select count(*) from status_changes c where c.service_id = s.id) from services s',
  'select from services where id in (select service_id from schedule where due_at < $1)',
  'select from services where (select count(*) from groups where groups.id = services.group_id) > 0',
  `update service_statuses t set valid_until = to_timestamp(n.at) from unnest($1::int[], $2::float8[]) n (id, at) where t.service_id = n.id`,
  'insert into status_changes (service_id, change_id, status, start_time) select s.id, 1, $1, $2 from services s',
])('taken: %s', async (statement) => {
  expect(await judge.refusals(statement)).toEqual([])
})
