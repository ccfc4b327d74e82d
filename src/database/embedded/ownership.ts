import pg from 'pg'
import { isDiskFull } from '../failures.ts'
import { lockKeys } from '../locks.ts'
import { superuser } from './cluster.ts'

/** The session that marks a server as ours. The server ends it the moment this process dies, however it dies. */
export interface Ownership {
  /** Settles when the session ends for any reason. */
  readonly ended: Promise<void>
  release(): Promise<void>
}

/**
 * held: another live process owns it. starting: not ready yet, or too young to be taken over. full: its disk is, so it
 * may refuse every new connection. absent: nobody listens.
 */
export type OwnershipState = Ownership | 'held' | 'starting' | 'full' | 'absent'

export function urlOf(socketDirectory: string): string {
  return `postgres:///postgres?host=${encodeURIComponent(socketDirectory)}&user=${superuser}`
}

function reasonOf(error: unknown): 'starting' | 'full' | 'absent' {
  if (isDiskFull(error)) return 'full'
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ENOENT' || code === 'ECONNREFUSED' ? 'absent' : 'starting'
}

/** A new server belongs to its starter; only one without an owner for three seconds is abandoned. */
const claim = `select case
  when $2 or clock_timestamp() - pg_postmaster_start_time() > interval '3 seconds' then pg_try_advisory_lock($1)
  when exists (select from pg_locks where locktype = 'advisory' and objid = $1::oid and granted) then false
  end as owned`

export async function tryToOwn(socketDirectory: string, isStarter: boolean): Promise<OwnershipState> {
  const client = new pg.Client({ connectionString: urlOf(socketDirectory), connectionTimeoutMillis: 5000 })
  const ended = new Promise<void>((resolve) => client.once('end', resolve))
  // The statements below reject with the same error; without a listener the program would end.
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ owned: boolean | null }>(claim, [lockKeys.owner, isStarter])
    if (rows[0]?.owned === true) return { ended, release: () => client.end() }
    await client.end()
    return rows[0]?.owned === false ? 'held' : 'starting'
  } catch (error) {
    // The first error is the reported reason.
    await client.end().catch(() => undefined)
    return reasonOf(error)
  }
}
