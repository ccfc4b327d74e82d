import type { Socket } from 'node:net'
import { errorText } from '../domain/error-text.ts'
import { abandon } from '../outgoing/dial.ts'
import { Failure } from '../outgoing/failure.ts'
import type { Attempt } from './attempt.ts'
import { tlsFailure } from './tls.ts'

export interface SmtpReply {
  readonly code: number
  /** The texts after the code, one per line. */
  readonly lines: readonly string[]
}

const longestReplyBytes = 65_536
/** Eight times the limit of the standard (RFC 5321, section 4.5.3.1.5). */
const longestLineBytes = 4096
const lingerMs = 1000

/** A dialogue of SMTP replies (RFC 5321, section 4.2) over a socket that may be replaced by a secure one. */
export class SmtpLine {
  readonly #attempt: Attempt
  #socket: Socket
  #pending = ''
  /** The current reply: its bytes so far, and its complete lines. */
  #replyBytes = 0
  #texts: string[] = []
  #lines: string[] = []
  #isOver = false
  #ended: Error | null = null
  #wake: (() => void) | null = null
  dialogue = ''
  bytes = 0

  constructor(attempt: Attempt, socket: Socket) {
    this.#attempt = attempt
    this.#socket = socket
    this.use(socket)
  }

  use(socket: Socket): void {
    this.#socket = socket
    socket.on('data', (chunk) => {
      this.bytes += chunk.length
      // A server that keeps sending after the end, or without end, must not fill the memory.
      if (this.#isOver || this.#pending.length > longestReplyBytes) return
      this.#pending += chunk.toString('latin1')
      this.#wake?.()
    })
    const end = (error: Error): void => {
      this.#ended ??= error
      this.#wake?.()
    }
    socket.on('error', end)
    socket.on('close', () => end(new Error('connection closed')))
  }

  /** Returns the socket without listeners and drops unsolicited bytes: plain-text replies must not count after TLS. */
  release(): Socket {
    this.#socket.removeAllListeners('data')
    this.#socket.removeAllListeners('error')
    this.#socket.removeAllListeners('close')
    this.#pending = ''
    return this.#socket
  }

  say(command: string): void {
    this.dialogue += `> ${command}\n`
    this.#socket.write(`${command}\r\n`)
  }

  async ask(command: string): Promise<SmtpReply> {
    this.say(command)
    return await this.read()
  }

  read(): Promise<SmtpReply> {
    return this.#attempt.wait<SmtpReply>((resolve, reject) => {
      const look = (): void => {
        const reply = this.#takeReply()
        if (reply === null && this.#ended === null) return
        this.#wake = null
        if (reply === null) reject(tlsFailure(this.#ended) ?? new Failure('smtp_closed', errorText(this.#ended)))
        else if (reply instanceof Failure) reject(reply)
        else resolve(reply)
      }
      this.#wake = look
      look()
      return () => {
        this.#wake = null
      }
    })
  }

  /** Lets pending output go out, then closes. */
  close(): void {
    const socket = this.#socket
    this.#isOver = true
    // The dialogue is over; a late error must not end the process.
    socket.on('error', () => {})
    if (socket.writable) socket.destroySoon()
    setTimeout(abandon, lingerMs, socket).unref()
  }

  /** Each line is parsed once, however small the pieces are in which it arrives. */
  #takeReply(): SmtpReply | Failure | null {
    for (let text = this.#takeLine(); text !== null; text = this.#takeLine()) {
      const match = /^([2-5]\d\d)(?:([ -])(.*))?$/.exec(text)
      this.#texts.push(text)
      if (match === null) {
        this.#note()
        return new Failure('smtp_not_spoken', `${JSON.stringify(text.slice(0, 200))} is not an SMTP reply`)
      }
      this.#lines.push(match[3] ?? '')
      if (match[2] === '-') continue
      return { code: Number(match[1]), lines: this.#note() }
    }
    const isEndless = this.#replyBytes > longestReplyBytes || this.#pending.length > longestLineBytes
    return isEndless ? new Failure('smtp_not_spoken', 'endless reply') : null
  }

  #takeLine(): string | null {
    const end = this.#replyBytes > longestReplyBytes ? -1 : this.#pending.indexOf('\n')
    if (end < 0) return null
    const text = this.#pending.slice(0, end).replace(/\r$/, '')
    this.#pending = this.#pending.slice(end + 1)
    this.#replyBytes += end + 1
    return text
  }

  /** Writes the reply into the transcript, and begins the next one. */
  #note(): readonly string[] {
    const lines = this.#lines
    this.dialogue += `${this.#texts.join('\n')}\n`
    this.#texts = []
    this.#lines = []
    this.#replyBytes = 0
    return lines
  }
}
