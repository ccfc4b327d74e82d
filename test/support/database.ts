import { randomBytes } from 'node:crypto'
import sql, { raw } from 'sql-template-tag'
import { inject } from 'vitest'
import { connect, type Database } from '../../src/database/connect.ts'
import { migrate } from '../../src/database/migrate.ts'
import { distribute } from '../../src/database/shards.ts'
import { databaseOn } from './database-url.ts'

export interface TestDatabase {
  readonly database: Database
  readonly url: string
  /** Closes `database` and removes everything; other connections to it are cut. */
  drop(): Promise<void>
}

async function onServer(statement: string): Promise<void> {
  const server = connect({ url: inject('databaseServerUrl'), maximumConnections: 1 })
  try {
    await server.execute(raw(statement))
  } finally {
    await server.close()
  }
}

async function create(clause: string): Promise<TestDatabase> {
  const name = `latarnik_test_${randomBytes(6).toString('hex')}`
  await onServer(`create database ${name} ${clause}`)
  const url = databaseOn(inject('databaseServerUrl'), name)
  // Not taken for a running program by what refuses to work beside one.
  const database = connect({ url, maximumConnections: 10, applicationName: 'latarnik test' })
  return {
    database,
    url,
    async drop() {
      await database.close()
      await onServer(`drop database if exists ${name} with (force)`)
    },
  }
}

export const isOnCluster = process.env['TEST_ON_CITUS'] !== undefined

/** With TEST_ON_CITUS the history of every test lies on the cluster of CITUS_URL. */
async function onCluster(): Promise<TestDatabase> {
  const { clusterDatabase } = await import('./citus-cluster.ts')
  const made = await clusterDatabase()
  await migrate(made.database, { now: () => Date.now() })
  await distribute(made.database)
  return made
}

/**
 * A database of its own with the current schema and no rows, once per test file. It has no partitions for the history.
 */
export function testDatabase(): Promise<TestDatabase> {
  return isOnCluster ? onCluster() : plainDatabase()
}

/** The same on one server, whatever the others lie on. */
export function plainDatabase(): Promise<TestDatabase> {
  // Copying files beats writing the copy to the log: the test server flushes nothing.
  return create(`template ${inject('templateDatabase')} strategy file_copy`)
}

/** A database without any table. */
export function emptyDatabase(): Promise<TestDatabase> {
  return create(`encoding 'UTF8' template template0`)
}

/** The URL of a test's database, whose server may be the coordinator of a cluster. */
export async function urlOf(database: Database): Promise<string> {
  const [row] = await database.query<{ name: string; is_citus: boolean }>(
    sql`select current_database()::text as name, exists (select from pg_extension where extname = 'citus') as is_citus`,
  )
  const server = row?.is_citus === true ? process.env['CITUS_URL'] : undefined
  return databaseOn(server ?? inject('databaseServerUrl'), row?.name ?? '')
}
