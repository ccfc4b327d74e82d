import sql from 'sql-template-tag'
import type { Clock } from '../domain/clock.ts'
import { brokenConnections } from './broken-connections.ts'
import { applicationName, type ConnectOptions, connect, type Database, type Pool } from './connect.ts'
import type { ServerSettings } from './embedded/server.ts'
import { holdsDatabase } from './embedded/server-paths.ts'
import { type Embedded, heldEmbeddedUrl, startEmbedded } from './embedded.ts'
import { isDatabaseAway, isTlsFault } from './failures.ts'
import type { Log } from './log.ts'
import { LostMachines, reachesFrom } from './lost-machines.ts'
import { latestSchema, migrate } from './migrate.ts'
import { ensurePartitions, type PartitionMode } from './partitions.ts'
import { choiceFor } from './server-choice.ts'
import { addressAt } from './servers.ts'
import { distribute, isDistributed } from './shards.ts'
import { unlessAborted } from './unless-aborted.ts'
import { DatabaseAway, DatabaseUnusable } from './unusable.ts'

export interface OpenOptions {
  /** The operator's own server; without it the bundled one runs on `dataDirectory`. */
  readonly databaseUrl: string | undefined
  readonly dataDirectory: string
  readonly log: Log
  /** Replaces our settings of the bundled server. */
  readonly settings?: ServerSettings
  readonly maximumConnections?: number
  readonly clock?: Clock
  /**
   * Distributes the history over the machines of a Citus cluster; `databaseUrl` is its coordinator. Distributed
   * tables stay so.
   */
  readonly isCluster?: boolean
  /** For a command beside the running program: uses the server that already runs on the data directory. */
  readonly joinRunning?: boolean
  /** Leaves the schema alone, whatever its version: for commands that copy or replace the whole database. */
  readonly asItIs?: boolean
  /** Cancels the start at any point: it rejects with the signal's reason, and our own server is stopped again. */
  readonly signal?: AbortSignal | undefined
  /** Called once, with a sentence for a person, if the files of the running bundled server disappear. */
  readonly onLost?: (sentence: string) => void
}

interface PoolOptions extends Partial<Pick<ConnectOptions, 'readLimit' | 'maximumConnections'>> {
  /** Another server with the same database and login: a machine of the cluster. */
  readonly server?: { readonly host: string; readonly port: number }
}

export interface OpenDatabase {
  readonly database: Pool
  readonly embedded: boolean
  /** The server's address, for a process of our own; it may hold a password. */
  readonly url: string
  readonly partitionMode: PartitionMode
  /**
   * More connections to the same database. Waiting for locks on all of these blocks nobody on the others. They are
   * closed with the rest.
   */
  further(options?: PoolOptions): Pool
  /** Replaces idle connections by new ones, which cost the server less memory. */
  renew(): Promise<void>
  close(): Promise<void>
}

/** History is written into the day's partition. Two weeks ahead, so a missed daily run does no harm. */
const partitionDaysAhead = 14
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
    throw new DatabaseUnusable(
      `The database has the encoding ${server.encoding}; Latarnik needs one made with UTF8: \`create database NAME encoding 'UTF8' template template0\`.`,
    )
  }
}

async function prepareSchema(database: Database, options: OpenOptions): Promise<PartitionMode> {
  const { clock = systemClock, isCluster = false, log } = options
  await checkServer(database)
  log.info('Checking whether the database schema is up to date.')
  const applied = await migrate(database, clock)
  if (applied.length === latestSchema) log.info('The database schema was made.')
  else if (applied.length > 0) log.info(`The database schema was brought up to date: ${applied.join(', ')}.`)
  if (isCluster) await distribute(database)
  const mode = (await isDistributed(database)) ? 'citus' : 'native'
  await ensurePartitions(database, clock.now(), partitionDaysAhead, mode)
  return mode
}

/** Without changes to the schema no partitions are made either. */
async function ready(database: Database, options: OpenOptions): Promise<PartitionMode> {
  if (options.asItIs !== true) return prepareSchema(database, options)
  await checkServer(database)
  return 'native'
}

async function startServer(options: OpenOptions): Promise<Embedded> {
  if (options.joinRunning === true && !(await holdsDatabase(options.dataDirectory))) {
    throw new DatabaseUnusable(
      `There is no database in ${options.dataDirectory}: start Latarnik there first, or say with DATA_DIR or DATABASE_URL where it is.`,
    )
  }
  const joined = options.joinRunning === true ? await heldEmbeddedUrl(options) : undefined
  return joined === undefined ? startEmbedded(options) : { url: joined, stop: async () => undefined }
}

/** The target of the URL, without its password. */
function shownTarget(url: string): string {
  return url.replace(/\/\/[^@/]*@/, '//').replace(/([?&]password=)[^&]*/, '$1…')
}

function explain(error: unknown, url: string): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseUnusable) return error
  const isRefused = 'code' in error && /^(28...|3D000|42501)$/.test(String(error.code))
  const isAway = !isRefused && !isTlsFault(error) && isDatabaseAway(error)
  if (!isRefused && !isTlsFault(error) && !isAway) return error
  const reason = error.message === '' && 'code' in error ? String(error.code) : error.message
  const Fault = isAway ? DatabaseAway : DatabaseUnusable
  return new Fault(`The database at ${shownTarget(url)} cannot be used: ${reason}.`, { cause: error })
}

async function closeAll(pools: readonly Pool[], signal: AbortSignal | undefined): Promise<void> {
  const closed = Promise.all(pools.map((pool) => pool.close()))
  // A statement of a cancelled start may wait for ever: its session ends with the server, or with us.
  if (signal?.aborted === true) closed.catch(() => undefined)
  else await closed
}

function ofAllPools({ maximumConnections, asItIs }: OpenOptions): Partial<ConnectOptions> {
  return {
    ...(maximumConnections === undefined ? {} : { maximumConnections }),
    sharesListening: true,
    // Does not count as a program that works on the database.
    ...(asItIs === true ? { applicationName: `${applicationName} command` } : {}),
  }
}

/**
 * Opens the database with its schema up to date and its partitions made. Throws `DatabaseUnusable` if a person has to
 * act.
 */
export async function openDatabase(options: OpenOptions): Promise<OpenDatabase> {
  const server = options.databaseUrl === undefined ? await startServer(options) : undefined
  const url = server?.url ?? options.databaseUrl ?? ''
  choiceFor(url).onMove(({ name }) => options.log.warn(`The database is written to at ${name} from now on.`))
  const pools: Pool[] = []
  const broken = brokenConnections(options.log)
  const lost = new LostMachines()
  let isClosing = false
  function further({ server: place, ...limits }: PoolOptions = {}): Pool {
    const pool = connect({
      url: place === undefined ? url : addressAt(url, place),
      ...ofAllPools(options),
      ...limits,
      ...(place === undefined ? { watch: lost } : {}),
      // A server of ours that stops breaks the connections that are still open.
      onError: (error) => isClosing || broken.broke(error),
      onConnected: broken.connected,
    })
    const [first] = pools
    pools.push(pool)
    // One session hears for all pools of a server: each takes memory there, and shows others that this process lives.
    return first === undefined || place !== undefined ? pool : { ...pool, listen: first.listen }
  }
  const database = further()
  async function close(): Promise<void> {
    isClosing = true
    lost.stop()
    await closeAll(pools, options.signal)
    await server?.stop()
  }
  /** On connections of its own: what the server keeps of the whole schema for them is 4 MB. */
  async function prepare(): Promise<PartitionMode> {
    const pool = further()
    try {
      return await unlessAborted(ready(pool, options), options.signal)
    } finally {
      await closeAll(pools.splice(pools.indexOf(pool), 1), options.signal)
    }
  }
  try {
    const partitionMode = await prepare()
    if (partitionMode === 'citus') lost.begin({ coordinator: database, log: options.log, reaches: reachesFrom(url) })
    const renew = async () => void (await Promise.all(pools.map((pool) => pool.renew())))
    return { database, url, further, partitionMode, embedded: server !== undefined, renew, close }
  } catch (error) {
    await close()
    options.signal?.throwIfAborted()
    throw explain(error, url)
  }
}
