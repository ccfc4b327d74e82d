import { hostname } from 'node:os'
import { type MailConfig, mailSender } from '../channels/email/email.ts'
import { type MailSender, mailer } from '../channels/email/mail.ts'
import { hourLength } from '../domain/calendars/durations.ts'
import type { Clock } from '../domain/clock.ts'
import type { AdministratorContact, DiskLetterKind } from '../domain/notification/letter.ts'
import { errorText } from '../domain/text/error-text.ts'
import { wordDiskLetter } from './letter-text.ts'

export interface DiskLetterOptions {
  readonly mail: MailConfig
  readonly administratorContact: AdministratorContact
  readonly clock: Clock
  readonly log: { warn(facts: object, text: string): void }
  /** By default that of `mail`. */
  readonly open?: () => MailSender
}

/** No second outage is told within this time: a disk may be nearly full for hours. Milliseconds. */
const quietTime = hourLength

/** Nothing can be stored before it is sent. */
const unstored = { handOver: () => Promise.resolve() }

/**
 * Tells the administrator that the disk of the database is full, and that it has room again. Other letters wait in the
 * database, which cannot take one now: these go to the mail server at once, from each process that records rounds.
 */
export function diskLetters(options: DiskLetterOptions): (isFull: boolean) => Promise<void> {
  const { mail, administratorContact: contact, clock, log, open = () => mailSender(mail) } = options
  let sinceAt: number | null = null
  let toldAt = Number.NEGATIVE_INFINITY

  async function send(kind: DiskLetterKind, fullAt: number): Promise<void> {
    const now = clock.now()
    const returnedAt = kind === 'disk_full' ? null : now
    const facts = { sinceAt: fullAt, returnedAt, machine: hostname(), process: process.pid }
    const wording = wordDiskLetter(kind, facts, contact.language)
    const sender = open()
    try {
      for (const address of contact.addresses) {
        const key = `${kind} ${hostname()} ${process.pid} ${fullAt} ${address}`
        const content = { ...wording, key, thread: null, address, decidedAt: now, headers: {} }
        const outcome = await mailer(mail.from, sender).send(content, unstored)
        if (outcome.status !== 'sent') log.warn({ kind, ...outcome }, 'The mail about the full disk was not sent')
      }
    } catch (error) {
      log.warn({ kind, error: errorText(error) }, 'The mail about the full disk was not sent')
    } finally {
      sender.close()
    }
  }

  return async (isFull) => {
    const now = clock.now()
    if (isFull && sinceAt === null && now - toldAt >= quietTime) {
      sinceAt = now
      toldAt = now
      await send('disk_full', now)
    } else if (!isFull && sinceAt !== null) {
      const fullAt = sinceAt
      sinceAt = null
      await send('disk_has_room', fullAt)
    }
  }
}
