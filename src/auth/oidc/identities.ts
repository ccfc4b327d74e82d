import sql from 'sql-template-tag'
import type { Executor } from '../../database/connect.ts'
import type { AccountDefaults } from '../../domain/account-defaults.ts'
import { languageIds } from '../../domain/dictionaries.ts'
import { type Claims, displayNameOf, type OidcRule, usernameOf, verifiedEmail } from '../../domain/oidc-rules.ts'
import { isUsernameFree } from '../callers.ts'
import { createAccount } from '../create-account.ts'

/** An identity of a provider, which has proven itself. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
  readonly claims: Claims
}

interface Linking {
  readonly rule: OidcRule
  readonly defaults: AccountDefaults
  /** Unix milliseconds. */
  readonly now: number
}

/** The most tries to find a username that is free: `eva`, `eva-2`, `eva-3` … */
const usernameTries = 20

async function knownAccount(transaction: Executor, { issuer, subject }: Identity): Promise<number | null> {
  const [known] = await transaction.query<{ account_id: number }>(sql`
    select account_id from oidc_identities where issuer = ${issuer} and subject = ${subject} for update`)
  return known?.account_id ?? null
}

/** The one account that the rule links with; null for none, and for several. */
async function sameAccount(
  transaction: Executor,
  { claims }: Identity,
  { link_by: by }: OidcRule,
): Promise<number | null> {
  const email = verifiedEmail(claims)
  const username = claims['preferred_username']
  const condition =
    by === 'email' && email !== null
      ? sql`exists (select from user_data u where u.id = a.id and lower(u.email_address) = lower(${email}))`
      : by === 'username' && typeof username === 'string'
        ? sql`lower(a.username) = lower(${username})`
        : null
  if (condition === null) return null
  const found = await transaction.query<{ id: number }>(sql`select a.id from accounts a where ${condition} limit 2`)
  return found.length === 1 ? (found[0]?.id ?? null) : null
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

async function newAccount(transaction: Executor, { claims }: Identity, { rule, defaults, now }: Linking) {
  const wanted = usernameOf(claims)
  if (rule.create === null || wanted === null) return null
  const place = await placeOf(transaction, rule.create)
  const username = place === null ? null : await freeUsername(transaction, wanted)
  if (place === null || username === null) return null
  const { locale } = claims
  const language = languageIds.find((id) => typeof locale === 'string' && locale.toLowerCase().startsWith(id))
  return createAccount(transaction, {
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
    canCreateSubaccounts: place.parent_id === null,
    isReadOnly: rule.is_read_only ?? false,
    now,
  })
}

/**
 * The account of the identity: the one it was linked with, else one that the rule links or makes. Null: none. Call it
 * in a transaction.
 */
export async function accountOf(transaction: Executor, identity: Identity, linking: Linking): Promise<number | null> {
  const { issuer, subject } = identity
  // Two logins of one identity at once must not make two accounts.
  await transaction.execute(sql`select pg_advisory_xact_lock(hashtext(${issuer}), hashtext(${subject}))`)
  const known = await knownAccount(transaction, identity)
  const id =
    known ??
    (await sameAccount(transaction, identity, linking.rule)) ??
    (await newAccount(transaction, identity, linking))
  if (id === null) return null
  const at = new Date(linking.now)
  await transaction.execute(sql`
    insert into oidc_identities (issuer, subject, account_id, created_at, last_login_at)
    values (${issuer}, ${subject}, ${id}, ${at}, ${at})
    on conflict (issuer, subject) do update set last_login_at = excluded.last_login_at`)
  const { is_read_only: isReadOnly } = linking.rule
  if (isReadOnly !== null)
    await transaction.execute(sql`update accounts set is_read_only = ${isReadOnly} where id = ${id}`)
  return id
}
