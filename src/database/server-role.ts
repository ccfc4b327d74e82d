import pg from 'pg'
import type { Server } from './servers.ts'

/** The state of a server in its own words. */
export interface ServerRole {
  readonly standby: boolean
  readonly readonly: boolean
  /** Each promotion of a standby begins a new one; 0: it does not say, because it is a standby. */
  readonly timeline: number
  /** Bytes of its log that are written, or replayed by a standby. */
  readonly position: number
  /** Seconds since the last replayed transaction was committed; null: none was, or it is no standby. */
  readonly age: number | null
}

export interface ServerAnswer {
  readonly server: Server
  readonly role: ServerRole | null
  /** Why it will not do; null: it accepts writes. */
  readonly fault: Error | null
}

/** Milliseconds. Less than a pool waits for a connection, so that a silent server leaves time for another. */
const patience = 3000

const roleStatement = `select pg_is_in_recovery() as standby, current_setting('transaction_read_only')::boolean as readonly,
  case when pg_is_in_recovery() then '0' else substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) end as timeline,
  (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end - '0/0')::float8 as position,
  extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8 as age`

/** With the server's code for a write where nothing can be written, which callers take for a database that is away. */
export function readOnlyError(message: string): Error {
  return Object.assign(new Error(message), { code: '25006' })
}

/** The role of a connection's server, and why it will not do. */
export async function roleOf(client: pg.ClientBase, server: Server): Promise<Omit<ServerAnswer, 'server'>> {
  const [row] = (await client.query<Omit<ServerRole, 'timeline'> & { readonly timeline: string }>(roleStatement)).rows
  if (row === undefined) throw new Error('The database server does not say what it is')
  const role = { ...row, timeline: Number.parseInt(row.timeline, 16) }
  if (role.standby) return { role, fault: readOnlyError(`${server.name} is a standby`) }
  return { role, fault: role.readonly ? readOnlyError(`${server.name} accepts no writes`) : null }
}

/** Connects to one server, and to no other. */
export async function askServer(server: Server): Promise<ServerAnswer> {
  const client = new pg.Client({
    ...{ connectionString: server.url, connectionTimeoutMillis: patience, application_name: 'latarnik choice' },
  })
  // The statements below reject with the same error; without a listener the program would end.
  client.on('error', () => undefined)
  // It may accept the connection, and fall silent after it.
  const silence = setTimeout(() => void client.end().catch(() => undefined), patience)
  try {
    await client.connect()
    return { server, ...(await roleOf(client, server)) }
  } catch (error) {
    return { server, role: null, fault: error instanceof Error ? error : new Error(String(error)) }
  } finally {
    clearTimeout(silence)
    // The answer is known already.
    void client.end().catch(() => undefined)
  }
}

/** Why a server will not do, for people. */
export function reasonOf({ server, fault }: ServerAnswer): string {
  const reason = fault === null ? 'an older timeline' : fault.message || ('code' in fault ? String(fault.code) : '')
  return reason.startsWith(server.name) ? reason : `${server.name}: ${reason}`
}
