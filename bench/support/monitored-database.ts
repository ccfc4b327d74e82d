import sql from 'sql-template-tag'
import type { Database } from '../../src/database/connect.ts'
import { nextOnGrid } from '../../src/domain/judging/schedule.ts'
import type { CheckJob, Stations } from '../../src/sensor/protocol.ts'
import { type BenchDatabase, benchDatabase } from './bench-database.ts'

/** A database with so many http services on their grid. */
export async function monitoredDatabase(serviceCount: number, intervalSeconds: number): Promise<BenchDatabase> {
  const bench = await benchDatabase()
  await addServices(bench.database, serviceCount, intervalSeconds)
  return bench
}

async function addServices(database: Database, count: number, intervalSeconds: number): Promise<void> {
  const ids = await database.query<{ id: number }>(sql`
    with distribution as (insert into distributions (name) values ('Bench') returning id),
    package as (
      insert into packages (distribution_id, name, minimum_interval, available_notification_channel_ids, available_service_types)
      select id, 'bench', 1, '{email}', '[]' from distribution returning id, distribution_id),
    account as (
      insert into accounts (distribution_id, package_id, username, name)
      select distribution_id, id, 'bench', 'Bench' from package returning id),
    stations as (
      insert into sensors (name, category_ids) values ('One', '{default}'), ('Two', '{default}'), ('Three', '{default}') returning id),
    home as (
      insert into groups (owner_id, name, assigned_sensor_ids)
      select id, 'Bench', jsonb_build_object('default', (select jsonb_agg(id) from stations)) from account returning id, owner_id)
    insert into services (owner_id, group_id, name, type_id, address, interval, notification_channel_ids, notification_condition_ids)
    select owner_id, id, 'Service', 'http', 'shop.example', ${intervalSeconds}, '{email}', '{failure,recovery}'
    from home, generate_series(1, ${count}) returning id`)
  const due = ids.map(({ id }) => nextOnGrid(id, intervalSeconds, Date.now() + 1500))
  await database.execute(sql`insert into service_statuses (service_id) select id from services`)
  await database.execute(sql`insert into schedule (service_id, due_at)
    select id, to_timestamp(due / 1000) from unnest(${ids.map(({ id }) => id)}::int[], ${due}::float8[]) as plan (id, due)`)
  await database.execute(sql`analyze`)
}

/** Stations that answer ok at once: what is left is the pipeline. */
export function instantStations(notice: (job: CheckJob) => void): Stations {
  return {
    isConnected: () => true,
    leadMs: () => 0,
    diagnose: async () => ({ isOk: true, lines: [] }),
    async check(job) {
      notice(job)
      return {
        serviceId: job.serviceId,
        sensorId: job.sensorId,
        result: 'ok',
        startedAt: job.startAt,
        responseTime: 87,
        dataSize: 5120,
        errorTypeId: null,
        errorMessage: null,
        phases: { dns: 1.2, connect: 10.3, tls: null, sent: 0.2, first_byte: 60.1, transfer: 15.4 },
        steps: null,
        evidence: null,
      }
    },
  }
}
