import { pino } from 'pino'
import type { Database } from '../../src/database/connect.ts'
import type { Clock } from '../../src/domain/clock.ts'
import { startNotifier } from '../../src/notifications/start.ts'
import type { Mailbox } from '../support/mailbox.ts'

/** Delivers whatever mail is due. */
export async function sendMails(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  mailbox: Mailbox,
): Promise<void> {
  const notifier = await startNotifier({
    ...{ database, clock, publicUrl: 'http://a.test', diagnose: () => null },
    mail: { smtpUrl: mailbox.url, from: 'Latarnik <watch@example.com>', outboxDirectory: '' },
    log: pino({ level: 'silent' }),
  })
  await notifier.drain()
  await notifier.stop()
}
