import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'

export interface ReceivedMail {
  readonly to: readonly string[]
  readonly raw: string
  readonly parsed: ParsedMail
}

/** The server's reaction to the next messages; a refusal is an SMTP reply such as `550 No such user`. */
export interface Manners {
  refuseRecipient?: ((address: string) => string | null | Promise<string | null>) | undefined
  refuseMessage?: (() => string | null) | undefined
  /** Awaited when a message has come whole, before the server answers. */
  beforeAnswer?: ((mail: ReceivedMail) => Promise<void>) | undefined
}

/** A real SMTP server on 127.0.0.1 that keeps what it accepts. */
export interface Mailbox {
  readonly url: string
  readonly port: number
  readonly mails: ReceivedMail[]
  readonly manners: Manners
  /** Connections opened so far. */
  connections(): number
  /** Ends every connection at once, as a dying server does. */
  cut(): void
  stop(): Promise<void>
}

function refusal(reply: string): Error {
  return Object.assign(new Error(reply.slice(4)), { responseCode: Number(reply.slice(0, 3)) })
}

export interface MailboxOptions {
  readonly port?: number
  readonly login?: { readonly user: string; readonly pass: string }
}

export async function startMailbox(options: MailboxOptions = {}): Promise<Mailbox> {
  const mails: ReceivedMail[] = []
  const manners: Manners = {}
  let connections = 0
  const { login } = options
  const server = new SMTPServer({
    authOptional: login === undefined,
    allowInsecureAuth: true,
    disabledCommands: login === undefined ? ['STARTTLS', 'AUTH'] : ['STARTTLS'],
    closeTimeout: 100,
    onConnect(_session, done) {
      connections += 1
      done()
    },
    onAuth(auth, _session, done) {
      if (auth.username === login?.user && auth.password === login?.pass) done(null, { user: auth.username })
      else done(refusal('535 Wrong credentials'))
    },
    onRcptTo({ address }, _session, done) {
      judge(address).then(() => done(), done)
    },
    onData(stream, session, done) {
      receive(stream, session).then(done, done)
    },
  })
  server.on('error', () => undefined)

  async function judge(address: string): Promise<void> {
    const reply = (await manners.refuseRecipient?.(address)) ?? null
    if (reply !== null) throw refusal(reply)
  }

  async function receive(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<null> {
    const chunks: Buffer[] = []
    for await (const chunk of stream) chunks.push(chunk as Buffer)
    const raw = Buffer.concat(chunks)
    const to = session.envelope.rcptTo.map(({ address }) => address)
    const mail = { to, raw: raw.toString('utf8'), parsed: await simpleParser(raw) }
    const reply = manners.refuseMessage?.() ?? null
    if (reply !== null) throw refusal(reply)
    mails.push(mail)
    await manners.beforeAnswer?.(mail)
    return null
  }

  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  const credentials = login === undefined ? '' : `${login.user}:${login.pass}@`
  return {
    url: `smtp://${credentials}127.0.0.1:${port}`,
    port,
    mails,
    manners,
    connections: () => connections,
    cut() {
      // The library's own list of open connections; closing one is what a crash of the server looks like.
      for (const connection of server.connections as Set<{ close(): void }>) connection.close()
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
