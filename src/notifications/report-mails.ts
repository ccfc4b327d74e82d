import sql from 'sql-template-tag'
import type { MailContent, Mailer } from '../channels/email/mail.ts'
import { lettersGateway } from '../channels/index.ts'
import type { Database, Executor } from '../database/connect.ts'
import { readReportFile } from '../database/reports/reports.ts'
import { timeZoneName } from '../domain/calendars/time-zones.ts'
import { reportFileNames } from '../domain/reports/report-file.ts'
import type { ClaimRequest } from '../outbox/claims.ts'
import { type ClaimedMessage, claiming, endingOf } from '../outbox/messages.ts'
import { fill } from '../wording/fill.ts'
import { languageOf } from '../wording/language.ts'
import { formatMoment } from '../wording/moments.ts'
import { catalogues } from '../wording/texts.ts'
import { type ClaimMessages, type OutboxMessage, refusedUnasked } from './outbox-message.ts'

interface ReportMail extends ClaimedMessage {
  readonly report_id: number
  readonly name: string
  readonly from_time: number
  readonly to_time: number
  /** Null when the account is gone. */
  readonly language_id: string | null
  readonly time_zone_id: string | null
}

/** Finished reports to the addresses that their templates name. */
export function reportMailsBy(database: Database, mailer: Mailer): ClaimMessages {
  return async (request) => {
    const mails = await claimMails(database, request)
    return mails.map((mail) => outboxMessageOf(database, mailer, mail))
  }
}

function claimMails(database: Executor, request: ClaimRequest): Promise<ReportMail[]> {
  return database.query<ReportMail>(sql`
    with ${claiming('report', request)}
    select claimed.id, claimed.report_id, claimed.address, claimed.attempts, claimed.created_at, claimed.next_attempt_at, claimed.handed_over_at, reports.name, reports.from_time, reports.to_time, owner.language_id, owner.time_zone_id
    from claimed join reports on reports.id = claimed.report_id left join accounts owner on owner.id = reports.owner_id`)
}

function outboxMessageOf(database: Database, mailer: Mailer, mail: ReportMail): OutboxMessage {
  return {
    what: 'report',
    channel: lettersGateway.id,
    analysis: null,
    identity: { report_id: mail.report_id, address: mail.address },
    attempts: mail.attempts,
    createdAt: mail.created_at,
    handedOverAt: mail.handed_over_at,
    async send(progress) {
      const pdf = await readReportFile(database, mail.report_id, 'pdf')
      if (pdf === null) return refusedUnasked('The report no longer exists')
      const content = contentOf(mail, pdf)
      return { subject: content.subject, outcome: await mailer.send(content, progress) }
    },
    ...endingOf(database, mail),
  }
}

function contentOf(mail: ReportMail, pdf: Buffer): MailContent {
  const { subject, text } = catalogues[languageOf(mail.language_id)].reports.mail
  const zone = timeZoneName(mail.time_zone_id ?? '') ?? 'UTC'
  const minute = (at: number) => formatMoment(at, zone).slice(0, 16)
  const { report_id: id, name, from_time: fromAt, to_time: toAt } = mail
  const facts = { name, from: minute(fromAt), to: minute(toAt), zone }
  const fileName = reportFileNames({ id, name, fromAt, toAt }, zone, 'pdf').full
  return {
    subject: fill([subject], facts),
    text: `${fill([text], facts)}\n`,
    attachment: { fileName, contentType: 'application/pdf', content: pdf },
    key: `report-${mail.report_id}-${mail.address}`,
    thread: null,
    address: mail.address,
    decidedAt: mail.created_at,
    headers: { 'X-Latarnik-Report': String(mail.report_id) },
  }
}
