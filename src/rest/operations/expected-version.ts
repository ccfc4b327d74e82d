import type { Database, Executor } from '../../database/connect.ts'
import type { Call } from '../call.ts'
import type { Resource } from '../declare.ts'
import { jsonText, matchesTag, strongTag } from '../entity-tag.ts'
import { refuse } from '../problems.ts'
import { read } from './read.ts'

/** Reads what the transaction sees, on its own connection. */
function within(database: Database, transaction: Executor): Database {
  return {
    query: (statement, name) => transaction.query(statement, name),
    execute: (statement, name) => transaction.execute(statement, name),
    transaction: (work) => work(transaction),
    listen: (...asked) => database.listen(...asked),
    close: () => database.close(),
  }
}

/**
 * Refuses a write to another version than `If-Match` names: that of a plain `GET` of the object.
 * The object is locked, so that of two writes with one tag the second is refused.
 */
export async function requireVersion(resource: Resource, transaction: Executor, call: Call): Promise<void> {
  if (call.ifMatch === null) return
  const database = within(call.database, transaction)
  const { body } = await read(resource, { ...call, query: new URLSearchParams(), database })
  if (!matchesTag(call.ifMatch, strongTag(jsonText(body)))) refuse('object_changed')
}
