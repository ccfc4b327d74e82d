import { createHash, timingSafeEqual } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Database, Executor } from '../../database/connect.ts'
import { expirationDuration } from '../../domain/access/credentials.ts'
import type { KeyScope } from '../../domain/access/key-scopes.ts'
import { type Login, loginsWhere } from '../callers.ts'
import { createSession, endSession, type NewSession } from '../sessions.ts'
import { digestOf, newToken } from '../tokens.ts'
import { type AssistantTokens, beginAssistantLogin } from './assistant-logins.ts'
import type { AuthorizationRequest } from './request.ts'

const codeLifeMs = 60_000
/** Used codes are remembered for a while: if one comes again, it was stolen. */
const memoryMs = 600_000

/** Deletes codes that expired long ago. */
export async function forgetCodes(executor: Executor, now: number): Promise<void> {
  await executor.execute(sql`delete from oauth_codes where expires_at < ${new Date(now - memoryMs)}`)
}

/**
 * Makes a code that the client exchanges for a session, or for tokens of an assistant; only its digest is stored. Call
 * it while the credentials are locked.
 */
export async function issueCode(
  executor: Executor,
  { wanted, scopes }: { readonly wanted: AuthorizationRequest; readonly scopes: readonly KeyScope[] | null },
  accountId: number,
  now: number,
): Promise<string> {
  const code = newToken()
  await executor.execute(sql`
    insert into oauth_codes (code_hash, client_id, redirect_uri, code_challenge, account_id, created_at, expires_at,
      scopes)
    values (${digestOf(code)}, ${wanted.client.client_id}, ${wanted.redirectUri}, ${wanted.codeChallenge},
      ${accountId}, ${new Date(now)}, ${new Date(now + codeLifeMs)}, ${scopes === null ? null : [...scopes]}::text[])`)
  return code
}

export interface CodeExchange {
  readonly code: string
  readonly clientId: string
  /** Null: no client has the id any more. */
  readonly clientName: string | null
  readonly redirectUri: string
  readonly codeVerifier: string
  readonly userAgent: string
  readonly now: number
}

interface StoredCode {
  readonly client_id: string
  readonly redirect_uri: string
  readonly code_challenge: string
  readonly account_id: number
  readonly session_id: string | null
  readonly api_key_id: number | null
  readonly scopes: readonly KeyScope[] | null
  readonly expires_at: number
}

export type CodeGrant = { readonly session: NewSession } | { readonly tokens: AssistantTokens }

/**
 * Exchanges a code once. A wrong attempt ends the code; a second one ends what it was exchanged for too (RFC 6749,
 * 4.1.2). The lock on the code makes `endSessionsOf` wait, which ends codes before sessions. So it finds the new
 * session and ends it.
 */
export function exchangeCode(database: Database, exchange: CodeExchange): Promise<CodeGrant | null> {
  return database.transaction(async (transaction) => {
    const codeHash = digestOf(exchange.code)
    const [stored] = await transaction.query<StoredCode>(
      sql`select * from oauth_codes where code_hash = ${codeHash} for update`,
    )
    if (stored === undefined) return null
    const [login] = await transaction.query<Login>(loginsWhere(sql`a.id = ${stored.account_id}`))
    const isUsed = stored.session_id !== null || stored.api_key_id !== null
    if (stored.session_id !== null) await endSession(transaction, stored.session_id)
    if (stored.api_key_id !== null) await transaction.execute(sql`delete from api_keys where id = ${stored.api_key_id}`)
    if (isUsed || !isRight(stored, exchange) || login === undefined) {
      await transaction.execute(sql`delete from oauth_codes where code_hash = ${codeHash}`)
      return null
    }
    return stored.scopes === null
      ? { session: await beginSession(transaction, codeHash, login, exchange) }
      : { tokens: await beginAssistants(transaction, { stored, codeHash, scopes: stored.scopes }, login, exchange) }
  })
}

async function beginSession(transaction: Executor, codeHash: Buffer, login: Login, { userAgent, now }: CodeExchange) {
  const expirationDurationSeconds = expirationDuration.default
  const session = await createSession(transaction, {
    login,
    isVerified: true,
    userAgent,
    expirationDurationSeconds,
    now,
  })
  await transaction.execute(sql`update oauth_codes set session_id = ${session.id} where code_hash = ${codeHash}`)
  return session
}

async function beginAssistants(
  transaction: Executor,
  code: { readonly stored: StoredCode; readonly codeHash: Buffer; readonly scopes: readonly KeyScope[] },
  login: Login,
  { clientName, now }: CodeExchange,
): Promise<AssistantTokens> {
  const clientId = code.stored.client_id
  const client = { client_id: clientId, name: clientName ?? clientId.slice(0, 60) }
  const { keyId, ...tokens } = await beginAssistantLogin(transaction, { login, client, scopes: code.scopes, now })
  await transaction.execute(sql`update oauth_codes set api_key_id = ${keyId} where code_hash = ${code.codeHash}`)
  return tokens
}

function isRight(stored: StoredCode, exchange: CodeExchange): boolean {
  const isInTime = stored.expires_at > exchange.now && exchange.clientName !== null
  const isSameClient = stored.client_id === exchange.clientId && stored.redirect_uri === exchange.redirectUri
  return isInTime && isSameClient && isVerifier(exchange.codeVerifier, stored.code_challenge)
}

/** RFC 7636, section 4.6, method S256. */
function isVerifier(verifier: string, challenge: string): boolean {
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return false
  const digest = Buffer.from(createHash('sha256').update(verifier).digest('base64url'))
  const expected = Buffer.from(challenge)
  return digest.length === expected.length && timingSafeEqual(digest, expected)
}
