import sql, { type Sql } from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'
import { lockKeys } from '../database/locks.ts'
import type { Caller, CallersKey, SharedGroup } from '../domain/access/caller.ts'
import { timeZoneName } from '../domain/calendars/time-zones.ts'

/** Somebody who may log in, an account or an administrator, with the facts that decide it. */
export interface Login {
  readonly scope: 'customer' | 'administrator'
  readonly account_id: number
  readonly username: string
  readonly password_hash: string | null
  readonly is_activated: boolean
  /** Also true if the parent account is blocked. */
  readonly is_blocked: boolean
  readonly has_2fa_enabled: boolean
  readonly is_2fa_setup_required: boolean
  readonly ip_whitelist_enabled: boolean
  readonly ip_whitelist: readonly string[]
  readonly parent_account_id: number | null
  readonly distribution_id: number | null
  readonly package_id: number | null
  readonly language_id: string
  readonly time_zone_id: string
  readonly is_read_only: boolean
  readonly can_share_groups: boolean
  readonly can_create_subaccounts: boolean
  readonly default_group_id: number | null
  readonly shares: readonly SharedGroup[]
}

/**
 * A group counts as shared with a sub-account if it is shared with it or with its parent; the flags of both are united.
 */
const shares = sql`coalesce((
  select jsonb_agg(to_jsonb(united)) from (
    select group_id,
      bool_or(can_modify_group) as can_modify_group,
      bool_or(can_modify_services) as can_modify_services,
      bool_or(can_create_services) as can_create_services,
      bool_or(can_delete_services) as can_delete_services,
      bool_or(can_archive_services) as can_archive_services,
      bool_or(can_force_analyses) as can_force_analyses
    from shares where account_id in (a.id, a.parent_account_id) group by group_id order by group_id
  ) united
), '[]')`

function customers(condition: Sql): Sql {
  return sql`
    select 'customer' as scope, a.id as account_id, a.username, a.password_hash, a.is_activated,
      a.is_blocked or coalesce(p.is_blocked, false) as is_blocked,
      coalesce(u.has_2fa_enabled, false) as has_2fa_enabled, a.is_2fa_setup_required,
      coalesce(u.ip_whitelist_enabled, false) as ip_whitelist_enabled,
      coalesce(u.ip_whitelist, '{}') as ip_whitelist,
      a.parent_account_id, null::integer as distribution_id, a.package_id, a.language_id,
      coalesce(p.time_zone_id, a.time_zone_id) as time_zone_id, a.is_read_only, a.can_share_groups,
      a.can_create_subaccounts and a.parent_account_id is null as can_create_subaccounts,
      (select g.id from groups g where g.owner_id = a.id and g.is_default) as default_group_id,
      ${shares} as shares
    from accounts a
    left join accounts p on p.id = a.parent_account_id
    left join user_data u on u.id = a.id
    where ${condition}`
}

function administrators(condition: Sql): Sql {
  return sql`
    select 'administrator', a.id, a.username, a.password_hash, true, false, false, false, false, '{}'::text[], null::integer,
      a.distribution_id, null::integer, 'en', 'utc', false, false, false, null::integer, '[]'::jsonb
    from administrators a
    where ${condition}`
}

/** The logins whose `a` (an account or an administrator) meets the condition. */
export function loginsWhere(condition: Sql): Sql {
  return sql`${customers(condition)} union all ${administrators(condition)}`
}

/** The scope follows from the username, which belongs to an account or to an administrator, never to both. */
export async function findLogin(executor: Executor, username: string): Promise<Login | undefined> {
  const statement = loginsWhere(sql`lower(a.username) = lower(${username})`)
  return (await executor.query<Login>(statement, 'login_by_username'))[0]
}

/** The login of a known account or administrator; undefined if it is gone. */
export async function findLoginOf(
  executor: Executor,
  { scope, account_id }: Pick<Caller, 'scope' | 'account_id'>,
): Promise<Login | undefined> {
  const logins = await executor.query<Login>(loginsWhere(sql`a.id = ${account_id}`), 'login_by_id')
  return logins.find((login) => login.scope === scope)
}

/**
 * True if neither an account nor an administrator has the username in any case. In a transaction nobody else can take
 * it before the end, because no unique index spans both tables.
 */
export async function isUsernameFree(executor: Executor, username: string): Promise<boolean> {
  await executor.execute(sql`select pg_advisory_xact_lock(${lockKeys.usernames}, hashtext(lower(${username})))`)
  const taken = await executor.query(sql`
    select 1 from accounts where lower(username) = lower(${username})
    union all select 1 from administrators where lower(username) = lower(${username}) limit 1`)
  return taken.length === 0
}

export function callerOf(
  login: Login,
  session: { readonly id: string; readonly manager_id: number | null } | null,
  key: CallersKey | null = null,
): Caller {
  const accountId = login.account_id
  const parentId = login.parent_account_id
  return {
    scope: login.scope,
    account_id: accountId,
    primary_account_id: parentId ?? accountId,
    account_ids: parentId === null ? [accountId] : [accountId, parentId],
    username: login.username,
    is_read_only: login.is_read_only,
    is_sub_account: parentId !== null,
    must_set_up_second_factor: login.is_2fa_setup_required && !login.has_2fa_enabled,
    can_share_groups: login.can_share_groups,
    can_create_subaccounts: login.can_create_subaccounts,
    shares: login.shares,
    distribution_id: login.distribution_id,
    manager_id: session?.manager_id ?? null,
    default_group_id: login.default_group_id,
    package_id: login.package_id,
    language_id: login.language_id,
    time_zone_id: timeZoneName(login.time_zone_id) ?? 'UTC',
    session_id: session?.id ?? null,
    key,
  }
}
