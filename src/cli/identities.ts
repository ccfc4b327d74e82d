import sql from 'sql-template-tag'
import { findLogin } from '../auth/callers.ts'
import { recordLoginChange } from '../auth/recorded-change.ts'
import { endSessionsOf } from '../auth/sessions.ts'
import type { Database, Executor } from '../database/connect.ts'
import { CannotStart } from '../program/cannot-start.ts'

/** An identity that logs in to an account. */
export interface ListedIdentity {
  readonly issuer: string
  readonly subject: string
  readonly created_at: string
  readonly last_login_at: string
}

async function accountNamed(executor: Executor, username: string): Promise<number> {
  const login = await findLogin(executor, username)
  if (login === undefined) throw new CannotStart(`Nobody has the username ${username}.`)
  if (login.scope === 'administrator')
    throw new CannotStart(`${username} is an administrator; only accounts have identities.`)
  return login.account_id
}

/** Links that still wait for a proof are none. */
export async function listIdentities(database: Database, username: string): Promise<ListedIdentity[]> {
  const id = await accountNamed(database, username)
  const found = await database.query<Record<'issuer' | 'subject', string> & Record<'made' | 'used', number>>(sql`
    select issuer, subject, created_at as made, last_login_at as used from oidc_identities
    where account_id = ${id} and proof_digest is null order by issuer, subject`)
  return found.map(({ issuer, subject, made, used }) => ({
    issuer,
    subject,
    created_at: new Date(made).toISOString(),
    last_login_at: new Date(used).toISOString(),
  }))
}

/** The issuer as identities have it: some providers write a slash at its end, others do not. */
async function issuerAs(transaction: Executor, issuer: string): Promise<string> {
  const known = await transaction.query<{ issuer: string }>(sql`select distinct issuer from oidc_identities`)
  return known.find((one) => new URL(one.issuer).href === new URL(issuer).href)?.issuer ?? issuer
}

/** Links an identity that was never linked, or only waits for a proof, with an account. */
export function addIdentity(
  database: Database,
  username: string,
  added: { readonly issuer: string; readonly subject: string; readonly now: number },
): Promise<void> {
  return database.transaction(async (transaction) => {
    const id = await accountNamed(transaction, username)
    const [issuer, at] = [await issuerAs(transaction, added.issuer), new Date(added.now)]
    const [other] = await transaction.query<{ username: string }>(sql`
      select a.username from oidc_identities i join accounts a on a.id = i.account_id
      where i.issuer = ${issuer} and i.subject = ${added.subject} and i.proof_digest is null and a.id <> ${id}`)
    if (other !== undefined)
      throw new CannotStart(`This identity logs in to ${other.username}. Remove it there first (--remove).`)
    const [own] = await transaction.query(sql`
      select 1 from oidc_identities
      where issuer = ${issuer} and subject = ${added.subject} and proof_digest is null and account_id = ${id}`)
    if (own !== undefined) return
    await transaction.execute(sql`
      insert into oidc_identities (issuer, subject, account_id, created_at, last_login_at)
      values (${issuer}, ${added.subject}, ${id}, ${at}, ${at})
      on conflict (issuer, subject) do update set account_id = excluded.account_id,
        proof_digest = null, proof_until = null, proof_is_read_only = null`)
    await recordLoginChange(transaction, {
      ...{ login: { scope: 'customer', account_id: id }, source: 'cli', action: 'add_identity', now: added.now },
      ...{ before: null, after: { issuer, identity: added.subject } },
    })
  })
}

/** Removes every identity of an account, and ends its sessions. Returns how many there were. */
export function removeIdentities(database: Database, username: string, now: number): Promise<number> {
  return database.transaction(async (transaction) => {
    const id = await accountNamed(transaction, username)
    const deleted = await transaction.query<{ issuer: string; subject: string; is_proven: boolean }>(sql`
      delete from oidc_identities where account_id = ${id}
      returning issuer, subject, proof_digest is null as is_proven`)
    await endSessionsOf(transaction, id)
    const removed = deleted.filter(({ is_proven: isProven }) => isProven)
    for (const { issuer, subject } of removed) {
      await recordLoginChange(transaction, {
        ...{ login: { scope: 'customer', account_id: id }, source: 'cli', action: 'remove_identity', now },
        ...{ before: { issuer, identity: subject }, after: null },
      })
    }
    return removed.length
  })
}
