import type { Socket } from 'node:net'
import { Failure } from '../outgoing/failure.ts'
import type { Attempt } from './attempt.ts'
import { SocketDialogue } from './socket-dialogue.ts'

export interface SmtpReply {
  readonly code: number
  /** The texts after the code, one per line. */
  readonly lines: readonly string[]
}

const longestReplyBytes = 65_536
/** Eight times the limit of the standard (RFC 5321, section 4.5.3.1.5). */
const longestLineBytes = 4096

/** A dialogue of SMTP replies (RFC 5321, section 4.2). */
export class SmtpLine extends SocketDialogue {
  #pending = ''
  /** The current reply: its bytes so far, and its complete lines. */
  #replyBytes = 0
  #texts: string[] = []
  #lines: string[] = []
  dialogue = ''

  constructor(attempt: Attempt, socket: Socket) {
    super(attempt, socket, 'smtp_closed')
  }

  protected keep(chunk: Buffer): void {
    // A reply without end must not fill the memory.
    if (this.#pending.length <= longestReplyBytes) this.#pending += chunk.toString('latin1')
  }

  protected forget(): void {
    this.#pending = ''
  }

  say(command: string): void {
    this.dialogue += `> ${command}\n`
    this.send(`${command}\r\n`)
  }

  async ask(command: string): Promise<SmtpReply> {
    this.say(command)
    return await this.read()
  }

  read(): Promise<SmtpReply> {
    return this.until(() => this.#takeReply())
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
