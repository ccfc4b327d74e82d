import sql from 'sql-template-tag'
import type { Database } from '../../src/database/connect.ts'
import type { ReceivedMail } from '../support/mailbox.ts'

interface SentRow {
  readonly service_id: number
  readonly condition: string
  readonly confirmed: number
  readonly unconfirmed: number
  readonly open: number
}

/**
 * Mails against the log: one for each notice that was sent, none beside them. Of a notice whose hand-over was cut off by a
 * kill nobody knows whether it arrived: at most one.
 */
export async function wrongMails(database: Database, mails: readonly ReceivedMail[]): Promise<string[]> {
  const faults: string[] = []
  const arrived = new Map<string, number>()
  const messageIds = new Set<string>()
  for (const { parsed } of mails) {
    const id = parsed.messageId ?? ''
    if (messageIds.has(id)) faults.push(`the mail ${id} came twice: ${parsed.subject}`)
    messageIds.add(id)
    const key = `${parsed.headers.get('x-latarnik-service')} ${parsed.headers.get('x-latarnik-event')}`
    arrived.set(key, (arrived.get(key) ?? 0) + 1)
  }
  const rows = await database.query<SentRow>(sql`
    select service_id, notification_condition_id as condition, count(*) filter (where status = 'sent' and error_message is null) as confirmed,
      count(*) filter (where status = 'sent' and error_message is not null) as unconfirmed, count(*) filter (where status <> 'sent') as open
    from notification_intents group by 1, 2`)
  for (const { service_id, condition, confirmed, unconfirmed, open } of rows) {
    const key = `${service_id} ${condition}`
    const count = arrived.get(key) ?? 0
    arrived.delete(key)
    const isRight = count >= confirmed && count <= confirmed + unconfirmed && open === 0
    if (!isRight) faults.push(`${key}: ${count} mails, ${confirmed} sent, ${unconfirmed} unconfirmed, ${open} not sent`)
  }
  for (const [key, count] of arrived) faults.push(`${key}: ${count} mails of notices that nobody knows`)
  return faults
}
