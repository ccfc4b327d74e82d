import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql, { raw } from 'sql-template-tag'
import type { ConfiguredGateway } from '../../src/channels/declare.ts'
import type { Transport } from '../../src/channels/delivery.ts'
import { mailGateway } from '../../src/channels/email/email.ts'
import type { Database } from '../../src/database/connect.ts'
import type { NotifierLog } from '../../src/notifications/notifier-log.ts'
import {
  type Notifier,
  type NotifierOptions,
  startDeliveryWorkers,
  startNotifier,
} from '../../src/notifications/start.ts'
import { testDatabase } from '../support/database.ts'
import { givenIntent, givenReader, type IntentRow, type IntentValues, intentRows } from '../support/intents.ts'
import { type Mailbox, startMailbox } from '../support/mailbox.ts'
import { failureAt } from '../support/notices.ts'

export interface LogLine {
  readonly level: 'info' | 'warn' | 'error'
  readonly text: string
}

/** A database, a mail server, a clock that stands still, and the notifiers that a test starts. */
interface Ways {
  readonly smtpUrl?: string | undefined
  readonly beside?: readonly ConfiguredGateway[]
}

export interface World {
  readonly database: Database
  readonly databaseUrl: string
  readonly mailbox: Mailbox
  readonly outboxDirectory: string
  readonly lines: LogLine[]
  readonly now: () => number
  /** Milliseconds. */
  advance(by: number): void
  /** `beside`: the gateways beside mail. */
  notifier(changes?: Partial<Omit<NotifierOptions, 'mail' | 'gateways'>> & Ways): Promise<Notifier>
  /** A notifier with other channels. */
  workers(channels: readonly Transport[]): Promise<Notifier>
  intent(values?: Partial<IntentValues>): Promise<void>
  rows(): Promise<IntentRow[]>
  /** An account whose holder reads letters at `emailAddress`. */
  holder(emailAddress: string, languageId?: string): Promise<number>
  /** Empties the tables, the mailbox and the log, stops the notifiers. */
  reset(): Promise<void>
  close(): Promise<void>
}

export async function newWorld(): Promise<World> {
  const { database, url, drop } = await testDatabase()
  const mailbox = await startMailbox()
  const outboxDirectory = await mkdtemp(join(tmpdir(), 'outbox-'))
  const lines: LogLine[] = []
  const log: NotifierLog = {
    info: (_facts, text) => void lines.push({ level: 'info', text }),
    warn: (_facts, text) => void lines.push({ level: 'warn', text }),
    error: (_facts, text) => void lines.push({ level: 'error', text }),
  }
  const notifiers: Notifier[] = []
  const polishReader = await givenReader(database)
  let now = failureAt + 2000

  const usual = {
    database,
    clock: { now: () => now },
    log,
    diagnose: () => ({ name: 'Połączenie odrzucone', diagnosis: 'Nikt nie słucha.' }),
    publicUrl: 'https://watch.example.com',
  }

  function remembered(notifier: Notifier): Notifier {
    notifiers.push(notifier)
    return notifier
  }

  async function stopNotifiers() {
    await Promise.all(notifiers.splice(0).map((notifier) => notifier.stop()))
  }
  return {
    database,
    databaseUrl: url,
    mailbox,
    outboxDirectory,
    lines,
    now: () => now,
    advance(by) {
      now += by
    },
    async notifier({ smtpUrl = mailbox.url, beside = [], ...changes } = {}) {
      const mail = { smtpUrl, from: 'Latarnik <latarnik@example.com>', outboxDirectory }
      return remembered(await startNotifier({ ...usual, mail, gateways: [mailGateway(mail), ...beside], ...changes }))
    },
    workers: async (channels) => remembered(await startDeliveryWorkers(usual, channels)),
    intent: (values = {}) => givenIntent(database, { accountId: polishReader, createdAt: now, ...values }),
    rows: () => intentRows(database),
    async holder(emailAddress, languageId) {
      const id = await givenReader(database, languageId)
      await database.execute(sql`insert into user_data (id, email_address) values (${id}, ${emailAddress})`)
      return id
    },
    async reset() {
      await stopNotifiers()
      for (const table of ['notification_intents', 'messages', 'account_tokens', 'failing_gateways']) {
        await database.execute(raw(`delete from ${table}`))
      }
      mailbox.mails.length = 0
      lines.length = 0
      mailbox.manners.refuseRecipient = undefined
      mailbox.manners.refuseMessage = undefined
      mailbox.manners.beforeAnswer = undefined
    },
    async close() {
      await stopNotifiers()
      await mailbox.stop()
      await drop()
      await rm(outboxDirectory, { recursive: true, force: true })
    },
  }
}
