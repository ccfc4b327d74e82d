import sql from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'
import type { RoundReason } from '../domain/judging/schedule.ts'

/** When a service is checked next and why; null while its monitoring is stopped. */
export async function readNextRound(
  executor: Executor,
  serviceId: number,
): Promise<{ readonly due_at: number; readonly reason: RoundReason } | null> {
  const [found] = await executor.query<{ due_at: number; reason: RoundReason }>(
    sql`select due_at, reason from schedule where service_id = ${serviceId}`,
    'next_round',
  )
  return found === undefined || !Number.isFinite(found.due_at) ? null : found
}
