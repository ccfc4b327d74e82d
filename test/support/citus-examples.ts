/** Statements that Citus refuses, with the reason that the statement guard gives, and its own words. */
export const refusedByCitus: readonly (readonly [reason: string, statement: string, itsWords: string])[] = [
  [
    'rows of several shards are locked',
    'select service_id from analyses_hot where verdict = $1 for update',
    'could not run distributed query with FOR UPDATE',
  ],
  [
    'distributed tables are joined by something else than the service',
    'select from analyses_hot a join daily_performance d on d.day = a.service_id',
    'a join that requires repartitioning',
  ],
  [
    'a distributed subquery refers to what is not distributed',
    'select (select count(*) from analyses_hot a where a.service_id = s.id) from services s',
    'direct joins between distributed and local tables are not supported',
  ],
  [
    'a distributed subquery refers to what is not distributed',
    'select from unnest($1::int[]) id cross join lateral (select from analyses_hot where service_id = id limit 1) found',
    'cannot push down this subquery',
  ],
  [
    'a subquery that stays on the coordinator refers to a distributed table around it',
    'select from packed_days where exists (select from schedule where schedule.service_id = packed_days.service_id)',
    'direct joins between distributed and local tables are not supported',
  ],
  // The same of one service, whose rows lie in one shard.
  [
    'a distributed subquery refers to what is not distributed',
    'select (select count(*) from packed_days p where p.service_id = s.id) from services s where s.id = $1',
    'direct joins between distributed and local tables are not supported',
  ],
  [
    'a distributed subquery refers to what is not distributed',
    'select from services s where s.id in (select day from packed_days where service_id = $1 and day = s.group_id)',
    'direct joins between distributed and local tables are not supported',
  ],
  [
    'a distributed subquery refers to what is not distributed',
    `select (select max(p.day) from packed_days p where p.service_id = $1 and p.day < s.group_id)
     from services s cross join (select count(*) from daily_performance where service_id = $1) c`,
    'direct joins between distributed and local tables are not supported',
  ],
  [
    'a distributed subquery refers to what is not distributed',
    `select from services s cross join lateral (select from packed_days p where p.service_id = s.id limit 1) found
     where s.id = $1`,
    'cannot push down this subquery',
  ],
  [
    'a distributed subquery refers to what is not distributed',
    'delete from services s where s.id = $1 and exists (select from packed_days p where p.service_id = s.id)',
    'relation services is not distributed',
  ],
  [
    'a subquery that stays on the coordinator refers to a distributed table around it',
    'select from packed_days p where service_id = $1 and exists (select from services s where s.id = p.day)',
    'direct joins between distributed and local tables are not supported',
  ],
  [
    'a subquery that stays on the coordinator refers to a distributed table around it',
    `select (select g.name from groups g where g.id = s.group_id)
     from services s join packed_days p on p.service_id = s.id where s.id = $1`,
    'direct joins between distributed and local tables are not supported',
  ],
  [
    'a subquery that stays on the coordinator refers to a distributed table around it',
    'update packed_days p set checks = (select s.group_id from services s where s.id = p.day) where service_id = $1',
    'found no worker with all shard placements',
  ],
  [
    'a subquery refers outside by more than the service',
    'select from packed_days d where exists (select from packed_days o where o.day = d.day and o.service_id <> d.service_id)',
    'complex joins are only supported when',
  ],
  [
    'subqueries within an insert',
    'insert into path_step_sets (service_id, set_id, names) values (1, (select max(set_id) from path_step_sets), array[$1])',
    'subqueries are not supported within INSERT queries',
  ],
  [
    'the service changes',
    'update packed_days set service_id = service_id + 1 where service_id = $1',
    'modifying the partition value of rows is not allowed',
  ],
  [
    'a write calls what is volatile',
    'update packed_days set checks = random()::int where service_id = $1',
    'must not be VOLATILE',
  ],
  [
    'a write calls what is only stable with a column',
    'update packed_days set checks = extract(hour from to_timestamp(day))::int where service_id = $1',
    'STABLE functions used in UPDATE queries cannot be called with column references',
  ],
  [
    'grouping sets over several shards',
    'select count(*) from packed_days group by rollup (day)',
    'could not run distributed query with GROUPING SETS',
  ],
  [
    'recursion over several shards',
    `with recursive r as (select service_id, 1 as n from packed_days union all select service_id, n + 1 from r where n < 3)
     select from r`,
    'recursive CTEs are only supported when they contain a filter on the distribution column',
  ],
  [
    'merge',
    'merge into packed_days p using (values (1)) v (id) on p.service_id = v.id when matched then delete',
    'To MERGE into a distributed table, source must be Citus table',
  ],
  [
    'a write finds its rows by their places',
    'delete from daily_performance where ctid = any(array(select ctid from daily_performance limit 5))',
    'cannot perform distributed planning for the given modification',
  ],
]

/** Citus takes them, but copies the local table first, and so locks nothing. */
export const lockedByNobody: readonly string[] = [
  'select from schedule p join analyses_hot a on a.service_id = p.service_id where p.service_id = $1 for update of p',
]

export const takenByCitus: readonly string[] = [
  'select verdict from analyses_hot where service_id = $1 for update',
  'select from daily_performance d join hourly_performance h on h.service_id = d.service_id where d.service_id = $1 for update of d',
  'select from schedule where service_id = any($1::int[]) order by service_id for update',
  'select from services s join groups g on g.id = s.group_id left join daily_performance d on d.service_id = s.id',
  'select (select count(*) from packed_days p where p.service_id = d.service_id) from daily_performance d',
  'select from daily_performance where service_id in (select service_id from schedule where due_at < now())',
  'update packed_days d set checks = n.checks from unnest($1::int[], $2::int[]) n (id, checks) where d.service_id = n.id',
  'insert into daily_performance select * from daily_performance where day = $1 on conflict do nothing',
  // Of one service, local tables may be read first, and what is made up may be referred to.
  'select (select max(p.day) from packed_days p where p.service_id = $1 and p.day < s.id) from (select id from services) s',
  `select (select max(p.day) from packed_days p where p.service_id = $1 and p.day < s.group_id)
   from services s join (select service_id from daily_performance) d on d.service_id = s.id where s.id = $1`,
  'select (select max(id) from (select id from services) s where s.id < d.day) from daily_performance d where service_id = $1',
  'select (select names from path_step_sets where service_id = $1 and set_id = n) from unnest($2::int[]) n',
  `select from services s cross join lateral (select from packed_days p where p.service_id = $1 and p.day > s.id limit 1) found`,
  'select (select max(day) from packed_days where service_id = $1) from services',
  // A materialized part is read first, so a subquery that refers to local rows may have it.
  `select (select names from (with sets as materialized (select service_id, names from path_step_sets where service_id = any($1::int[]))
    select service_id, names from sets) known where known.service_id = s.id limit 1) from services s`,
  // Tables of the coordinator may be written by the rows of distributed ones.
  'insert into removed_services (service_id) select service_id from packed_days where day = $1',
  'update services s set name = $1 from packed_days d where d.service_id = s.id and d.day = $2',
  'delete from services where id in (select service_id from packed_days where day = $1)',
  'with gone as (delete from services where id = $1 returning id) select from gone join packed_days d on d.service_id = gone.id',
]
