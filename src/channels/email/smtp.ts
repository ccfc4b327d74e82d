import { Readable } from 'node:stream'
import { parseConnectionUrl } from 'nodemailer/lib/shared'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection'
import type { DeliveryOutcome, Progress } from '../delivery.ts'
import type { Mail, MailSender } from './mail.ts'
import { failureOf, outcomeOf } from './smtp-failure.ts'

/** Milliseconds. Together less than a lease (intents.ts). */
export interface SmtpTimeouts {
  readonly connection: number
  readonly greeting: number
  /** The longest silence of the server at any later point. */
  readonly silence: number
  /** From dialling to the end of the message, before it is handed over. */
  readonly untilHandOver: number
}

const usualTimeouts: SmtpTimeouts = { connection: 15_000, greeting: 20_000, silence: 40_000, untilHandOver: 60_000 }

/**
 * Milliseconds that a connection waits for another message. An outage brings many at once, and servers greet slowly.
 */
const idleTime = 3000
const messagesPerLine = 50

/** One connection, logged in. */
interface Line {
  readonly connection: SMTPConnection
  /** Rejects if the connection is lost. */
  readonly broken: Promise<never>
  messages: number
}

type Login = ReturnType<typeof parseConnectionUrl>['auth']

/** `smtp://user:password@host:port` (STARTTLS if offered) or `smtps://…`. */
export function smtpServer(url: string, timeouts: SmtpTimeouts = usualTimeouts): MailSender {
  const { auth, ...address } = parseConnectionUrl(url)
  const options: SMTPConnectionOptions = {
    ...address,
    connectionTimeout: timeouts.connection,
    greetingTimeout: timeouts.greeting,
    socketTimeout: timeouts.silence,
    socketCloseTimeout: 1000,
  }
  const idle = newIdleLines()

  async function sendOver(line: Line, mail: Mail, progress: Progress): Promise<DeliveryOutcome> {
    const attempt: Attempt = { handOver: 'before' }
    const timer = setTimeout(() => {
      if (attempt.handOver === 'before') line.connection.close()
    }, timeouts.untilHandOver)
    const isReused = line.messages > 0
    try {
      if (!isReused) await open(line, auth)
      await transmit(line, mail, attempt, progress)
      idle.keep(line)
      return { status: 'sent' }
    } catch (error) {
      line.connection.close()
      const failure = failureOf(error)
      const wasStale = isReused && attempt.handOver === 'before' && failure.status === undefined
      return wasStale
        ? sendOver(await newLine(options), mail, progress)
        : outcomeOf(failure, attempt.handOver === 'done')
    } finally {
      clearTimeout(timer)
    }
  }
  return {
    send: async (mail, progress) => sendOver(idle.take() ?? (await newLine(options)), mail, progress),
    close: idle.close,
  }
}

/** Connects and logs in without sending anything. Rejects with the reason. */
export async function trySmtp(url: string): Promise<void> {
  const { auth, ...address } = parseConnectionUrl(url)
  const line = await newLine({ ...address, connectionTimeout: 5000, greetingTimeout: 5000, socketTimeout: 5000 })
  try {
    await open(line, auth)
  } finally {
    line.connection.close()
  }
}

async function newLine(options: SMTPConnectionOptions): Promise<Line> {
  const { default: Connection } = await import('nodemailer/lib/smtp-connection')
  const connection = new Connection(options)
  const broken = new Promise<never>((_, reject) => {
    connection.on('error', reject)
    // Some ends come without an error; if there is one, it comes before the next turn of the loop.
    connection.once('end', () => setImmediate(() => reject(new Error('The connection to the mail server ended'))))
  })
  // Each message races with it and gets its error; between messages nobody needs it.
  broken.catch(() => undefined)
  return { connection, broken, messages: 0 }
}

function newIdleLines() {
  const lines = new Map<Line, NodeJS.Timeout>()

  function remove(line: Line): void {
    clearTimeout(lines.get(line))
    lines.delete(line)
  }
  return {
    take(): Line | undefined {
      for (const line of lines.keys()) {
        remove(line)
        if (!line.connection.destroyed) return line
      }
      return undefined
    },
    keep(line: Line): void {
      if (line.messages >= messagesPerLine) {
        line.connection.close()
        return
      }
      const timer = setTimeout(() => {
        remove(line)
        line.connection.close()
      }, idleTime)
      lines.set(line, timer)
    },
    close(): void {
      for (const line of lines.keys()) {
        remove(line)
        line.connection.close()
      }
    },
  }
}

async function open({ connection, broken }: Line, login: Login): Promise<void> {
  await Promise.race([settled((done) => connection.connect(done)), broken])
  if (login?.user === undefined) return
  const { user, pass } = login
  await Promise.race([settled((done) => connection.login({ user, pass }, done)), broken])
}

interface Attempt {
  handOver: 'before' | 'asked' | 'done'
}

async function transmit(line: Line, mail: Mail, attempt: Attempt, progress: Progress): Promise<void> {
  line.messages += 1
  const content = Readable.from(heldBack(mail.raw, attempt, progress), { objectMode: false })
  const envelope = { from: mail.from, to: [mail.to], size: mail.raw.length }
  await Promise.race([settled((done) => line.connection.send(envelope, content, done)), line.broken])
}

function settled(start: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => start((error) => (error ? reject(error) : resolve())))
}

/** The final dot is the point of no return, so it leaves only after the hand-over is stored. */
async function* heldBack(raw: Buffer, attempt: Attempt, progress: Progress): AsyncGenerator<Buffer> {
  yield raw
  attempt.handOver = 'asked'
  await progress.handOver()
  attempt.handOver = 'done'
}
