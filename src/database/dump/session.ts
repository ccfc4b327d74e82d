import type { Readable, Writable } from 'node:stream'
import pg from 'pg'
import { from, to } from 'pg-copy-streams'
import { type Executor, executorOf } from '../connect.ts'
import { choiceFor } from '../server-choice.ts'

/** One connection, for a transaction as long as a dump. */
export interface Session extends Executor {
  /** The output of `copy … to stdout`; `rowCount` is final once the next statement was answered. */
  copyOut(statement: string): Readable & { readonly rowCount: number }
  /** The input of `copy … from stdin`; `rowCount` is final once it has finished. */
  copyIn(statement: string): Writable & { readonly rowCount: number }
  close(): Promise<void>
}

/**
 * Opens a connection that may be silent within a transaction, because a bucket's files are copied between two tables.
 */
export async function openSession(url: string): Promise<Session> {
  const server = await choiceFor(url).choose()
  const client = new pg.Client({
    connectionString: server.url,
    connectionTimeoutMillis: 5000,
    application_name: 'latarnik dump',
    options: '-c timezone=UTC -c datestyle=ISO -c intervalstyle=iso_8601 -c idle_in_transaction_session_timeout=0',
  })
  // The waiting statement gets the error; without a listener the program would end.
  client.on('error', () => undefined)
  await client.connect()
  return {
    ...executorOf(client),
    copyOut: (statement) => client.query(to(statement)),
    copyIn: (statement) => client.query(from(statement)),
    close: () => client.end(),
  }
}
