import { Readable } from 'node:stream'
import { parseConnectionUrl } from 'nodemailer/lib/shared'
import SMTPConnection, { type SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection'
import type { Outcome, Progress } from '../channel.ts'
import type { Mail, SendMail } from './email.ts'

/** Milliseconds. Together less than a lease (deliver.ts). */
export interface SmtpTimeouts {
  readonly connection: number
  readonly greeting: number
  /** Silence of the server at any later point. */
  readonly silence: number
  /** From dialling to the end of the message, before it is handed over. */
  readonly untilHandOver: number
}

const usualTimeouts: SmtpTimeouts = { connection: 15_000, greeting: 20_000, silence: 40_000, untilHandOver: 60_000 }

/** `smtp://user:password@host:port` (STARTTLS where offered) or `smtps://…`; one connection per message. */
export function smtpServer(url: string, timeouts: SmtpTimeouts = usualTimeouts): SendMail {
  const { auth, host, port, secure, tls, ...more } = parseConnectionUrl(url)
  const options: SMTPConnectionOptions = {
    ...more,
    host,
    port,
    secure,
    tls,
    connectionTimeout: timeouts.connection,
    greetingTimeout: timeouts.greeting,
    socketTimeout: timeouts.silence,
    socketCloseTimeout: 1000,
  }
  return async (mail, progress) => {
    const session: Session = { connection: new SMTPConnection(options), handOver: 'before' }
    const timer = setTimeout(() => {
      if (session.handOver === 'before') session.connection.close()
    }, timeouts.untilHandOver)
    try {
      await converse(session, mail, progress, auth)
      return { status: 'sent' }
    } catch (error) {
      return outcomeOf(error, session.handOver === 'done')
    } finally {
      clearTimeout(timer)
      session.connection.close()
    }
  }
}

interface Session {
  readonly connection: SMTPConnection
  handOver: 'before' | 'asked' | 'done'
}

type Login = ReturnType<typeof parseConnectionUrl>['auth']

async function converse(session: Session, mail: Mail, progress: Progress, login: Login): Promise<void> {
  const { connection } = session
  const broken = new Promise<never>((_, reject) => {
    connection.on('error', reject)
    // Some ends come without any other word; where there is one, it comes before the next turn of the loop.
    connection.once('end', () => setImmediate(() => reject(new Error('The connection to the mail server ended'))))
  })
  const whole = async () => {
    await settled((done) => connection.connect(done))
    if (login?.user !== undefined) {
      const { user, pass } = login
      await settled((done) => connection.login({ user, pass }, done))
    }
    const content = Readable.from(heldBack(session, mail.raw, progress), { objectMode: false })
    const envelope = { from: mail.from, to: [mail.to], size: mail.raw.length }
    await settled((done) => connection.send(envelope, content, done))
  }
  await Promise.race([whole(), broken])
}

function settled(start: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => start((error) => (error ? reject(error) : resolve())))
}

/** The final dot is the point of no return: it leaves only after the hand-over is on record. */
async function* heldBack(session: Session, raw: Buffer, progress: Progress): AsyncGenerator<Buffer> {
  yield raw
  session.handOver = 'asked'
  await progress.handOver()
  session.handOver = 'done'
}

interface SmtpFailure {
  readonly message: string
  readonly code: unknown
  readonly command: unknown
  /** Of the server's reply; absent when there was none. */
  readonly status: number | undefined
}

function failureOf(error: unknown): SmtpFailure {
  const message = error instanceof Error ? error.message : String(error)
  const { code, command, responseCode } = error as { code?: unknown; command?: unknown; responseCode?: unknown }
  return { message, code, command, status: typeof responseCode === 'number' ? responseCode : undefined }
}

function outcomeOf(error: unknown, isHandedOver: boolean): Outcome {
  const failure = failureOf(error)
  if (isHandedOver && failure.status === undefined) {
    return { status: 'unconfirmed', error: `The mail server's answer was not seen: ${failure.message}` }
  }
  return { status: 'failed', permanent: isPermanent(failure), error: failure.message }
}

/**
 * Only what speaks of this address or this message. A refused login, sender or relay (5.7.x) is the operator's to mend,
 * and waits for it.
 */
function isPermanent({ code, command, status, message }: SmtpFailure): boolean {
  if (status === undefined) return command === 'API' && code === 'EENVELOPE'
  if (status < 500) return false
  if (command === 'RCPT TO') return !/\b5\.7\.\d/.test(message)
  return command === 'DATA' && code === 'EMESSAGE'
}
