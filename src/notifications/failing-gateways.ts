import sql from 'sql-template-tag'
import { lettersGateway } from '../channels/index.ts'
import type { Database, Executor } from '../database/connect.ts'
import { enqueue } from '../database/enqueue.ts'
import type { AdministratorContact, GatewayLetterFacts, GatewayLetterKind } from '../domain/notification/letter.ts'

/** Since when a gateway is known to be down, by whichever process found out; null while it serves. */
export async function readFailingSince(database: Executor, gatewayId: string): Promise<number | null> {
  const [row] = await database.query<{ failing_since: number }>(
    sql`select failing_since from failing_gateways where id = ${gatewayId}`,
  )
  return row?.failing_since ?? null
}

export interface GatewayTrouble {
  readonly gateway: string
  readonly sinceAt: number
  readonly error: string
}

/**
 * Records that a gateway is down, and writes to the administrator, except about mail itself. False if it was known:
 * each outage is reported once, however many processes notice it.
 */
export function recordDown(database: Database, trouble: GatewayTrouble, contact: AdministratorContact, now: number) {
  const { gateway, sinceAt, error } = trouble
  return database.transaction(async (transaction) => {
    const known = await transaction.execute(sql`
      insert into failing_gateways (id, failing_since, error_message) values (${gateway}, ${new Date(sinceAt)}, ${error})
      on conflict (id) do nothing`)
    if (known === 0) return false
    const facts = { gateway, sinceAt, error, returnedAt: null, language: contact.language }
    if (gateway !== lettersGateway.id) await writeLetters(transaction, 'gateway_down', facts, { ...contact, now })
    return true
  })
}

/** The end of that, told once too, and of mail as well. Null when it was not known to be down. */
export function recordBack(database: Database, gateway: string, contact: AdministratorContact, now: number) {
  return database.transaction(async (transaction) => {
    const [row] = await transaction.query<{ failing_since: number; error_message: string }>(
      sql`delete from failing_gateways where id = ${gateway} returning failing_since, error_message`,
    )
    if (row === undefined) return null
    const { failing_since: sinceAt, error_message: error } = row
    const facts = { gateway, sinceAt, error, returnedAt: now, language: contact.language }
    await writeLetters(transaction, 'gateway_returned', facts, { ...contact, now })
    return { gateway, sinceAt, error }
  })
}

async function writeLetters(
  transaction: Executor,
  kind: GatewayLetterKind,
  facts: GatewayLetterFacts,
  { addresses, now }: { readonly addresses: readonly string[]; readonly now: number },
): Promise<void> {
  const messages = addresses.map((address) => ({ kind, address, gateway_id: facts.gateway, facts }))
  await enqueue(transaction, messages, now)
}
