import pg from 'pg'
import type { Sql } from 'sql-template-tag'
import { isDatabaseAway, isDiskFull, isReadOnly } from './failures.ts'
import { Listening, type SessionWatch } from './listening.ts'
import { ReadingPool } from './reading-pool.ts'
import { choiceFor, clientFor, type ServerChoice } from './server-choice.ts'
import { listeningSuffix } from './session-name.ts'
import { SilenceWatch } from './silence.ts'
import { type ReadWatch, WatchedReads } from './watched-reads.ts'

/** Runs statements, inside a transaction or outside. Moments come back as Unix milliseconds, bigint as number. */
export interface Executor {
  /** With a name, the statement is prepared once per connection: for hot paths whose text never changes. */
  query<Row>(statement: Sql, name?: string): Promise<Row[]>
  /** Runs the statement for its effect; returns how many rows it changed. */
  execute(statement: Sql, name?: string): Promise<number>
}

export interface Database extends Executor {
  /**
   * Commits once `work` is done and rolls back if it rejects. Each statement sees the commits of others so far (read
   * committed).
   */
  transaction<T>(work: (transaction: Executor) => Promise<T>): Promise<T>
  /**
   * Calls `listener` soon after a NOTIFY on the channel. It is only a hint, so callers also poll. Returns the function
   * to stop.
   */
  listen(channel: string, listener: (payload: string) => void, session?: SessionWatch): Promise<() => Promise<void>>
  close(): Promise<void>
}

const { builtins } = pg.types

/**
 * Converts timestamptz text (`2026-11-21 11:13:00.123+00`) to Unix milliseconds. Our sessions use UTC; other offsets
 * are understood.
 */
export function parseTimestamp(text: string): number {
  if (text === 'infinity') return Number.POSITIVE_INFINITY
  if (text === '-infinity') return Number.NEGATIVE_INFINITY
  const iso = text.endsWith('+00')
    ? `${text.slice(0, -3).replace(' ', 'T')}Z`
    : text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')
  // Years beyond 9999 need a sign and six digits.
  return Date.parse(iso.indexOf('-') === 4 ? iso : `+${iso.padStart(iso.length + 6 - iso.indexOf('-'), '0')}`)
}

function arrayOf<Item>(parse: (text: string) => Item): (text: string) => (Item | null)[] {
  return (text) =>
    text === '{}'
      ? []
      : text
          .slice(1, -1)
          .split(',')
          .map((item) => (item === 'NULL' ? null : parse(item.replaceAll('"', ''))))
}

function asText(text: string): string {
  return text
}

/** Array types that pg has no name for. */
const arrays = { char: 1002, date: 1182, timestamptz: 1185, int8: 1016, numeric: 1231 } as const

const parsers = new Map<number, (text: string) => unknown>([
  [builtins.TIMESTAMPTZ, parseTimestamp],
  [builtins.INT8, Number],
  [builtins.NUMERIC, Number],
  [builtins.DATE, asText],
  [builtins.TIMESTAMP, asText],
  [builtins.INTERVAL, asText],
  [arrays.timestamptz, arrayOf(parseTimestamp)],
  [arrays.int8, arrayOf(Number)],
  [arrays.numeric, arrayOf(Number)],
  [arrays.char, arrayOf(asText)],
  [arrays.date, arrayOf(asText)],
])

const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    return parsers.get(oid) ?? pg.types.getTypeParser(oid, format ?? 'text')
  },
} as pg.CustomTypesConfig

type Ask = (
  statement: pg.QueryConfig & { readonly text: string; readonly values: unknown[] },
) => Promise<pg.QueryResult>

/** Adds our statements to a connection or a pool of the driver. */
function executorBy(ask: Ask, failed: (error: unknown) => void): Executor {
  async function run(statement: Sql, name: string | undefined): Promise<pg.QueryResult> {
    const config = { text: statement.text, values: statement.values, types }
    try {
      return await ask(name === undefined ? config : { ...config, name })
    } catch (error) {
      failed(error)
      throw error
    }
  }
  return {
    async query<Row>(statement: Sql, name?: string) {
      return (await run(statement, name)).rows as Row[]
    },
    async execute(statement, name) {
      return (await run(statement, name)).rowCount ?? 0
    },
  }
}

/** For src/database alone. */
export function executorOf(client: pg.ClientBase): Executor {
  return executorBy(
    (statement) => client.query(statement),
    () => undefined,
  )
}

interface Transacting {
  readonly failed: (error: unknown) => void
  readonly ways: Ways
}

async function inTransaction<T>(
  pool: pg.Pool,
  { failed, ways }: Transacting,
  work: (transaction: Executor) => Promise<T>,
): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    failed(error)
    throw error
  })
  let broken: Error | undefined
  try {
    await client.query(ways.begin)
    const value = await work(executorBy(ways.onClient(client), failed))
    await client.query('commit')
    return value
  } catch (error) {
    // Its server has become a standby: no transaction on this connection can write any more.
    if (isReadOnly(error)) broken = error
    await client.query('rollback').catch((failure: unknown) => {
      broken = failure instanceof Error ? failure : new Error(String(failure))
    })
    throw error
  } finally {
    client.release(broken)
  }
}

/** The use of a pool: its connections and the callers waiting for one. */
export interface PoolUse {
  readonly total: number
  readonly idle: number
  readonly waiting: number
}

export interface Pool extends Database {
  use(): PoolUse
  /** True if a statement failed recently because the server's disk is full. */
  isFull(): boolean
  /** Replaces the idle connections by a new one, for which the server holds less memory. */
  renew(): Promise<void>
}

/** Milliseconds for which a full disk is assumed to stay full; monitoring tries again at least every five seconds. */
const fullFor = 15_000

export interface ConnectOptions {
  /**
   * libpq style: `postgres://user:password@host:port/name`, or `postgres:///name?host=/socket/directory`, with several
   * hosts too (`servers.ts`).
   */
  readonly url: string
  readonly maximumConnections?: number
  /** The name under which the server lists the connections; default: the program's. */
  readonly applicationName?: string
  /** Called with errors of idle connections; the pool replaces them by itself. */
  readonly onError?: (error: Error) => void
  /** Called when a new connection was made. */
  readonly onConnected?: () => void
  /** Milliseconds. */
  readonly standstillLimit?: number
  /**
   * Milliseconds after which the server cancels a statement outside transactions; unset: never. Writes have no limit.
   */
  readonly readLimit?: number
  /** Milliseconds of silence after which the server is tested. */
  readonly silenceLimit?: number
  /** Whether all listeners share one session; default: each has its own, as if they were processes of their own. */
  readonly sharesListening?: boolean
  /** Further settings of the sessions, as `-c name=value`. */
  readonly settings?: string
  /** Watches what may wait for a machine behind the server. */
  readonly watch?: ReadWatch
}

/**
 * Milliseconds after which the server ends a transaction without activity. Otherwise a frozen process, or a vanished
 * machine, would keep its locks for hours.
 */
const usualStandstillLimit = 10_000

const usualConnections = 10

/** The name under which the server lists the program's connections. */
export const applicationName = 'latarnik'

function connectionOf(options: ConnectOptions, choice: ServerChoice): pg.ClientConfig {
  const { standstillLimit = usualStandstillLimit, readLimit, settings = '' } = options
  const reads = readLimit === undefined ? '' : ` -c statement_timeout=${readLimit}`
  return {
    connectionString: choice.servers[0].url,
    connectionTimeoutMillis: 5000,
    application_name: options.applicationName ?? applicationName,
    options: `-c timezone=UTC -c datestyle=ISO -c intervalstyle=iso_8601 -c idle_in_transaction_session_timeout=${standstillLimit}${reads} ${settings}`,
  }
}

function poolOf(options: ConnectOptions, choice: ServerChoice): ReadingPool {
  return new ReadingPool({
    ...connectionOf(options, choice),
    Client: clientFor(choice),
    ...(choice.mustWrite ? { onConnect: (client: pg.ClientBase) => choice.test(client) } : {}),
    max: options.maximumConnections ?? usualConnections,
    // An unused connection holds 6 MB of the server; a new one costs it 3 ms, and busy ones are never idle for so long.
    idleTimeoutMillis: 20_000,
  })
}

/** A connection of its own, not connected yet. */
function newListener(options: ConnectOptions, choice: ServerChoice): pg.Client {
  const Client = clientFor(choice)
  const { application_name: name } = connectionOf(options, choice)
  return new Client({ ...connectionOf(options, choice), application_name: `${name}${listeningSuffix}` })
}

/** How statements reach the server: on any connection, or on one within a transaction. */
interface Ways {
  readonly begin: string
  readonly onPool: Ask
  readonly onClient: (client: pg.ClientBase) => Ask
}

function waysOf(options: ConnectOptions, pool: pg.Pool): Ways {
  const { watch, readLimit, maximumConnections = usualConnections } = options
  const begin = readLimit === undefined ? 'begin' : 'begin; set local statement_timeout = 0'
  if (watch === undefined) {
    const directly =
      (client: pg.Pool | pg.ClientBase): Ask =>
      (statement) =>
        client.query(statement)
    return { begin, onPool: directly(pool), onClient: directly }
  }
  const reads = new WatchedReads(watch, maximumConnections)
  return {
    begin,
    onPool: (statement) => reads.onPool(pool, statement),
    onClient: (client) => (statement) => reads.onClient(client, statement),
  }
}

/** Opens a pool. It connects with the first statement. */
export function connect(options: ConnectOptions): Pool {
  const choice = choiceFor(options.url)
  const silence = new SilenceWatch((client) => choice.urlOf(client), options.silenceLimit)
  const pool = poolOf(options, choice)
  let [isClosing, fullAt] = [false, Number.NEGATIVE_INFINITY]
  // The server may break a connection that was closed here a moment before.
  const tell = (error: Error) => {
    choice.forget()
    return isClosing ? undefined : options.onError?.(error)
  }
  const listening = new Listening({
    newClient: () =>
      newListener(options, choice)
        .once('error', tell)
        // The end of its stream is told after the server's words.
        .on('error', () => undefined),
    async connected(client) {
      if (choice.mustWrite) await choice.test(client)
      options.onConnected?.()
    },
    ...{ silence, isShared: options.sharesListening === true },
  })
  pool.on('error', tell)
  silence.watch(pool)
  // A connection that breaks while it is checked out notifies only its own listeners; without one the program would
  // end.
  pool.on('connect', (client) => client.on('error', () => undefined))
  pool.on('connect', () => options.onConnected?.())
  function note(error: unknown): void {
    if (isDiskFull(error)) {
      fullAt = performance.now()
      pool.keepAsItIs(fullFor)
    }
    if (isDatabaseAway(error)) choice.forget()
  }
  const ways = waysOf(options, pool)
  return {
    ...executorBy(ways.onPool, note),
    isFull: () => performance.now() - fullAt < fullFor,
    renew: () => pool.renew(),
    transaction: (work) => inTransaction(pool, { failed: note, ways }, work),
    listen: (channel, heard, session) => listening.listen({ channel, heard, session }),
    async close() {
      isClosing = true
      await Promise.all([pool.end(), listening.close()]).finally(() => silence.stop())
    },
    use: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
  }
}
