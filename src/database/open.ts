import sql from 'sql-template-tag'
import type { Clock } from '../domain/clock.ts'
import { connect, type Database, isDatabaseAway } from './connect.ts'
import { type Embedded, runningEmbeddedUrl, startEmbedded } from './embedded.ts'
import type { Log } from './log.ts'
import { migrate } from './migrate.ts'
import { ensurePartitions, type PartitionMode } from './partitions.ts'
import { spreadOverMachines } from './shards.ts'
import { DatabaseUnusable } from './unusable.ts'

export interface OpenOptions {
  /** A server of the operator's; without it the bundled one runs on `dataDirectory`. */
  readonly databaseUrl: string | undefined
  readonly dataDirectory: string
  readonly log: Log
  readonly maximumConnections?: number
  readonly clock?: Clock
  /** citus spreads the tables over the machines of a cluster; `databaseUrl` is its coordinator. */
  readonly partitionMode?: PartitionMode
  /** For a command beside the running program: uses the server that runs on the data directory already. */
  readonly joinRunning?: boolean
}

export interface OpenDatabase {
  readonly database: Database
  readonly embedded: boolean
  /** Of the server, for a process of our own; it may hold a password. */
  readonly url: string
  /** More connections to the same: who waits for locks on all of these holds up nobody on the others. Closed with the rest. */
  further(): Database
  close(): Promise<void>
}

/** History is written into the day's partition: two weeks ahead, so that a missed daily run does no harm. */
export const partitionDaysAhead = 14
const oldestServer = 150_000
const systemClock: Clock = { now: () => Date.now() }

async function checkServer(database: Database): Promise<void> {
  const [server] = await database.query<{ version: number; shown: string; encoding: string }>(sql`
    select current_setting('server_version_num')::integer as version, current_setting('server_version') as shown,
      current_setting('server_encoding') as encoding`)
  if (server === undefined) return
  if (server.version < oldestServer) {
    throw new DatabaseUnusable(`The database server is PostgreSQL ${server.shown}; Latarnik needs version 15 or later.`)
  }
  if (server.encoding !== 'UTF8') {
    throw new DatabaseUnusable(`The database has the encoding ${server.encoding}; Latarnik needs one made with UTF8.`)
  }
}

async function prepareSchema(database: Database, options: OpenOptions): Promise<void> {
  const { clock = systemClock, partitionMode = 'native', log } = options
  await checkServer(database)
  const applied = await migrate(database, clock)
  if (applied.length > 0) log.info(`The database schema was brought up to date: ${applied.join(', ')}.`)
  if (partitionMode === 'citus') await spreadOverMachines(database)
  await ensurePartitions(database, clock.now(), partitionDaysAhead, partitionMode)
}

async function startServer(options: OpenOptions): Promise<Embedded> {
  const joined = options.joinRunning === true ? await runningEmbeddedUrl(options.dataDirectory) : undefined
  return joined === undefined ? startEmbedded(options) : { url: joined, stop: async () => undefined }
}

/** Where the URL leads, without its password. */
function shownTarget(url: string): string {
  return url.replace(/\/\/[^@/]*@/, '//').replace(/([?&]password=)[^&]*/, '$1…')
}

function explain(error: unknown, url: string): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseUnusable) return error
  const isRefused = 'code' in error && /^(28...|3D000|42501)$/.test(String(error.code))
  if (!isRefused && !isDatabaseAway(error)) return error
  const reason = error.message === '' && 'code' in error ? String(error.code) : error.message
  return new DatabaseUnusable(`The database at ${shownTarget(url)} cannot be used: ${reason}.`, { cause: error })
}

/** Opens the database with its schema up to date and its partitions made. Throws `DatabaseUnusable` when a person has to act. */
export async function openDatabase(options: OpenOptions): Promise<OpenDatabase> {
  const server = options.databaseUrl === undefined ? await startServer(options) : undefined
  const url = server?.url ?? options.databaseUrl ?? ''
  const pools: Database[] = []
  function further(): Database {
    const pool = connect({
      url,
      ...(options.maximumConnections === undefined ? {} : { maximumConnections: options.maximumConnections }),
      onError: (error) => options.log.warn(`A database connection broke: ${error.message}`),
    })
    pools.push(pool)
    return pool
  }
  const database = further()
  async function close(): Promise<void> {
    await Promise.all(pools.map((pool) => pool.close()))
    await server?.stop()
  }
  try {
    await prepareSchema(database, options)
  } catch (error) {
    await close()
    throw explain(error, url)
  }
  return { database, url, further, embedded: server !== undefined, close }
}
