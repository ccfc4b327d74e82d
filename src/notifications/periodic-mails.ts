import sql from 'sql-template-tag'
import type { MailContent, Mailer } from '../channels/email/mail.ts'
import { lettersGateway } from '../channels/index.ts'
import type { Database, Executor } from '../database/connect.ts'
import type { PeriodicFacts } from '../domain/reports/periodic-report.ts'
import type { ClaimRequest } from '../outbox/claims.ts'
import { type ClaimedMessage, claiming, endingOf } from '../outbox/messages.ts'
import { languageOf } from '../wording/language.ts'
import type { ClaimMessages, OutboxMessage } from './outbox-message.ts'
import { periodHtml } from './periodic-html.ts'
import { periodText, wordPeriod } from './periodic-text.ts'

interface PeriodicMail extends ClaimedMessage {
  readonly periodic_report_id: number
  readonly facts: PeriodicFacts
  /** The language of the group's owner. */
  readonly language_id: string | null
}

/** The older reports of groups to their addresses. */
export function periodicMailsBy(database: Database, mailer: Mailer): ClaimMessages {
  return async (request) => {
    const mails = await claimMails(database, request)
    return mails.map((mail) => outboxMessageOf(database, mailer, mail))
  }
}

function claimMails(database: Executor, request: ClaimRequest): Promise<PeriodicMail[]> {
  return database.query<PeriodicMail>(sql`
    with ${claiming('periodic_report', request)}
    select claimed.id, claimed.periodic_report_id, claimed.address, claimed.attempts, claimed.created_at, claimed.next_attempt_at, claimed.handed_over_at, report.facts, owner.language_id
    from claimed join periodic_reports report on report.id = claimed.periodic_report_id
    join groups g on g.id = report.group_id join accounts owner on owner.id = g.owner_id`)
}

function outboxMessageOf(database: Database, mailer: Mailer, mail: PeriodicMail): OutboxMessage {
  return {
    what: 'periodic_report',
    channel: lettersGateway.id,
    analysis: null,
    identity: { periodic_report_id: mail.periodic_report_id, address: mail.address },
    attempts: mail.attempts,
    createdAt: mail.created_at,
    handedOverAt: mail.handed_over_at,
    async send(progress) {
      const content = contentOf(mail)
      return { subject: content.subject, outcome: await mailer.send(content, progress) }
    },
    ...endingOf(database, mail),
  }
}

function contentOf({ periodic_report_id, address, created_at, facts, language_id }: PeriodicMail): MailContent {
  const worded = wordPeriod(facts, languageOf(language_id))
  return {
    subject: worded.subject,
    text: periodText(worded),
    html: periodHtml(worded),
    attachment: null,
    key: `periodic-report-${periodic_report_id}-${address}`,
    thread: { kind: 'series', key: `periodic-reports-${facts.group.id}-${facts.frequency}` },
    address,
    decidedAt: created_at,
    headers: { 'X-Latarnik-Group': String(facts.group.id) },
  }
}
