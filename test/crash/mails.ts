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
 * Compares mails with the log: one for each sent message, and no others. If a kill interrupted a hand-over, nobody
 * knows whether the message arrived: at most one.
 */
export async function wrongMails(database: Database, mails: readonly ReceivedMail[]): Promise<string[]> {
  const faults: string[] = []
  const messageIds = new Set<string>()
  const arrived = new Map<string, number>()
  const letters: string[] = []
  for (const { parsed, to } of mails) {
    const id = parsed.messageId ?? ''
    if (messageIds.has(id)) faults.push(`the mail ${id} came twice: ${parsed.subject}`)
    messageIds.add(id)
    if (!parsed.headers.has('x-latarnik-service')) {
      letters.push(to.join())
      continue
    }
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
  return [...faults, ...(await wrongLetters(database, letters))]
}

/** Each account got one invitation, to an address of its own. The letters of removed accounts are not kept. */
async function wrongLetters(database: Database, arrived: readonly string[]): Promise<string[]> {
  const rows = await database.query<{ address: string; status: string; error_message: string | null }>(
    sql`select address, status, error_message from messages where account_id in (select id from accounts)`,
  )
  const missing = rows.filter(({ address, status, error_message }) => {
    const isExpected = status === 'sent' && error_message === null
    return status !== 'sent' || (isExpected && !arrived.includes(address))
  })
  return [
    ...missing.map((row) => `letter ${JSON.stringify(row)} did not arrive`),
    ...arrived
      .filter((address, index) => arrived.indexOf(address) < index)
      .map((address) => `two letters to ${address}`),
  ]
}
