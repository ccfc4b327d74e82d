import sql, { raw, type Sql } from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'
import { leaseDuration } from './intents.ts'
import type { ClaimRequest, Result } from './parcel.ts'

/** Tables of mails that are known by what they tell of and whom they tell it. */
export type MailTable = 'report_mails' | 'periodic_report_mails'

export interface ClaimedMail {
  readonly report_id: number
  readonly address: string
  readonly attempts: number
  readonly created_at: number
  /** End of the lease; with `attempts` it tells this claim from every other. */
  readonly next_attempt_at: number
  readonly handed_over_at: number | null
}

/** Parts of a `with` that take due mails for the length of a lease: `claimed` has the columns of `ClaimedMail`. */
export function claiming(table: MailTable, { now, heldBy, limit }: ClaimRequest): Sql {
  return sql`due as (
      select report_id, address from ${raw(table)} where status = 'pending' and next_attempt_at <= ${new Date(now)}
      order by next_attempt_at, report_id limit ${limit} for update skip locked
    ), claimed as (
      update ${raw(table)} as mail
      set next_attempt_at = ${new Date(now + leaseDuration)}, held_by = ${heldBy},
          attempts = mail.attempts + case when handed_over_at is null then 1 else 0 end
      from due where (mail.report_id, mail.address) = (due.report_id, due.address)
      returning mail.report_id, mail.address, mail.attempts, mail.created_at, mail.next_attempt_at, mail.handed_over_at
    )`
}

function isClaim(mail: ClaimedMail): Sql {
  return sql`report_id = ${mail.report_id} and address = ${mail.address} and status = 'pending'
    and attempts = ${mail.attempts} and next_attempt_at = ${new Date(mail.next_attempt_at)}`
}

/** The ends of a claim, as a parcel has them. */
export function endingOf(database: Executor, table: MailTable, mail: ClaimedMail) {
  return {
    async markHandedOver(now: number): Promise<boolean> {
      const marked = await database.execute(sql`
        update ${raw(table)} set handed_over_at = ${new Date(now)} where ${isClaim(mail)} and handed_over_at is null`)
      return marked === 1
    },
    async record({ status, subject, errorMessage, nextAttemptAt }: Result, now: number): Promise<boolean> {
      const recorded = await database.execute(sql`
        update ${raw(table)}
        set status = ${status}, subject = coalesce(${subject}, subject), error_message = ${errorMessage},
            next_attempt_at = ${nextAttemptAt === null ? null : new Date(nextAttemptAt)}, held_by = null,
            handed_over_at = case when ${status === 'sent'} then handed_over_at end,
            finished_at = ${status === 'pending' ? null : new Date(now)}
        where ${isClaim(mail)}`)
      return recorded === 1
    },
  }
}
