import sql from 'sql-template-tag'
import type { State } from '../../domain/judging/status-change.ts'
import type { Executor } from '../connect.ts'

/** The service behind a badge. */
export interface BadgeRow {
  readonly id: number
  readonly state: State | null
  readonly valid_until: number | null
  /** Empty: the service works well, or not at all. */
  readonly degraded_reasons: readonly string[]
  /** Milliseconds. */
  readonly last_response_time: number | null
  readonly owner_id: number
}

export async function readBadge(executor: Executor, token: string): Promise<BadgeRow | undefined> {
  const [found] = await executor.query<BadgeRow>(
    sql`select s.id, s.owner_id, ss.state, ss.valid_until, ss.degraded_reasons, ss.last_response_time
      from services s join service_statuses ss on ss.service_id = s.id
        join accounts owner on owner.id = s.owner_id left join accounts parent on parent.id = owner.parent_account_id
      where s.badge_token = ${token} and not s.is_archived and not owner.is_blocked
        and not coalesce(parent.is_blocked, false)`,
    'badge',
  )
  return found
}

/** The tokens of all badges. */
export async function readBadgeTokens(executor: Executor): Promise<readonly string[]> {
  const rows = await executor.query<{ badge_token: string }>(
    sql`select badge_token from services where badge_token is not null`,
    'badge-tokens',
  )
  return rows.map(({ badge_token: token }) => token)
}

export async function readLanguage(executor: Executor, accountId: number): Promise<string | undefined> {
  const [found] = await executor.query<{ language_id: string }>(
    sql`select language_id from accounts where id = ${accountId}`,
    'badge-language',
  )
  return found?.language_id
}
