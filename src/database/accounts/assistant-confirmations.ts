import sql from 'sql-template-tag'
import type { Database, Executor } from '../connect.ts'

/** Open confirmations per account; each further one ends the one that would expire first. */
const maximumOpen = 20

/** A write that waits for its confirmation. */
export interface PendingConfirmation {
  readonly accountId: number
  readonly tokenHash: Uint8Array
  /** Digest of the caller, the tool and its arguments. */
  readonly contentHash: Uint8Array
  readonly expiresAt: number
}

export async function addConfirmation(database: Database, pending: PendingConfirmation, now: number): Promise<void> {
  const { accountId, tokenHash, contentHash, expiresAt } = pending
  await database.transaction(async (transaction) => {
    await transaction.execute(sql`delete from assistant_confirmations where expires_at <= ${new Date(now)}`)
    await transaction.execute(sql`
      delete from assistant_confirmations where token_hash in (
        select token_hash from assistant_confirmations where account_id = ${accountId}
        order by expires_at desc offset ${maximumOpen - 1})`)
    await transaction.execute(sql`
      insert into assistant_confirmations (token_hash, account_id, content_hash, expires_at)
      values (${tokenHash}, ${accountId}, ${contentHash}, ${new Date(expiresAt)})`)
  })
}

/** Uses up a confirmation; false if there is none for this content, or not any more. */
export async function useConfirmation(
  executor: Executor,
  { tokenHash, contentHash }: Pick<PendingConfirmation, 'tokenHash' | 'contentHash'>,
  now: number,
): Promise<boolean> {
  const used = await executor.execute(sql`
    delete from assistant_confirmations
    where token_hash = ${tokenHash} and content_hash = ${contentHash} and expires_at > ${new Date(now)}`)
  return used === 1
}
