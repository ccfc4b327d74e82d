import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import type { Database } from '../../src/database/connect.ts'
import { openDatabase } from '../../src/database/open.ts'
import { nextOnGrid } from '../../src/domain/schedule.ts'
import type { CheckJob, Stations } from '../../src/sensor/protocol.ts'

export const quietLog = { info: () => {}, warn: () => {}, error: (facts: unknown) => console.error(facts) }

export interface MonitoredDatabase {
  readonly database: Database
  /** CPU milliseconds that the server's living processes have used; null where /proc does not tell. */
  serverCpu(): Promise<number | null>
  close(): Promise<void>
}

/** The bundled server on a temporary directory, or DATABASE_URL, with so many http services on their grid. */
export async function monitoredDatabase(serviceCount: number, intervalSeconds: number): Promise<MonitoredDatabase> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'latarnik-bench-'))
  const databaseUrl = process.env['DATABASE_URL']
  const { database, close } = await openDatabase({ databaseUrl, dataDirectory, log: quietLog })
  await addServices(database, serviceCount, intervalSeconds)
  return {
    database,
    serverCpu: () => serverCpu(database),
    async close() {
      await close()
      await rm(dataDirectory, { recursive: true, force: true })
    },
  }
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
        evidence: null,
      }
    },
  }
}

const ticksPerSecond = 100

async function statOf(pid: string): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}

async function serverCpu(database: Database): Promise<number | null> {
  const [backend] = await database.query<{ pid: number }>(sql`select pg_backend_pid() as pid`)
  const [, postmaster] = await statOf(String(backend?.pid))
  if (postmaster === undefined) return null
  let ticks = 0
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue
    const stat = await statOf(pid)
    if (stat[1] === postmaster) ticks += Number(stat[11]) + Number(stat[12])
  }
  return (ticks * 1000) / ticksPerSecond
}
