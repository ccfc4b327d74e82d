import sql from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'
import { digestTime, stormPeriod } from '../domain/notification/storm.ts'

interface StormRow {
  readonly account_id: number
  readonly condition_id: string
  readonly threshold: number
  /** Within the last minute. */
  readonly services: number
  readonly last_digest_at: number | null
}

/**
 * Makes the messages of `now` wait for each other in a storm: more services of their account report the same within a
 * minute than it wants separately. Call it after they were written, in the same transaction. Grouping, and channels
 * that take every message separately, are decided at the claim.
 */
export async function gatherStorms(transaction: Executor, serviceIds: readonly number[], now: number): Promise<void> {
  const storms = await readStorms(transaction, serviceIds, now)
  const gathered = storms.flatMap(({ account_id: accountId, condition_id: conditionId, threshold, ...facts }) => {
    const { services, last_digest_at: lastDigestAt } = facts
    const digestAt = digestTime({ threshold, services, lastDigestAt, now })
    return digestAt === null ? [] : [{ accountId, conditionId, digestAt: new Date(digestAt) }]
  })
  if (gathered.length === 0) return
  await transaction.execute(
    sql`
    update notification_intents as intent set digest_at = storm.digest_at
    from unnest(${gathered.map(({ accountId }) => accountId)}::int[], ${gathered.map(({ conditionId }) => conditionId)}::text[],
      ${gathered.map(({ digestAt }) => digestAt)}::timestamptz[]) as storm (account_id, condition_id, digest_at)
    where intent.service_id = any(${[...serviceIds]}::int[]) and intent.status = 'pending' and intent.created_at = ${new Date(now)}
      and intent.account_id = storm.account_id and intent.notification_condition_id = storm.condition_id
      and intent.attempts = 0 and intent.repeats is null`,
    'gather-storms',
  )
}

/** Only kinds of messages that were just written, of accounts that have a threshold, and more than that. */
async function readStorms(transaction: Executor, serviceIds: readonly number[], now: number): Promise<StormRow[]> {
  const [minute, before] = [new Date(now - stormPeriod), new Date(now - 2 * stormPeriod)]
  return transaction.query<StormRow>(
    sql`
    select counted.*, accounts.storm_threshold as threshold
    from (
      select account_id, notification_condition_id as condition_id, max(digest_at) as last_digest_at,
        (count(distinct service_id) filter (where created_at > ${minute}))::int as services
      from notification_intents
      where account_id = any(array(select distinct account_id from notification_intents
          where service_id = any(${[...serviceIds]}::int[]) and created_at = ${new Date(now)}))
        and created_at > ${before} and service_id <> 0 and repeats is null
        and notification_condition_id <> all('{test,confirmation,acknowledgement}')
      group by 1, 2) as counted
    join accounts on accounts.id = counted.account_id
    where services > storm_threshold`,
    'read-storms',
  )
}
