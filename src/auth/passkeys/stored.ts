import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Executor } from '../../database/connect.ts'
import { isCounterRegression } from '../../domain/access/passkey.ts'

/** A passkey as the database holds it: nothing in it is secret. */
export interface StoredPasskey {
  readonly id: number
  readonly owner_id: number
  readonly credential_id: Buffer
  readonly public_key: Buffer
  readonly sign_count: number
  readonly user_handle: Buffer
  readonly rp_id: string
  readonly transports: readonly string[]
}

const columns = sql`id, owner_id, credential_id, public_key, sign_count, user_handle, rp_id, transports`

export async function findPasskey(executor: Executor, credentialId: string): Promise<StoredPasskey | undefined> {
  const id = Buffer.from(credentialId, 'base64url')
  return (await executor.query<StoredPasskey>(sql`select ${columns} from passkeys where credential_id = ${id}`))[0]
}

/** The passkeys of an account that work at this site. */
export function passkeysOf(executor: Executor, accountId: number, rpId: string): Promise<StoredPasskey[]> {
  return executor.query<StoredPasskey>(
    sql`select ${columns} from passkeys where owner_id = ${accountId} and rp_id = ${rpId} order by id`,
  )
}

/** How many passkeys of an account work at this site, without one of them. */
export async function countPasskeys(
  executor: Executor,
  accountId: number,
  { rpId, exceptId }: { readonly rpId: string; readonly exceptId: number | null },
): Promise<number> {
  const [found] = await executor.query<{ count: number }>(sql`
    select count(*)::int as count from passkeys
    where owner_id = ${accountId} and rp_id = ${rpId} and id is distinct from ${exceptId}::int`)
  return found?.count ?? 0
}

/** The name of an account for passkeys: random, so that it tells nothing, and the same for all of its passkeys. */
export async function userHandleOf(executor: Executor, accountId: number): Promise<Buffer> {
  const [known] = await executor.query<{ user_handle: Buffer }>(
    sql`select user_handle from passkeys where owner_id = ${accountId} order by id limit 1`,
  )
  return known?.user_handle ?? randomBytes(32)
}

export type Use = 'used' | 'gone' | 'regression'

/** Records a use of a passkey that has just proven itself. The row is locked, so one count serves one use. */
export async function recordUse(
  transaction: Executor,
  use: { readonly id: number; readonly count: number; readonly isSynced: boolean; readonly now: number },
): Promise<Use> {
  const [found] = await transaction.query<{ sign_count: number }>(
    sql`select sign_count from passkeys where id = ${use.id} for update`,
  )
  if (found === undefined) return 'gone'
  if (isCounterRegression(found.sign_count, use.count)) return 'regression'
  await transaction.execute(sql`
    update passkeys set sign_count = ${use.count}, is_synced = ${use.isSynced}, last_used_at = ${new Date(use.now)}
    where id = ${use.id}`)
  return 'used'
}
