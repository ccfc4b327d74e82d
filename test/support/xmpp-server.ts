import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { type Element, escapeXML } from 'ltx'
import type { JabberAccount } from '../../src/channels/jabber/login.ts'
import { type IssuedCertificate, selfSigned } from '../../src/demo/targets/certificates.ts'
import { scramServer } from './scram.ts'
import { readStream } from './xmpp-stream.ts'

export interface ChatMessage {
  readonly id: string
  readonly to: string
  readonly body: string
}

/** The server's reaction to the next streams and messages. */
export interface XmppManners {
  /** It says nothing at all. */
  isSilent?: boolean
  /** Said in place of its features and of every answer. */
  says?: string | undefined
  /** `wait/resource-constraint`: the type and the condition of its refusal; null takes it. */
  refuse?: ((message: ChatMessage) => string | null) | undefined
  /** The fate of the ping that follows a message. Usually it is answered. */
  ping?: 'answered' | 'unknown' | 'ignored' | 'cut'
}

export interface XmppServerOptions {
  /** None: it offers no TLS. */
  readonly certificate?: IssuedCertificate
  readonly mechanisms?: readonly ('PLAIN' | 'SCRAM-SHA-1')[]
}

/** A real XMPP server on 127.0.0.1 that keeps the messages it takes. */
export interface TestXmppServer {
  readonly account: JabberAccount
  readonly messages: ChatMessage[]
  readonly manners: XmppManners
  /** How each login was made: the mechanism, and whether the connection was encrypted. */
  readonly logins: string[]
  readonly connections: Set<Socket>
  stop(): Promise<void>
}

const domain = 'localhost'
const credentials = { username: 'latarnik', password: 'p&ss "wörd' }
const namespaces = {
  tls: 'urn:ietf:params:xml:ns:xmpp-tls',
  sasl: 'urn:ietf:params:xml:ns:xmpp-sasl',
  bind: 'urn:ietf:params:xml:ns:xmpp-bind',
  stanzas: 'urn:ietf:params:xml:ns:xmpp-stanzas',
}

export function serverCertificate(): IssuedCertificate {
  return selfSigned({ names: [domain] })
}

interface Shared {
  readonly options: Required<Pick<XmppServerOptions, 'mechanisms'>> & XmppServerOptions
  readonly messages: ChatMessage[]
  readonly manners: XmppManners
  readonly logins: string[]
}

/** One client, from its first byte to its last. */
class Conversation {
  readonly #shared: Shared
  #socket: Socket
  #stopReading: () => void = () => undefined
  #scram = scramServer(credentials.username, credentials.password)
  #isLoggedIn = false

  constructor(shared: Shared, socket: Socket) {
    this.#shared = shared
    this.#socket = socket
    this.#listen()
  }

  #listen(): void {
    this.#stopReading = readStream(this.#socket, {
      opened: () => this.#greet(),
      said: (element) => this.#answer(element),
      closed: () => this.#socket.end('</stream:stream>'),
    })
  }

  get #isSecure(): boolean {
    return this.#socket instanceof TLSSocket
  }

  #write(xml: string): void {
    const { isSilent, says } = this.#shared.manners
    if (isSilent !== true && this.#socket.writable) this.#socket.write(says ?? xml)
  }

  #greet(): void {
    const { certificate, mechanisms } = this.#shared.options
    const offersTls = certificate !== undefined && !this.#isSecure
    const names = mechanisms.map((name) => `<mechanism>${name}</mechanism>`).join('')
    const features = this.#isLoggedIn
      ? `<bind xmlns='${namespaces.bind}'/>`
      : offersTls
        ? `<starttls xmlns='${namespaces.tls}'><required/></starttls>`
        : `<mechanisms xmlns='${namespaces.sasl}'>${names}</mechanisms>`
    this.#write(
      `<?xml version='1.0'?><stream:stream from='${domain}' id='s' version='1.0' xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'><stream:features>${features}</stream:features>`,
    )
  }

  #answer(element: Element): void {
    if (element.is('starttls')) this.#secure()
    else if (element.is('auth')) this.#begin(element)
    else if (element.is('response')) this.#finish(element)
    else if (!this.#isLoggedIn) this.#fail()
    else if (element.is('iq')) this.#answerQuestion(element)
    else if (element.is('message')) this.#take(element)
  }

  #secure(): void {
    const { certificate } = this.#shared.options
    if (certificate === undefined) throw new Error('TLS was not offered')
    this.#stopReading()
    this.#write(`<proceed xmlns='${namespaces.tls}'/>`)
    const plain = this.#socket
    this.#socket = new TLSSocket(plain, { isServer: true, cert: certificate.cert, key: certificate.key })
    this.#socket.on('error', () => plain.destroy())
    this.#listen()
  }

  #begin(element: Element): void {
    const mechanism = element.attrs['mechanism'] ?? ''
    const said = Buffer.from(element.getText(), 'base64').toString('utf8')
    this.#shared.logins.push(`${mechanism} ${this.#isSecure ? 'encrypted' : 'in clear'}`)
    if (mechanism === 'SCRAM-SHA-1') {
      const challenge = Buffer.from(this.#scram.challenge(said)).toString('base64')
      this.#write(`<challenge xmlns='${namespaces.sasl}'>${challenge}</challenge>`)
    } else if (said === `\0${credentials.username}\0${credentials.password}`) this.#succeed('')
    else this.#fail()
  }

  #finish(element: Element): void {
    const signature = this.#scram.finish(Buffer.from(element.getText(), 'base64').toString('utf8'))
    if (signature === null) this.#fail()
    else this.#succeed(Buffer.from(signature).toString('base64'))
  }

  #succeed(said: string): void {
    this.#isLoggedIn = true
    this.#write(`<success xmlns='${namespaces.sasl}'>${said}</success>`)
    this.#stopReading()
    this.#listen()
  }

  #fail(): void {
    this.#write(`<failure xmlns='${namespaces.sasl}'><not-authorized/></failure>`)
  }

  #answerQuestion(element: Element): void {
    const id = escapeXML(element.attrs['id'] ?? '')
    const jid = `${credentials.username}@${domain}/latarnik`
    const unavailable = `<error type='cancel'><service-unavailable xmlns='${namespaces.stanzas}'/></error>`
    const { ping = 'answered' } = this.#shared.manners
    if (element.getChild('bind') !== undefined) {
      this.#write(`<iq type='result' id='${id}'><bind xmlns='${namespaces.bind}'><jid>${jid}</jid></bind></iq>`)
    } else if (ping === 'answered') this.#write(`<iq type='result' id='${id}'/>`)
    else if (ping === 'unknown') this.#write(`<iq type='error' id='${id}'>${unavailable}</iq>`)
    else if (ping === 'cut') this.#socket.destroy()
  }

  #take(element: Element): void {
    const { id = '', to = '' } = element.attrs
    const message = { id, to, body: element.getChildText('body') ?? '' }
    const refusal = this.#shared.manners.refuse?.(message) ?? null
    if (refusal === null) this.#shared.messages.push(message)
    else this.#refuse(message, refusal.split('/'))
  }

  #refuse({ id, to }: ChatMessage, [type, condition]: readonly string[]): void {
    this.#write(
      `<message type='error' id='${escapeXML(id)}' from='${escapeXML(to)}'><error type='${type}'><${condition} xmlns='${namespaces.stanzas}'/></error></message>`,
    )
  }
}

export async function startXmppServer(options: XmppServerOptions = {}): Promise<TestXmppServer> {
  const shared: Shared = {
    options: { mechanisms: ['SCRAM-SHA-1', 'PLAIN'], ...options },
    ...{ messages: [], manners: {}, logins: [] },
  }
  const connections = new Set<Socket>()
  const server = createServer((socket) => {
    connections.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => connections.delete(socket))
    new Conversation(shared, socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { messages, manners, logins } = shared
  return {
    account: {
      ...{ host: '127.0.0.1', port: (server.address() as AddressInfo).port, isTls: false },
      ...{ domain, ...credentials, isTlsRequired: options.certificate !== undefined },
    },
    ...{ messages, manners, logins, connections },
    async stop() {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      for (const socket of connections) socket.destroy()
      await closed
    },
  }
}
