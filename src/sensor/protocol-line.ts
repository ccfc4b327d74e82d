import type { Socket } from 'node:net'
import { errorText } from '../domain/error-text.ts'
import { abandon } from '../outgoing/dial.ts'
import { Failure } from '../outgoing/failure.ts'
import type { Attempt } from './attempt.ts'
import { tlsFailure } from './tls.ts'

/** The limit of unread bytes. */
const mostPending = 1_048_576
const longestLine = 8192
const lingerMs = 1000

/** A dialogue in bytes over a socket that may be replaced by a secure one. Unread bytes and each wait are limited. */
export class ProtocolLine {
  readonly #attempt: Attempt
  #socket: Socket
  #buffer: Buffer = Buffer.alloc(4096)
  #start = 0
  #end = 0
  /** Bytes before this place have no line end. */
  #searched = 0
  #isOver = false
  #isFull = false
  #ended: Error | null = null
  #wake: (() => void) | null = null
  /** All received bytes. */
  bytes = 0

  constructor(attempt: Attempt, socket: Socket) {
    this.#attempt = attempt
    this.#socket = socket
    this.use(socket)
  }

  use(socket: Socket): void {
    this.#socket = socket
    socket.on('data', (chunk) => {
      if (this.bytes === 0 && !this.#isOver) this.#attempt.enter('transfer', 'protocol_answer_timeout')
      this.bytes += chunk.length
      if (this.#isOver || this.#isFull) return
      this.#keep(chunk)
      this.#wake?.()
    })
    const end = (error: Error): void => {
      this.#ended ??= error
      this.#wake?.()
    }
    socket.on('error', end)
    socket.on('close', () => end(new Error('connection closed')))
  }

  /** Returns the socket without listeners and drops unsolicited bytes: plain text must not count after TLS. */
  release(): Socket {
    for (const event of ['data', 'error', 'close']) this.#socket.removeAllListeners(event)
    // A reset before the next listener must not end the process.
    this.#socket.on('error', () => {})
    this.#start = this.#end
    return this.#socket
  }

  send(data: string | Uint8Array): void {
    if (this.#socket.writable) this.#socket.write(data)
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

  /** Lets pending output go out, then closes. */
  close(): void {
    const socket = this.#socket
    this.#isOver = true
    // The dialogue is over; a late error must not end the process.
    socket.on('error', () => {})
    if (socket.writable) socket.destroySoon()
    setTimeout(abandon, lingerMs, socket).unref()
  }

  #keep(chunk: Buffer): void {
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

  #until<T>(look: () => T | null): Promise<T> {
    return this.#attempt.wait<T>((resolve, reject) => {
      const wake = (): void => {
        const found = attempted(look)
        if (found === null && !this.#isFull && this.#ended === null) return
        this.#wake = null
        if (found instanceof Failure) reject(found)
        else if (found !== null) resolve(found)
        else if (this.#isFull) reject(tooLarge())
        else reject(tlsFailure(this.#ended) ?? new Failure('protocol_closed', errorText(this.#ended)))
      }
      this.#wake = wake
      wake()
      return () => {
        this.#wake = null
      }
    })
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
