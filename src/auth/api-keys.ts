import sql, { type Sql } from 'sql-template-tag'
import type { Database, Executor } from '../database/connect.ts'
import type { CallersKey } from '../domain/access/caller.ts'
import { type KeyScope, sortedScopes } from '../domain/access/key-scopes.ts'
import { type Login, loginsWhere } from './callers.ts'
import { digestOf, newToken } from './tokens.ts'

const keyMark = 'lat_'
const tokenMark = 'latt_'
/** The start of a key that is stored and shown, so that its owner recognises it. */
const prefixLength = 12
/** A use is noted at most once in this time, so that reading does not become writing. */
const noteEveryMs = 60_000
const tokenLifeSeconds = 3600
/** Per key; each further token ends the one that would expire first. */
const maximumTokens = 100

/** A new key; the key itself is told this once. */
export interface NewKey {
  readonly key: string
  readonly prefix: string
  readonly key_hash: Buffer
}

export function prefixOf(key: string): string {
  return key.slice(0, prefixLength)
}

export function newKey(): NewKey {
  const key = `${keyMark}${newToken()}`
  return { key, prefix: prefixOf(key), key_hash: digestOf(key) }
}

/** A text that has the form of a key, and not of its access token. */
export function isKey(text: string): boolean {
  return text.startsWith(keyMark) && isOfKey(text)
}

/** A bearer token that has the form of a key or of its access token, and not of a session: those have 43 characters. */
export function isOfKey(token: string): boolean {
  return (token.startsWith(keyMark) || token.startsWith(tokenMark)) && token.length !== 43
}

export interface UsedKey {
  readonly key: CallersKey
  readonly isExpired: boolean
  readonly login: Login
}

type UsedKeyRow = Login & {
  readonly key_id: number
  readonly key_scopes: readonly KeyScope[]
  readonly key_group_ids: readonly number[] | null
  readonly key_tag_ids: readonly number[] | null
  readonly key_expires_at: number | null
  readonly key_confirms: boolean
  readonly key_client_id: string | null
}

/** The key of a digest: itself, the former one in its time of grace, or the one behind an access token. */
function knownKeys(digest: Buffer, isToken: boolean, at: Date): Sql {
  if (isToken) {
    const granted = sql`array(select unnest(t.scopes) intersect select unnest(k.scopes))`
    return sql`select k.*, ${granted} as granted, least(k.expires_at, t.expires_at) as ends_at
      from api_key_tokens t join api_keys k on k.id = t.api_key_id
      where t.token_hash = ${digest} and not t.is_refresh`
  }
  return sql`select k.*, k.scopes as granted, k.expires_at as ends_at from api_keys k where k.key_hash = ${digest}
    union all select k.*, k.scopes, least(k.expires_at, k.previous_expires_at) from api_keys k
      where k.previous_hash = ${digest} and k.previous_expires_at > ${at}`
}

/**
 * Finds the key behind a bearer token, with its owner as they are now, and notes the use, in one statement. A search by
 * digest takes no time that would tell anything of the key.
 */
export async function useKey(executor: Executor, token: string, now: number): Promise<UsedKey | undefined> {
  const at = new Date(now)
  const isToken = token.startsWith(tokenMark)
  const [row] = await executor.query<UsedKeyRow>(
    sql`
    with known as (${knownKeys(digestOf(token), isToken, at)}),
    noted as (
      update api_keys k set last_used_at = ${at} from known
      where k.id = known.id and (known.ends_at is null or known.ends_at > ${at})
        and (k.last_used_at is null or k.last_used_at < ${new Date(now - noteEveryMs)})
    )
    select known.id as key_id, known.granted as key_scopes, known.group_ids as key_group_ids,
      known.tag_ids as key_tag_ids, known.ends_at as key_expires_at, known.can_confirm_itself as key_confirms,
      known.client_id as key_client_id, login.*
    from known join lateral (${loginsWhere(sql`a.id = known.owner_id`)}) login on true`,
    isToken ? 'use_key_token' : 'use_key',
  )
  return row === undefined ? undefined : usedKey(row, isToken, now)
}

function usedKey(row: UsedKeyRow, isToken: boolean, now: number): UsedKey {
  const { key_id, key_scopes, key_group_ids, key_tag_ids, key_expires_at, key_confirms, key_client_id, ...login } = row
  const key = {
    id: key_id,
    scopes: key_scopes,
    group_ids: key_group_ids,
    tag_ids: key_tag_ids,
    expires_at: key_expires_at,
    ...(isToken ? { is_token: true as const } : {}),
    ...(key_confirms ? { can_confirm_itself: true as const } : {}),
    ...(key_client_id === null ? {} : { client_id: key_client_id }),
  }
  return { key, isExpired: key_expires_at !== null && key_expires_at <= now, login }
}

/** The keys among these that are valid now, by their ids; for lasting connections. */
export async function liveKeys(
  executor: Executor,
  ids: readonly number[],
  now: number,
): Promise<ReadonlyMap<number, CallersKey & { readonly owner_id: number }>> {
  if (ids.length === 0) return new Map()
  const rows = await executor.query<CallersKey & { readonly owner_id: number }>(
    sql`select id, owner_id, scopes, group_ids, tag_ids, expires_at from api_keys
      where id = any(${[...ids]}::int[]) and (expires_at is null or expires_at > ${new Date(now)})`,
    'live_keys',
  )
  return new Map(rows.map((row) => [row.id, row]))
}

export interface IssuedToken {
  readonly token: string
  readonly scopes: readonly KeyScope[]
  readonly expiresInSeconds: number
}

/** Makes an access token of a key that has just been used: with some of its scopes, and no longer than the key. */
export function issueToken(
  database: Database,
  { key }: UsedKey,
  scopes: readonly KeyScope[],
  now: number,
): Promise<IssuedToken> {
  return database.transaction((transaction) => addToken(transaction, key, scopes, now))
}

/** The same within a transaction. */
export async function addToken(
  transaction: Executor,
  key: { readonly id: number; readonly expires_at: number | null },
  scopes: readonly KeyScope[],
  now: number,
): Promise<IssuedToken> {
  const token = `${tokenMark}${newToken()}`
  const ends = key.expires_at === null ? Number.POSITIVE_INFINITY : Math.floor((key.expires_at - now) / 1000)
  const expiresInSeconds = Math.max(1, Math.min(tokenLifeSeconds, ends))
  const granted = sortedScopes(scopes)
  await forgetExpiredTokens(transaction, now)
  await transaction.execute(sql`
    delete from api_key_tokens where token_hash in (
      select token_hash from api_key_tokens where api_key_id = ${key.id}
      order by expires_at desc offset ${maximumTokens - 1})`)
  await transaction.execute(sql`
    insert into api_key_tokens (token_hash, api_key_id, scopes, expires_at)
    values (${digestOf(token)}, ${key.id}, ${[...granted]}::text[], ${new Date(now + expiresInSeconds * 1000)})`)
  return { token, scopes: granted, expiresInSeconds }
}

/** Deletes access tokens that have expired. */
async function forgetExpiredTokens(executor: Executor, now: number): Promise<void> {
  await executor.execute(sql`delete from api_key_tokens where expires_at < ${new Date(now)}`)
}

/** Replaces the key; the former one and its access tokens work until the moment. */
export async function rotateKey(transaction: Executor, id: number, previousUntil: Date): Promise<NewKey> {
  const made = newKey()
  await transaction.execute(sql`
    update api_keys set previous_hash = key_hash, previous_expires_at = ${previousUntil}, key_hash = ${made.key_hash},
      prefix = ${made.prefix} where id = ${id}`)
  await transaction.execute(sql`
    update api_key_tokens set expires_at = least(expires_at, ${previousUntil}::timestamptz) where api_key_id = ${id}`)
  return made
}
