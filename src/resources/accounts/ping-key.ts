import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Executor } from '../../database/connect.ts'
import { mayHavePingKey } from '../../domain/access/permissions.ts'
import { holds, type Row } from '../../domain/queries/condition.ts'
import type { Call, Operation } from '../../rest/call.ts'
import { lockForWrite } from '../../rest/operations/write.ts'
import { pathParameters } from '../../rest/parameter-descriptions.ts'
import { refuse } from '../../rest/problems.ts'

const path = '/accounts/{_id}/ping_key'

const schema = {
  type: 'object',
  required: ['ping_key'],
  properties: { ping_key: { type: ['string', 'null'], description: 'Null: none was made yet.' } },
  example: { ping_key: '3sXlkuPxYgWyqvVcZJGk1Q' },
} as const

const shared = { path, tag: 'accounts', access: 'customer', parameters: pathParameters(path) } as const

/** The key lets anybody report for every heartbeat of the account: it is the account's, not its maker's. */
async function lockedAccount(transaction: Executor, call: Call): Promise<Row> {
  const account = await lockForWrite(call.registry.get('accounts'), transaction, call, 'update')
  return holds(mayHavePingKey(call.caller), account) ? account : refuse('forbidden')
}

const readPingKey: Operation = {
  ...shared,
  id: 'accounts.read_ping_key',
  method: 'GET',
  summary: 'Read the ping key of an account',
  about: 'The first part of ping addresses by slug: `/ping/{ping_key}/{ping_slug}`.',
  answers: { 200: { about: 'The key.', schema } },
  async handle(call: Call) {
    return call.database.transaction(async (transaction) => {
      const account = await lockedAccount(transaction, call)
      const [row] = await transaction.query<{ ping_key: string | null }>(
        sql`select ping_key from accounts where id = ${account['id']}`,
      )
      return { status: 200, body: { ping_key: row?.ping_key ?? null } }
    })
  },
}

const makePingKey: Operation = {
  ...shared,
  id: 'accounts.make_ping_key',
  method: 'POST',
  summary: 'Make a new ping key',
  about: 'The old one ends at once. Takes no body.',
  answers: { 200: { about: 'The new key.', schema } },
  async handle(call: Call) {
    const key = randomBytes(16).toString('base64url')
    await call.database.transaction(async (transaction) => {
      const account = await lockedAccount(transaction, call)
      await transaction.execute(sql`update accounts set ping_key = ${key} where id = ${account['id']}`)
    })
    return { status: 200, body: { ping_key: key } }
  },
}

export const pingKeyOperations: readonly Operation[] = [readPingKey, makePingKey]
