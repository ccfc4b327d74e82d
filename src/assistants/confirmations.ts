import { createHash, randomBytes } from 'node:crypto'
import { addConfirmation, useConfirmation } from '../database/accounts/assistant-confirmations.ts'
import type { Database } from '../database/connect.ts'
import type { Caller } from '../domain/access/caller.ts'
import { isObject } from '../domain/input/json.ts'

/** Long enough to read and to decide. */
const lifeMs = 300_000

/** A confirmation is for one caller, one tool, these arguments, and the way in which it was asked for. */
export interface Confirmed {
  readonly caller: Caller
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
  /** `asked`: the client asks the person itself. `told`: the token was in a result. */
  readonly way: 'asked' | 'told'
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((key) => [key, sorted(value[key])]),
  )
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function contentHash({ caller, tool, arguments: given, way }: Confirmed): Buffer {
  const { scope, account_id: accountId, manager_id: managerId, key, session_id: sessionId } = caller
  const who = [scope, accountId, managerId, key?.id ?? null, sessionId]
  return digestOf(JSON.stringify([who, tool, sorted(given), way]))
}

/** The token by which the write may be done once, soon. */
export async function askConfirmation(
  database: Database,
  confirmed: Confirmed,
  now: number,
): Promise<{ readonly token: string; readonly expiresAt: number }> {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = now + lifeMs
  const accountId = confirmed.caller.account_id
  const pending = { accountId, tokenHash: digestOf(token), contentHash: contentHash(confirmed), expiresAt }
  await addConfirmation(database, pending, now)
  return { token, expiresAt }
}

/** Uses up a token; false if it is another's, for something else, used or too old. */
export function takeConfirmation(
  database: Database,
  confirmed: Confirmed,
  { token, now }: { readonly token: string; readonly now: number },
): Promise<boolean> {
  return useConfirmation(database, { tokenHash: digestOf(token), contentHash: contentHash(confirmed) }, now)
}
