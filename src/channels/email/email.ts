import { join } from 'node:path'
import { mailboxOf, mailboxPattern } from '../../domain/notification/mailbox.ts'
import type { ElementText } from '../../wording/catalogue.ts'
import type { Language } from '../../wording/language.ts'
import {
  type Channel,
  type ConfiguredGateway,
  type Connection,
  type GatewayMachine,
  gateway,
  type Style,
  type ValuesOf,
} from '../declare.ts'
import { emlFiles } from './eml-files.ts'
import { emailTransport, type MailSender } from './mail.ts'
import { smtpServer } from './smtp.ts'
import { mailVariables } from './variables.ts'

/** A channel of e-mail; two spellings of one mailbox are one destination. */
function kind(id: string, style: Style, words: Readonly<Record<Language, ElementText>>): Channel {
  return {
    id,
    words,
    style,
    isUsual: true,
    address: { pattern: mailboxPattern, expected: 'email_address', destination: mailboxOf },
  }
}

/** The configuration of outgoing mail. */
export interface MailConfig {
  /** Undefined: mails become files on this machine. */
  readonly smtpUrl?: string | undefined
  readonly from: string
  /** The directory of those files. */
  readonly outboxDirectory: string
  /** The largest number of mails in progress at once. */
  readonly connections?: number
}

export function mailConfig(
  { SMTP_URL, MAIL_FROM, SMTP_CONNECTIONS }: ValuesOf<typeof mailVariables>,
  { dataDirectory }: GatewayMachine,
): MailConfig {
  return Object.freeze({
    smtpUrl: SMTP_URL,
    from: MAIL_FROM,
    outboxDirectory: join(dataDirectory, 'outbox'),
    connections: SMTP_CONNECTIONS,
  })
}

export function mailSender({ smtpUrl, outboxDirectory }: MailConfig): MailSender {
  return smtpUrl === undefined ? emlFiles(outboxDirectory) : smtpServer(smtpUrl)
}

function connectMail(mail: MailConfig): Connection {
  const { smtpUrl, from, outboxDirectory, connections } = mail
  return {
    goesTo: smtpUrl === undefined ? outboxDirectory : new URL(smtpUrl).host,
    settings: mail,
    open: () => emailTransport(from, mailSender(mail), connections),
  }
}

/** A gateway for mail, for a program without other gateways. */
export function mailGateway(mail: MailConfig): ConfiguredGateway {
  const { id, name, needs } = email
  return { id, name, needs, connection: connectMail(mail), perMinute: undefined }
}

export const email = gateway({
  id: 'email',
  name: 'E-mail',
  channels: [
    kind('email', 'page', {
      en: { name: 'E-mail', description: 'A readable message.' },
      pl: { name: 'E-mail', description: 'Czytelna wiadomość.' },
    }),
    kind('email_short', 'line', {
      en: { name: 'E-mail, short', description: 'One line, for pagers and small screens.' },
      pl: { name: 'E-mail, krótki', description: 'Jeden wiersz, na pagery i małe ekrany.' },
    }),
    kind('email_extended', 'illustrated', {
      en: { name: 'E-mail, extended', description: 'Every check, its diagnosis and links to what was kept.' },
      pl: {
        name: 'E-mail, rozszerzony',
        description: 'Każde sprawdzenie, jego diagnoza i odnośniki do zachowanych danych.',
      },
    }),
    kind('email_dedicated', 'data', {
      en: { name: 'E-mail, for programs', description: 'The same facts with JSON attached.' },
      pl: { name: 'E-mail, dla programów', description: 'Te same dane z załączonym plikiem JSON.' },
    }),
  ],
  variables: mailVariables,
  needs: 'SMTP_URL',
  connect: (values, machine) => connectMail(mailConfig(values, machine)),
  perMinute: ({ SMTP_RATE }) => SMTP_RATE,
})
