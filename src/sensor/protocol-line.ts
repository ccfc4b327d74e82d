import type { Socket } from 'node:net'
import { errorText } from '../domain/text/error-text.ts'
import { Failure } from '../outgoing/failure.ts'
import type { Attempt } from './attempt.ts'
import { SocketDialogue } from './socket-dialogue.ts'

/** The limit of unread bytes. */
const mostPending = 1_048_576
const longestLine = 8192
/** Each read costs us as much as it costs the server, however few bytes it is of. */
const mostReads = 32_768

/** A dialogue in bytes; unread bytes, the number of reads and each wait are limited. */
export class ProtocolLine extends SocketDialogue {
  #buffer: Buffer = Buffer.alloc(4096)
  #start = 0
  #end = 0
  /** Bytes before this place have no line end. */
  #searched = 0
  #isFull = false
  #reads = 0

  constructor(attempt: Attempt, socket: Socket) {
    super(attempt, socket, 'protocol_closed')
  }

  /** Reads exactly `length` bytes. */
  take(length: number): Promise<Buffer> {
    if (length > mostPending) return Promise.reject(tooLarge())
    return this.#until(() => (this.#end - this.#start < length ? null : this.#cut(this.#start + length)))
  }

  /** Reads the text up to a line end, without it; each byte is a character. */
  readLine(): Promise<string> {
    return this.#until(() => {
      const found = this.#buffer.subarray(0, this.#end).indexOf(0x0a, Math.max(this.#searched, this.#start))
      if (found < 0) {
        this.#searched = this.#end
        if (this.#end - this.#start > longestLine) throw new Failure('protocol_not_spoken', 'an endless line')
        return null
      }
      return this.#cut(found + 1)
        .toString('latin1')
        .replace(/\r?\n$/, '')
    })
  }

  /** Waits for any bytes and reads all of them. */
  takeAll(): Promise<Buffer> {
    return this.#until(() => (this.#end === this.#start ? null : this.#cut(this.#end)))
  }

  protected override began(attempt: Attempt): void {
    attempt.enter('transfer', 'protocol_answer_timeout')
  }

  protected forget(): void {
    this.#start = this.#end
  }

  protected keep(chunk: Buffer): void {
    if (this.#isFull) return
    if (this.#end - this.#start + chunk.length > mostPending) {
      this.#isFull = true
      return
    }
    if (this.#end + chunk.length > this.#buffer.length) {
      const pending = this.#buffer.subarray(this.#start, this.#end)
      const isRoomy = pending.length + chunk.length <= this.#buffer.length / 2
      const target = isRoomy ? this.#buffer : Buffer.alloc(2 * (pending.length + chunk.length))
      pending.copy(target)
      this.#searched = Math.max(0, this.#searched - this.#start)
      ;[this.#buffer, this.#start, this.#end] = [target, 0, pending.length]
    }
    this.#end += chunk.copy(this.#buffer, this.#end)
  }

  #cut(to: number): Buffer {
    const taken = Buffer.from(this.#buffer.subarray(this.#start, to))
    this.#start = to
    return taken
  }

  /** A complete answer counts, even if too many bytes follow it. */
  #until<T>(look: () => T | null): Promise<T> {
    this.#reads += 1
    if (this.#reads > mostReads) return Promise.reject(tooMany())
    return this.until(() => attempted(look) ?? (this.#isFull ? tooLarge() : null))
  }
}

function attempted<T>(look: () => T | null): T | Failure | null {
  try {
    return look()
  } catch (error) {
    return error instanceof Failure ? error : new Failure('sensor_fault', errorText(error))
  }
}

function tooLarge(): Failure {
  return new Failure('protocol_answer_too_large', `more than ${mostPending} bytes`)
}

function tooMany(): Failure {
  return new Failure('protocol_answer_too_large', `more than ${mostReads} pieces`)
}
