import { isMailbox } from '../../domain/notification/mailbox.ts'
import { oneLine } from '../../domain/text/one-line.ts'
import { type DeliveryOutcome, type Progress, refused, type Transport } from '../delivery.ts'
import { digest } from '../digest.ts'
import { type Picture, pictureId, type Wording } from '../wording.ts'

/** A message in its final form. */
export interface Mail {
  readonly key: string
  readonly decidedAt: number
  readonly from: string
  readonly to: string
  readonly raw: Buffer
}

/** A server, or the outbox directory. */
export interface MailSender {
  /** True: messages become files on this machine. */
  readonly isOutbox?: boolean
  send(mail: Mail, progress: Progress): Promise<DeliveryOutcome>
  close(): void
}

const emailTransportIds = ['email', 'email_short', 'email_extended', 'email_dedicated']

/**
 * The place of a mail in a conversation. `series`: one of many mails, none of which is the first, under a key that all
 * of them have.
 */
export type MailThread =
  | { readonly kind: 'first' | 'answer' | 'series'; readonly key: string }
  /** The Message-ID of the mail that it answers. */
  | { readonly kind: 'answer'; readonly messageId: string }

/** The content of any mail. */
export interface MailContent extends Wording {
  /** The same for the same row, however often it is tried. */
  readonly key: string
  /** Null: it stands alone. */
  readonly thread: MailThread | null
  readonly address: string
  readonly decidedAt: number
  readonly headers: Readonly<Record<string, string>>
  /** The same content as the text, for programs that show HTML. */
  readonly html?: string
}

export interface Mailer {
  /** Never rejects for a failing server. The reference of a mail that was sent is its Message-ID. */
  send(content: MailContent, progress: Progress): Promise<DeliveryOutcome>
}

/** `from` is `Name <box@host>` or `box@host`. */
export function mailer(from: string, sender: MailSender): Mailer {
  return {
    async send(content, progress) {
      if (!isMailbox(content.address)) return refused(`${JSON.stringify(content.address)} is not an e-mail address`)
      const outcome = await sender.send(await composeMail(content, from), progress)
      return outcome.status === 'sent' ? { ...outcome, reference: messageIdOf(content, from) } : outcome
    },
  }
}

/** The usual limit of servers that count connections. */
export const usualConnections = 10

const onlyKept =
  'No mail server is configured (SMTP_URL): the message was written to a file in the outbox of the server and went no further'

/** All kinds of e-mail about services. */
export function emailTransport(from: string, sender: MailSender, connections = usualConnections): Transport {
  const { send } = mailer(from, sender)
  return {
    id: 'email',
    notificationChannelIds: emailTransportIds,
    concurrency: connections,
    async deliver(message, progress) {
      const { serviceId, condition, answers } = message
      const headers = {
        ...(serviceId === null ? {} : { 'X-Latarnik-Service': String(serviceId) }),
        'X-Latarnik-Event': condition,
      }
      const thread = message.isOfSeries ? ({ kind: 'series', key: message.threadKey } as const) : null
      const answering = answers === undefined ? thread : ({ kind: 'answer', messageId: answers } as const)
      const outcome = await send({ ...message, thread: answering, headers }, progress)
      // A user who tests an address would wait for a mail that never leaves this machine.
      const wasOnlyKept = outcome.status === 'sent' && condition === 'test' && sender.isOutbox === true
      return wasOnlyKept ? { status: 'unconfirmed', error: onlyKept } : outcome
    },
    close: () => sender.close(),
  }
}

/** The same message becomes the same bytes, so a retry cannot be told from the first try. */
async function composeMail(content: MailContent, from: string): Promise<Mail> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const composed = new MailComposer({
    from,
    to: { name: '', address: content.address },
    subject: oneLine(content.subject, 250),
    text: content.text,
    ...(content.html === undefined ? {} : { html: content.html }),
    textEncoding: 'quoted-printable',
    date: new Date(content.decidedAt),
    messageId: messageIdOf(content, from),
    ...threadHeaders(content.thread, from),
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      ...content.headers,
    },
    attachments: attachmentsOf(content),
    baseBoundary: digest(content.key),
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile()
  const { from: sender, to } = composed.getEnvelope()
  const raw = await composed.build()
  return { key: content.key, decidedAt: content.decidedAt, from: sender || '', to: to[0] ?? content.address, raw }
}

function attachmentsOf({ attachment, picture }: MailContent) {
  return [
    ...(attachment === null ? [] : [{ filename: attachment.fileName, ...attachment }]),
    ...(picture === undefined ? [] : [{ ...picture, filename: pictureName(picture), ...inline }]),
  ]
}

const inline = { cid: pictureId, contentDisposition: 'inline' } as const

/** `screenshot.png`; only letters of the type are used. */
function pictureName({ contentType }: Picture): string {
  return `screenshot.${/^image\/([a-z]{2,5})$/.exec(contentType)?.[1] ?? 'bin'}`
}

function messageIdOf({ key, thread }: MailContent, from: string): string {
  return messageId(thread?.kind === 'first' ? thread.key : key, from)
}

/** Mail programs gather what refers to the same message. Only an answer is in reply to one. */
function threadHeaders(thread: MailThread | null, from: string) {
  if (thread === null || thread.kind === 'first') return {}
  const references = 'messageId' in thread ? thread.messageId : messageId(thread.key, from)
  return thread.kind === 'answer' ? { references, inReplyTo: references } : { references }
}

function messageId(key: string, from: string): string {
  const host = /@([A-Za-z0-9.-]+)>?\s*$/.exec(from)?.[1] ?? 'localhost'
  return `<${digest(key)}@${host}>`
}
