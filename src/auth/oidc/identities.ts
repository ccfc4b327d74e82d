import sql from 'sql-template-tag'
import type { Executor } from '../../database/connect.ts'
import type { AccountDefaults } from '../../domain/access/account-defaults.ts'
import { type Claims, displayNameOf, type OidcRule, usernameOf, verifiedEmail } from '../../domain/access/oidc-rules.ts'
import { languageIds } from '../../domain/dictionaries.ts'
import { isUsernameFree } from '../callers.ts'
import { createAccount } from '../create-account.ts'
import { recordLoginChange, recordNewAccount } from '../recorded-change.ts'
import { digestOf, newToken } from '../tokens.ts'

/** An identity of a provider, which has proven itself. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
  readonly claims: Claims
}

interface Linking {
  readonly rule: OidcRule
  readonly defaults: AccountDefaults
  /** The address that the browser comes from. */
  readonly ipAddress: string
  /** Unix milliseconds. */
  readonly now: number
}

/** The most tries to find a username that is free: `eva`, `eva-2`, `eva-3` … */
const usernameTries = 20

async function knownAccount(transaction: Executor, { issuer, subject }: Identity): Promise<number | null> {
  const [known] = await transaction.query<{ account_id: number }>(sql`
    select account_id from oidc_identities
    where issuer = ${issuer} and subject = ${subject} and proof_digest is null for update`)
  return known?.account_id ?? null
}

interface Candidate {
  readonly id: number
  readonly username: string
  readonly has_password: boolean
  readonly is_linked: boolean
}

/**
 * The one account that the rule links with; null for none. An account that only another identity
 * opens is none: whoever has that identity may have chosen the address. Neither is one that a stranger may have made:
 * a registration that nobody activated, and a dependent account whose invitation nobody accepted. Another invitation
 * counts only where no account is in use.
 */
async function sameAccount(
  transaction: Executor,
  { claims }: Identity,
  { link_by: by }: OidcRule,
): Promise<Candidate | 'several' | null> {
  const email = verifiedEmail(claims)
  const username = claims['preferred_username']
  const condition =
    by === 'email' && email !== null
      ? sql`exists (select from user_data u where u.id = a.id and lower(u.email_address) = lower(${email}))`
      : by === 'username' && typeof username === 'string'
        ? sql`lower(a.username) = lower(${username})`
        : null
  if (condition === null) return null
  // First those in use, because strangers may make many that are not; of them those that can be linked.
  const [found, second] = await transaction.query<Candidate>(sql`
    select * from (
      select a.id, a.username, a.password_hash is not null as has_password, a.maker_account_id,
        exists (select from oidc_identities i where i.account_id = a.id and i.proof_digest is null) as is_linked
      from accounts a where a.is_activated and ${condition}
    ) candidate where has_password or is_linked or maker_account_id is null
    order by has_password desc, is_linked desc, id limit 2`)
  if (found === undefined) return null
  // All that are in use are of other identities.
  if (!found.has_password && found.is_linked) return null
  const isInUse = (one: Candidate) => one.has_password || one.is_linked
  return second !== undefined && isInUse(second) === isInUse(found) ? 'several' : found
}

async function freeUsername(transaction: Executor, wanted: string): Promise<string | null> {
  for (let number = 1; number <= usernameTries; number++) {
    const candidate = number === 1 ? wanted : `${wanted}-${number}`
    if (await isUsernameFree(transaction, candidate)) return candidate
  }
  return null
}

interface Place {
  readonly package_id: number
  readonly distribution_id: number
  readonly parent_id: number | null
}

/** The package and the parent of a new account; null: the rule names what is not there. */
async function placeOf(transaction: Executor, create: NonNullable<OidcRule['create']>): Promise<Place | null> {
  const statement =
    'package_id' in create
      ? sql`select id as package_id, distribution_id, null::integer as parent_id from packages
          where id = ${create.package_id} and not is_for_sub_accounts`
      : sql`select p.id as package_id, p.distribution_id, a.id as parent_id
          from accounts a join packages p on p.distribution_id = a.distribution_id and p.is_for_sub_accounts
          where lower(a.username) = lower(${create.sub_account_of}) and a.parent_account_id is null order by p.id limit 1`
  return (await transaction.query<Place>(statement))[0] ?? null
}

async function newAccount(transaction: Executor, { claims }: Identity, { rule, defaults, ipAddress, now }: Linking) {
  const wanted = usernameOf(claims)
  if (rule.create === null || wanted === null) return null
  const place = await placeOf(transaction, rule.create)
  const username = place === null ? null : await freeUsername(transaction, wanted)
  if (place === null || username === null) return null
  const { locale } = claims
  const language = languageIds.find((id) => typeof locale === 'string' && locale.toLowerCase().startsWith(id))
  const id = await createAccount(transaction, {
    distributionId: place.distribution_id,
    packageId: place.package_id,
    parentAccountId: place.parent_id,
    username,
    name: displayNameOf(claims, username),
    emailAddress: verifiedEmail(claims) ?? '',
    passwordHash: null,
    languageId: language ?? defaults.languageId,
    timeZoneId: defaults.timeZoneId,
    canShareGroups: place.parent_id === null,
    // A provider vouches for a person, not for those whom the person would let in.
    canCreateSubaccounts: false,
    isReadOnly: place.parent_id !== null && rule.is_read_only === true,
    now,
  })
  await recordNewAccount(transaction, id, { source: 'console', ipAddress, now })
  return id
}

/** The time for proving an account after the provider, in milliseconds. */
const proofTime = 600_000

/** An account that an identity would be linked with, once the person has proven that it is theirs. */
export interface Unproven {
  readonly username: string
  /** The secret of this browser. */
  readonly token: string
}

interface Link {
  readonly id: number
  readonly identity: Identity
  readonly linking: Linking
  /** Null: nothing is left to prove. */
  readonly token: string | null
}

async function link(transaction: Executor, { id, identity, linking, token }: Link): Promise<void> {
  const at = new Date(linking.now)
  const digest = token === null ? null : digestOf(token)
  const until = token === null ? null : new Date(linking.now + proofTime)
  await transaction.execute(sql`
    insert into oidc_identities (issuer, subject, account_id, created_at, last_login_at, proof_digest, proof_until,
      proof_is_read_only)
    values (${identity.issuer}, ${identity.subject}, ${id}, ${at}, ${at}, ${digest}, ${until},
      ${token === null ? null : linking.rule.is_read_only})
    on conflict (issuer, subject) do update set account_id = excluded.account_id,
      last_login_at = excluded.last_login_at, proof_digest = excluded.proof_digest,
      proof_until = excluded.proof_until, proof_is_read_only = excluded.proof_is_read_only`)
}

/** Where and when somebody logged in. */
type Origin = Pick<Linking, 'ipAddress' | 'now'>

const loginOf = (accountId: number) => ({ scope: 'customer', account_id: accountId }) as const

/** A rule takes the right to write from sub-accounts alone. */
async function limit(
  transaction: Executor,
  accountId: number,
  { isReadOnly, ...origin }: Origin & { readonly isReadOnly: boolean | null },
): Promise<void> {
  if (isReadOnly === null) return
  const changed = await transaction.execute(sql`
    update accounts set is_read_only = ${isReadOnly}
    where id = ${accountId} and parent_account_id is not null and is_read_only <> ${isReadOnly}`)
  if (changed === 0) return
  await recordLoginChange(transaction, {
    ...{ ...origin, login: loginOf(accountId), source: 'console', action: 'update' },
    ...{ before: { is_read_only: !isReadOnly }, after: { is_read_only: isReadOnly } },
  })
}

function recordLink(
  transaction: Executor,
  accountId: number,
  { issuer, subject, ...origin }: Origin & Pick<Identity, 'issuer' | 'subject'>,
): Promise<void> {
  return recordLoginChange(transaction, {
    ...{ ...origin, login: loginOf(accountId), byAccountId: accountId, source: 'console', action: 'add_identity' },
    ...{ before: null, after: { issuer, identity: subject } },
  })
}

/**
 * The account of the identity: the one it was linked with, else one that the rule links or makes. One with a password
 * must be proven first, because its owner writes its e-mail address unproven. Null: none. `several`: only the operator
 * can say which (`addIdentity`). Call it in a transaction.
 */
export async function accountOf(
  transaction: Executor,
  identity: Identity,
  linking: Linking,
): Promise<number | Unproven | 'several' | null> {
  const { issuer, subject } = identity
  // Two logins of one identity at once must not make two accounts.
  await transaction.execute(sql`select pg_advisory_xact_lock(hashtext(${issuer}), hashtext(${subject}))`)
  const known = await knownAccount(transaction, identity)
  const same = known === null ? await sameAccount(transaction, identity, linking.rule) : null
  if (same !== null && same !== 'several' && same.has_password) {
    const token = newToken()
    await link(transaction, { id: same.id, identity, linking, token })
    return { username: same.username, token }
  }
  if (same === 'several') return 'several'
  const id = known ?? same?.id ?? (await newAccount(transaction, identity, linking))
  if (id === null) return null
  await link(transaction, { id, identity, linking, token: null })
  const { ipAddress, now } = linking
  if (known === null) await recordLink(transaction, id, { issuer, subject, ipAddress, now })
  await limit(transaction, id, { isReadOnly: linking.rule.is_read_only, ipAddress, now })
  return id
}

/** Links the identity that waits for this proof; false: none waits for this account. Call it in a transaction. */
export async function proveAccount(
  transaction: Executor,
  proven: { readonly token: string; readonly accountId: number } & Origin,
): Promise<boolean> {
  const { token, accountId, ...origin } = proven
  const { now } = origin
  const waiting = sql`proof_digest = ${digestOf(token)} and account_id = ${accountId} and proof_until > ${new Date(now)}`
  const [found] = await transaction.query<Pick<Identity, 'issuer' | 'subject'> & { isReadOnly: boolean | null }>(sql`
    select issuer, subject, proof_is_read_only as "isReadOnly" from oidc_identities where ${waiting} for update`)
  if (found === undefined) return false
  await transaction.execute(
    sql`update oidc_identities set proof_digest = null, proof_until = null, proof_is_read_only = null where ${waiting}`,
  )
  const { issuer, subject, isReadOnly } = found
  await recordLink(transaction, accountId, { issuer, subject, ...origin })
  await limit(transaction, accountId, { isReadOnly, ...origin })
  return true
}
