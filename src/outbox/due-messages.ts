import sql from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'

/**
 * One look for all workers of a process: whether a message, a notice for subscribers or a step of an escalation is due,
 * and when the next step is. A message that waits for another, or for its destination, counts as due.
 */
export async function dueMessages(executor: Executor, now: number): Promise<{ isDue: boolean; nextAt: number }> {
  const at = new Date(now)
  const escalation = sql`state = 'running' and exists (select from escalations where id = escalation_id)`
  const [found] = await executor.query<{ is_due: boolean; next_at: number | null }>(
    sql`
    select exists (select from notification_intents where status = 'pending' and next_attempt_at <= ${at})
      or exists (select from messages where status = 'pending' and next_attempt_at <= ${at})
      or exists (select from status_page_notices where not is_spread)
      or exists (select from status_page_incidents where next_notice_at <= ${at})
      or exists (select from escalation_statuses where next_at <= ${at} and ${escalation}) as is_due,
      (select next_at from escalation_statuses where next_at > ${at} and next_at < 'infinity' and ${escalation}
        order by next_at limit 1) as next_at`,
    'due-messages',
  )
  return { isDue: found?.is_due ?? false, nextAt: found?.next_at ?? Number.POSITIVE_INFINITY }
}
