import sql, { type Sql } from 'sql-template-tag'
import type { Database, Executor } from '../database/connect.ts'
import { readReportFile } from '../database/reports.ts'
import { timeZoneName } from '../domain/time-zones.ts'
import { fill } from '../wording/fill.ts'
import { languageOf } from '../wording/language.ts'
import { formatMoment } from '../wording/moments.ts'
import { catalogues } from '../wording/texts.ts'
import type { MailContent, Mailer } from './channels/email.ts'
import { leaseDuration } from './intents.ts'
import { type Claim, type Parcel, type Result, refused } from './parcel.ts'

interface ClaimedMail {
  readonly report_id: number
  readonly address: string
  readonly attempts: number
  readonly created_at: number
  /** End of the lease; with `attempts` it tells this claim from every other. */
  readonly next_attempt_at: number
  readonly handed_over_at: number | null
  readonly name: string
  readonly from_time: number
  readonly to_time: number
  /** Null when the account is gone. */
  readonly language_id: string | null
  readonly time_zone_id: string | null
}

/** Finished reports to the addresses that their templates name. */
export function reportMailsBy(database: Database, mailer: Mailer): Claim {
  return async (now, limit) => {
    const mails = await claimMails(database, now, limit)
    return mails.map((mail) => parcelOf(database, mailer, mail))
  }
}

function claimMails(database: Executor, now: number, limit: number): Promise<ClaimedMail[]> {
  return database.query<ClaimedMail>(sql`
    with due as (
      select report_id, address from report_mails where status = 'pending' and next_attempt_at <= ${new Date(now)}
      order by next_attempt_at, report_id limit ${limit} for update skip locked
    )
    update report_mails as mail
    set next_attempt_at = ${new Date(now + leaseDuration)},
        attempts = mail.attempts + case when handed_over_at is null then 1 else 0 end
    from due join reports on reports.id = due.report_id
    where (mail.report_id, mail.address) = (due.report_id, due.address)
    returning mail.report_id, mail.address, mail.attempts, mail.created_at, mail.next_attempt_at, mail.handed_over_at,
      reports.name, reports.from_time, reports.to_time,
      (select language_id from accounts where accounts.id = reports.owner_id) as language_id,
      (select time_zone_id from accounts where accounts.id = reports.owner_id) as time_zone_id`)
}

function parcelOf(database: Database, mailer: Mailer, mail: ClaimedMail): Parcel {
  return {
    what: 'report',
    channel: 'email',
    analysis: null,
    identity: { report_id: mail.report_id, address: mail.address },
    attempts: mail.attempts,
    createdAt: mail.created_at,
    handedOverAt: mail.handed_over_at,
    async send(progress) {
      const pdf = await readReportFile(database, mail.report_id, 'pdf')
      if (pdf === null) return { subject: null, outcome: refused('The report no longer exists') }
      const content = contentOf(mail, pdf)
      return { subject: content.subject, outcome: await mailer.send(content, progress) }
    },
    markHandedOver: (at) => markHandedOver(database, mail, at),
    record: (result, at) => recordResult(database, mail, result, at),
  }
}

function contentOf(mail: ClaimedMail, pdf: Buffer): MailContent {
  const { subject, text } = catalogues[languageOf(mail.language_id)].reports.mail
  const zone = timeZoneName(mail.time_zone_id ?? '') ?? 'UTC'
  const minute = (at: number) => formatMoment(at, zone).slice(0, 16)
  const facts = { name: mail.name, from: minute(mail.from_time), to: minute(mail.to_time), zone }
  return {
    subject: fill([subject], facts),
    text: `${fill([text], facts)}\n`,
    attachment: { fileName: `report-${mail.report_id}.pdf`, contentType: 'application/pdf', content: pdf },
    key: `report-${mail.report_id}-${mail.address}`,
    threadKey: null,
    address: mail.address,
    decidedAt: mail.created_at,
    headers: { 'X-Latarnik-Report': String(mail.report_id) },
  }
}

function isClaim(mail: ClaimedMail): Sql {
  return sql`report_id = ${mail.report_id} and address = ${mail.address} and status = 'pending'
    and attempts = ${mail.attempts} and next_attempt_at = ${new Date(mail.next_attempt_at)}`
}

async function markHandedOver(database: Executor, mail: ClaimedMail, now: number): Promise<boolean> {
  const marked = await database.execute(sql`
    update report_mails set handed_over_at = ${new Date(now)} where ${isClaim(mail)} and handed_over_at is null`)
  return marked === 1
}

async function recordResult(database: Executor, mail: ClaimedMail, result: Result, now: number): Promise<boolean> {
  const { status, subject, errorMessage, nextAttemptAt } = result
  const recorded = await database.execute(sql`
    update report_mails
    set status = ${status}, subject = coalesce(${subject}, subject), error_message = ${errorMessage},
        next_attempt_at = ${nextAttemptAt === null ? null : new Date(nextAttemptAt)},
        handed_over_at = case when ${status === 'sent'} then handed_over_at end,
        finished_at = ${status === 'pending' ? null : new Date(now)}
    where ${isClaim(mail)}`)
  return recorded === 1
}
