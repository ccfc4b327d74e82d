import type { Msg, NatsConnection, NodeConnectionOptions } from '@nats-io/transport-node'
import type { Clock } from '../domain/clock.ts'
import { errorText } from '../domain/text/error-text.ts'
import type { LogFacts, LogLevel } from '../sensor/messages.ts'
import type { Carrier, CarrierListener } from './carrier.ts'
import { longestSealBytes, Seal } from './seal.ts'

export interface NatsCarrierOptions {
  /** `nats://` or `tls://`, with user and password or a token; several are servers of one cluster. */
  readonly servers: readonly string[]
  /** Separates cores that share a server. */
  readonly core: string
  /** Without this key nobody can read or send messages. */
  readonly coreKey: Buffer
  readonly clock: Clock
  readonly log: (level: LogLevel, message: string, facts?: LogFacts) => void
}

/** Differs from the prefix of versions without encryption, which would take unreadable messages for their own fault. */
const prefix = 'latarnik-sealed'
const usualMs = 20
const leastBytes = 64 * 1024
const connectionMs = 5000
const firstPauseMs = 500
const longestPauseMs = 5000
const pingMs = 2000

/** Uses plain subjects, and nothing is stored: a process misses messages from the time of its absence. */
export class NatsCarrier implements Carrier {
  readonly name = 'nats'
  readonly isSettled = true
  readonly usualMs = usualMs
  readonly #options: NatsCarrierOptions
  #processId = ''
  #listener: CarrierListener | null = null
  #seal: Seal | null = null
  #connection: NatsConnection | null = null
  #isUp = false
  #isAwayTold = false
  #isStopped = false
  #pause: NodeJS.Timeout | null = null

  constructor(options: NatsCarrierOptions) {
    this.#options = options
  }

  get isUp(): boolean {
    return this.#isUp
  }

  get longestBytes(): number {
    return Math.max(leastBytes, this.#connection?.info?.max_payload ?? leastBytes) - longestSealBytes
  }

  async start(processId: string, listener: CarrierListener): Promise<void> {
    this.#processId = processId
    this.#listener = listener
    const { coreKey, clock } = this.#options
    this.#seal = new Seal({ coreKey, me: processId, clock })
    void this.#connect(firstPauseMs)
  }

  announce(announcement: string): void {
    this.#publish('presence', Buffer.from(announcement))
  }

  send(processId: string, message: Buffer): void {
    this.#publish(`to.${processId}`, message)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    if (this.#pause !== null) clearTimeout(this.#pause)
    this.#publish('presence', Buffer.alloc(0))
    const wasUp = this.#isUp
    this.#isUp = false
    const connection = this.#connection
    // Draining waits until all messages are sent, which takes for ever while the server is away.
    await (wasUp ? connection?.drain() : connection?.close())?.catch(() => undefined)
  }

  #publish(to: string, content: Buffer): void {
    if (!this.#isUp || this.#seal === null) return
    try {
      this.#connection?.publish(this.#subject(to), this.#seal.seal(to, content))
    } catch (error) {
      // The connection is closed, or the server lowered its limit; lines send again.
      this.#options.log('warn', 'NATS does not accept a message.', { error: errorText(error) })
    }
  }

  #subject(to: string): string {
    return `${prefix}.${this.#options.core}.${to}`
  }

  /** Repeats until the first success; afterwards the library reconnects by itself. */
  async #connect(pauseMs: number): Promise<void> {
    try {
      // Loaded only if it is used, because it takes a tenth of every start.
      const { connect } = await import('@nats-io/transport-node')
      const connection = await connect(connectionOptions(this.#options.servers))
      this.#connection = connection
      if (this.#isStopped) return void connection.close()
      this.#listen(connection)
      this.#rise()
      void this.#watch(connection)
    } catch (error) {
      this.#fall(errorText(error))
      if (this.#isStopped) return
      const nextMs = Math.min(longestPauseMs, pauseMs * 2)
      this.#pause = setTimeout(() => void this.#connect(nextMs), pauseMs)
    }
  }

  #listen(connection: NatsConnection): void {
    const hear = (to: string, take: (content: Buffer, sender: string) => void) =>
      connection.subscribe(this.#subject(to), {
        callback: (error: Error | null, { data }: Msg) => {
          if (error === null) this.#open(to, Buffer.from(data.buffer, data.byteOffset, data.byteLength), take)
        },
      })
    hear(`to.${this.#processId}`, (content) => this.#listener?.message(content))
    hear('presence', (content, sender) => {
      if (content.length === 0) this.#listener?.gone(sender)
      else this.#listener?.present(sender, content.toString())
    })
  }

  #open(to: string, message: Buffer, take: (content: Buffer, sender: string) => void): void {
    const opened = this.#seal?.open(to, message)
    if (opened === undefined) return
    if ('refusal' in opened) this.#listener?.refused(opened.refusal)
    else if (opened.sender !== this.#processId) take(opened.content, opened.sender)
  }

  async #watch(connection: NatsConnection): Promise<void> {
    for await (const { type } of connection.status()) {
      if (type === 'disconnect' || type === 'staleConnection') this.#fall('the connection is lost')
      else if (type === 'reconnect') this.#rise()
    }
    this.#isUp = false
    const failure = await connection.closed()
    if (this.#isStopped) return
    // The library gives up for good if the server refuses the login; an operator may mend that.
    this.#fall(failure === undefined ? 'closed' : errorText(failure))
    this.#pause = setTimeout(() => void this.#connect(firstPauseMs), firstPauseMs)
  }

  #rise(): void {
    this.#isUp = true
    this.#options.log('info', 'Processes talk through NATS.', {})
    this.#isAwayTold = false
  }

  #fall(reason: string): void {
    this.#isUp = false
    if (this.#isAwayTold || this.#isStopped) return
    this.#isAwayTold = true
    this.#options.log(
      'warn',
      'NATS is unreachable; processes exchange messages through the database until it is back.',
      { reason },
    )
  }
}

/** The connection options. The first server's login is used for all. */
export function connectionOptions(servers: readonly string[]): NodeConnectionOptions {
  const urls = servers.map((server) => new URL(server))
  const { username = '', password = '', protocol = 'nats:' } = urls[0] ?? {}
  const [user, pass] = [decodeURIComponent(username), decodeURIComponent(password)]
  return {
    servers: urls.map(({ host }) => host),
    name: 'latarnik',
    ...(user === '' ? {} : pass === '' ? { token: user } : { user, pass }),
    ...(protocol === 'tls:' ? { tls: {} } : {}),
    timeout: connectionMs,
    maxReconnectAttempts: -1,
    reconnectTimeWait: firstPauseMs,
    pingInterval: pingMs,
    maxPingOut: 2,
    noAsyncTraces: true,
  }
}
