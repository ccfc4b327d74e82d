// A real Citus cluster. CITUS_URL names any database on its coordinator that knows the workers (`citus_add_node`).
import { randomBytes } from 'node:crypto'
import sql, { raw } from 'sql-template-tag'
import { connect, type Database } from '../../src/database/connect.ts'
import { databaseOn } from './database-url.ts'

const citusUrl = process.env['CITUS_URL']

/** Why the tests of a cluster do not run here; null if they do. */
export const noCitus =
  citusUrl === undefined ? 'CITUS_URL names no cluster: Citus is not part of PostgreSQL, and no package has it' : null

export interface Machine {
  readonly host: string
  readonly port: number
  readonly url: string
  readonly isCoordinator: boolean
}

export interface ClusterDatabase {
  /** On the coordinator. */
  readonly database: Database
  readonly url: string
  readonly machines: readonly Machine[]
  on(machine: Machine): Promise<Database>
  drop(): Promise<void>
}

function onMachine(url: string, host: string, port: number): string {
  return url.replace(/^(\w+:\/\/(?:[^@/]*@)?)[^/?]*/, `$1${host}:${port}`)
}

async function once(url: string, ...statements: readonly string[]): Promise<void> {
  const database = connect({ url, maximumConnections: 1, applicationName: 'latarnik test' })
  try {
    for (const statement of statements) await database.execute(raw(statement))
  } finally {
    await database.close()
  }
}

async function machinesOf(server: string, name: string): Promise<Machine[]> {
  const database = connect({ url: server, maximumConnections: 1 })
  const rows = await database.query<{ host: string; port: number; group: number }>(sql`
    select nodename as host, nodeport as port, groupid as group from pg_dist_node where noderole = 'primary' order by groupid`)
  await database.close()
  return rows.map(({ host, port, group }) => ({
    ...{ host, port, isCoordinator: group === 0 },
    url: databaseOn(onMachine(server, host, port), name),
  }))
}

/** Where a worker is found by the others. */
type Way = (worker: Machine) => Promise<{ readonly host: string; readonly port: number }>

/** An empty database on every machine of the cluster, joined to one. */
export async function clusterDatabase(wayTo: Way = async (worker) => worker): Promise<ClusterDatabase> {
  const server = citusUrl ?? ''
  const name = `latarnik_test_${randomBytes(6).toString('hex')}`
  const machines = await machinesOf(server, name)
  const coordinator = machines.find(({ isCoordinator }) => isCoordinator)
  if (coordinator === undefined) throw new Error('CITUS_URL: select citus_set_coordinator_host(…) was never done there')
  for (const { host, port, url } of machines) {
    await once(onMachine(server, host, port), `create database ${name} encoding 'UTF8' template template0`)
    await once(url, 'create extension citus')
  }
  const places = await Promise.all(machines.filter(({ isCoordinator }) => !isCoordinator).map(wayTo))
  await once(
    coordinator.url,
    `select citus_set_coordinator_host('${coordinator.host}', ${coordinator.port})`,
    ...places.map(({ host, port }) => `select citus_add_node('${host}', ${port})`),
  )
  const opened: Database[] = []
  async function on({ url }: Machine): Promise<Database> {
    const one = connect({ url, maximumConnections: 4, applicationName: 'latarnik test' })
    opened.push(one)
    return one
  }
  return {
    database: await on(coordinator),
    ...{ url: coordinator.url, machines, on },
    async drop() {
      for (const one of opened) await one.close()
      // The coordinator last: its daemon asks the others.
      for (const { host, port } of machines.toReversed())
        await once(onMachine(server, host, port), `drop database if exists ${name} with (force)`)
    },
  }
}
