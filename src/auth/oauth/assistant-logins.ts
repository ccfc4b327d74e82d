import sql from 'sql-template-tag'
import type { Database, Executor } from '../../database/connect.ts'
import { type KeyScope, sortedScopes } from '../../domain/access/key-scopes.ts'
import { addToken, type IssuedToken, newKey } from '../api-keys.ts'
import { obstaclesOf } from '../attempts.ts'
import { type Login, loginsWhere } from '../callers.ts'
import { digestOf, newToken } from '../tokens.ts'

/** Logins of assistants: each is an API key that nobody knows, with access tokens and refresh tokens. */

const refreshMark = 'latr_'
/** A login that is not used for so long ends. */
const refreshLifeMs = 30 * 86_400_000
/** Programs that share a login may refresh at the same moment; later, a token that comes again was stolen. */
const graceMs = 60_000
/** Per key and per account; each further one ends the oldest. */
const most = { refreshTokens: 100, logins: 20 } as const

export interface AssistantTokens extends IssuedToken {
  readonly refreshToken: string
}

interface Begun {
  readonly login: Login
  readonly client: { readonly client_id: string; readonly name: string }
  readonly scopes: readonly KeyScope[]
  readonly now: number
}

/** Begins a login of an assistant. Call it while the code is locked. */
export async function beginAssistantLogin(
  transaction: Executor,
  { login, client, scopes, now }: Begun,
): Promise<AssistantTokens & { readonly keyId: number }> {
  const { key_hash: hash } = newKey()
  const parentId = login.parent_account_id
  const [key] = await transaction.query<{ id: number }>(sql`
    insert into api_keys (owner_id, parent_account_id, name, scopes, prefix, key_hash, created_at, client_id)
    values (${login.account_id}, ${parentId}, ${client.name}, ${[...scopes]}::text[], '', ${hash}, ${new Date(now)},
      ${client.client_id}) returning id`)
  const keyId = key?.id ?? 0
  const refreshToken = await addRefreshToken(transaction, keyId, scopes, now)
  await forgetLogins(transaction, login.account_id, now)
  return { ...(await addToken(transaction, { id: keyId, expires_at: null }, scopes, now)), refreshToken, keyId }
}

/** Ends the logins of an account that have run out, and the oldest beyond the limit. */
async function forgetLogins(transaction: Executor, ownerId: number, now: number): Promise<void> {
  await transaction.execute(sql`
    delete from api_keys where owner_id = ${ownerId} and client_id is not null and id not in (
      select k.id from api_keys k join api_key_tokens t on t.api_key_id = k.id
      where k.owner_id = ${ownerId} and k.client_id is not null and t.expires_at > ${new Date(now)}
      group by k.id order by coalesce(max(k.last_used_at), max(k.created_at)) desc, k.id desc limit ${most.logins})`)
}

async function addRefreshToken(
  transaction: Executor,
  keyId: number,
  scopes: readonly KeyScope[],
  now: number,
): Promise<string> {
  const token = `${refreshMark}${newToken()}`
  await transaction.execute(sql`
    delete from api_key_tokens where token_hash in (
      select token_hash from api_key_tokens where api_key_id = ${keyId} and is_refresh
      order by expires_at desc offset ${most.refreshTokens - 1})`)
  await transaction.execute(sql`
    insert into api_key_tokens (token_hash, api_key_id, scopes, expires_at, is_refresh)
    values (${digestOf(token)}, ${keyId}, ${[...scopes]}::text[], ${new Date(now + refreshLifeMs)}, true)`)
  return token
}

export interface Refresh {
  readonly token: string
  readonly clientId: string
  /** Null: those of the login. */
  readonly scopes: readonly string[] | null
  readonly ipAddress: string
  readonly now: number
}

type Refreshed = { readonly tokens: AssistantTokens } | { readonly error: 'invalid_grant' | 'invalid_scope' }

interface StoredKey {
  readonly id: number
  readonly owner_id: number
  readonly client_id: string | null
  readonly expires_at: number | null
}

interface StoredToken {
  readonly scopes: readonly KeyScope[]
  readonly expires_at: number
  readonly replaced_at: number | null
}

/** Exchanges a refresh token for new tokens, once. One that comes again later ends the login (RFC 9700, 4.14.2). */
export function refreshAssistantLogin(database: Database, refresh: Refresh): Promise<Refreshed> {
  return database.transaction(async (transaction) => {
    const hash = digestOf(refresh.token)
    // The key is locked first, as by its deletion; then the token is read as it is now.
    const [key] = await transaction.query<StoredKey>(sql`
      select id, owner_id, client_id, expires_at from api_keys
      where id in (select api_key_id from api_key_tokens where token_hash = ${hash} and is_refresh) for update`)
    const [stored] = await transaction.query<StoredToken>(
      sql`select scopes, expires_at, replaced_at from api_key_tokens where token_hash = ${hash} and is_refresh`,
    )
    if (key === undefined || stored === undefined || key.client_id !== refresh.clientId) return invalid
    if (stored.replaced_at !== null && stored.replaced_at <= refresh.now - graceMs) {
      await transaction.execute(sql`delete from api_keys where id = ${key.id}`)
      return invalid
    }
    if (!(await isLive(transaction, key, stored, refresh))) return invalid
    const scopes = refresh.scopes ?? stored.scopes
    const granted = stored.scopes.filter((scope) => scopes.includes(scope))
    if (granted.length === 0 || granted.length < new Set(scopes).size) return { error: 'invalid_scope' }
    await transaction.execute(sql`
      update api_key_tokens set replaced_at = coalesce(replaced_at, ${new Date(refresh.now)}) where token_hash = ${hash}`)
    const refreshToken = await addRefreshToken(transaction, key.id, stored.scopes, refresh.now)
    const issued = await addToken(transaction, key, sortedScopes(granted), refresh.now)
    return { tokens: { ...issued, refreshToken } }
  })
}

const invalid = { error: 'invalid_grant' } as const

/** True while neither the token nor the login has ended, and its owner may come in from this address. */
async function isLive(
  transaction: Executor,
  key: StoredKey,
  stored: StoredToken,
  { now, ipAddress }: Refresh,
): Promise<boolean> {
  if (stored.expires_at <= now || (key.expires_at !== null && key.expires_at <= now)) return false
  const [login] = await transaction.query<Login>(loginsWhere(sql`a.id = ${key.owner_id}`))
  return login !== undefined && obstaclesOf(login, ipAddress).length === 0
}
