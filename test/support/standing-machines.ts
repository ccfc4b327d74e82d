// Machines of the history without Citus: databases of the test server, and the tables of Citus that name them.
import sql, { raw } from 'sql-template-tag'
import type { Database } from '../../src/database/connect.ts'
import { ensurePartitions } from '../../src/database/partitions.ts'
import { type ClusterParts, HistoryOnMachines } from '../../src/history/on-machines.ts'
import { plainDatabase, type TestDatabase } from './database.ts'

/** Two shards: the first has the negative hashes, the second the others. */
export const catalogue = `
create table pg_dist_shard (logicalrelid regclass, shardid bigint, shardminvalue text, shardmaxvalue text);
create table pg_dist_placement (shardid bigint, groupid integer);
create table pg_dist_node (groupid integer, nodename text, nodeport integer, noderole text);
insert into pg_dist_shard values
  ('analyses_hot', 1, '-2147483648', '-1'), ('analyses_hot', 2, '0', '2147483647'), ('packed_days', 3, '-2147483648', '2147483647');
insert into pg_dist_placement values (1, 1), (2, 2), (3, 1);
insert into pg_dist_node values (1, 'worker', 1, 'primary'), (2, 'worker', 2, 'primary'), (2, 'standby', 2, 'secondary')`

export interface StandingMachines {
  readonly coordinator: Database
  /** By port. */
  readonly machines: ReadonlyMap<number, Database>
  /** The ports of machines that nobody reaches. */
  readonly lost: Set<number>
  /** The ports of machines that take everything and say nothing. */
  readonly silent: Set<number>
  /** The log, by message. */
  readonly told: string[]
  /** Milliseconds of the clock that never steps. */
  at: number
  /** These services exist, and no others. */
  keepServices(ids: readonly number[]): Promise<void>
  history(limits?: Pick<ClusterParts, 'mostUnsent' | 'patience'>): HistoryOnMachines
  drop(): Promise<void>
}

function unreachable(): Error {
  return Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
}

/** These services exist then, and no others; without their owners and groups. */
export async function keepServices(database: Database, ids: readonly number[]): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.execute(sql`set local session_replication_role = replica`)
    await transaction.execute(sql`delete from services`)
    await transaction.execute(sql`
      insert into services (id, owner_id, group_id, name, type_id, address, interval, notification_channel_ids, notification_condition_ids)
      overriding system value
      select id, 1, 1, 'Service', 'http', 'a.example', 60, '{}', '{}' from unnest(${ids}::int[]) id`)
  })
}

export async function standingMachines(nowAt: number): Promise<StandingMachines> {
  const made: TestDatabase[] = []
  for (let count = 0; count < 3; count++) made.push(await plainDatabase())
  const [coordinator, first, second] = made.map(({ database }) => database) as [Database, Database, Database]
  await coordinator.execute(raw(catalogue))
  // Analyses that go through the coordinator stay there, because it has no shards.
  await ensurePartitions(coordinator, nowAt, 1)
  for (const one of [first, second]) {
    await ensurePartitions(one, nowAt, 1)
    // A worker has none of the coordinator's tables.
    await one.execute(raw('drop table packed_day_notes'))
  }
  const machines = new Map([
    [1, first],
    [2, second],
  ])
  const [lost, silent, told] = [new Set<number>(), new Set<number>(), [] as string[]]
  const tell = (_facts: unknown, message?: string) => void told.push(message ?? '')
  const world: StandingMachines = {
    ...{ coordinator, machines, lost, silent, told, at: 0 },
    keepServices: (ids) => keepServices(coordinator, ids),
    history: (limits) =>
      new HistoryOnMachines({
        database: coordinator,
        openMachine: ({ port }) => {
          const database = machines.get(port) as Database
          const reached = <T>(work: () => Promise<T>): Promise<T> => {
            if (silent.has(port)) return new Promise(() => undefined)
            return lost.has(port) ? Promise.reject(unreachable()) : work()
          }
          return {
            ...database,
            query: (statement, name) => reached(() => database.query(statement, name)),
            transaction: (work) => reached(() => database.transaction(work)),
          }
        },
        log: { info: tell, warn: tell, error: tell },
        monotonic: () => world.at,
        patience: { write: 60_000, ask: 60_000 },
        ...limits,
      }),
    async drop() {
      for (const one of made) await one.drop()
    },
  }
  return world
}
