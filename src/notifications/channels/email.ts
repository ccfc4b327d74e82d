import { createHash } from 'node:crypto'
import MailComposer from 'nodemailer/lib/mail-composer'
import type { Channel, Message, Outcome, Progress } from '../channel.ts'
import { oneLine } from '../plain-text.ts'

/** A message in its final form. */
export interface Mail {
  readonly key: string
  readonly decidedAt: number
  readonly from: string
  readonly to: string
  readonly raw: Buffer
}

/** A server or the outbox. */
export interface MailSender {
  send(mail: Mail, progress: Progress): Promise<Outcome>
  close(): void
}

const emailChannelIds = ['email', 'email_short', 'email_extended', 'email_dedicated']

/** Every kind of e-mail. `from` is `Name <box@host>` or `box@host`. */
export function emailChannel(from: string, sender: MailSender): Channel {
  return {
    id: 'email',
    notificationChannelIds: emailChannelIds,
    concurrency: 4,
    async deliver(message, progress) {
      if (!isMailbox(message.address)) {
        const error = `${JSON.stringify(message.address)} is not an e-mail address`
        return { status: 'failed', permanent: true, error }
      }
      return sender.send(await composeMail(message, from), progress)
    },
    close: () => sender.close(),
  }
}

/** One mailbox without comments, quotes or lists: what cannot add a second recipient or a header. */
function isMailbox(address: string): boolean {
  return address.length <= 254 && /^[^\s\p{C}@<>()[\]\\,;:"]{1,64}@[^\s\p{C}@<>()[\]\\,;:"]+$/u.test(address)
}

/** The same message becomes the same bytes, so that a second try cannot be told from the first. */
export async function composeMail(message: Message, from: string): Promise<Mail> {
  const { attachment } = message
  const thread = messageId(message.threadKey, from)
  const composed = new MailComposer({
    from,
    to: { name: '', address: message.address },
    subject: oneLine(message.subject, 250),
    text: message.text,
    textEncoding: 'quoted-printable',
    date: new Date(message.decidedAt),
    messageId: messageId(message.key, from),
    inReplyTo: thread,
    references: thread,
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      'X-Latarnik-Service': String(message.serviceId),
      'X-Latarnik-Event': message.condition,
    },
    attachments: attachment === null ? [] : [{ filename: attachment.fileName, ...attachment }],
    baseBoundary: digest(message.key),
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile()
  const { from: sender, to } = composed.getEnvelope()
  const raw = await composed.build()
  return { key: message.key, decidedAt: message.decidedAt, from: sender || '', to: to[0] ?? message.address, raw }
}

function messageId(key: string, from: string): string {
  const host = /@([A-Za-z0-9.-]+)>?\s*$/.exec(from)?.[1] ?? 'localhost'
  return `<${digest(key)}@${host}>`
}

function digest(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 32)
}
