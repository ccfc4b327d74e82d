import type { Socket } from 'node:net'
import type { ErrorTypeSymbol } from '../domain/judging/error-types.ts'
import { errorText } from '../domain/text/error-text.ts'
import { abandon } from '../outgoing/dial.ts'
import { Failure } from '../outgoing/failure.ts'
import type { Attempt } from './attempt.ts'
import { tlsFailure } from './tls.ts'

const lingerMs = 1000

/** A dialogue over a socket that may be replaced by a secure one. Subclasses keep and limit the received bytes. */
export abstract class SocketDialogue {
  readonly #attempt: Attempt
  readonly #closed: ErrorTypeSymbol
  #socket: Socket
  #isOver = false
  #ended: Error | null = null
  #wake: (() => void) | null = null
  /** All received bytes. */
  bytes = 0

  /** @param closed the failure of a server that ends the connection too early */
  constructor(attempt: Attempt, socket: Socket, closed: ErrorTypeSymbol) {
    this.#attempt = attempt
    this.#closed = closed
    this.#socket = socket
    this.use(socket)
  }

  /** Keeps received bytes; none come once the dialogue is over. */
  protected abstract keep(chunk: Buffer): void
  /** Drops unread bytes. */
  protected abstract forget(): void

  use(socket: Socket): void {
    this.#socket = socket
    socket.on('data', (chunk) => {
      if (!this.#isOver && this.bytes === 0) this.began(this.#attempt)
      this.bytes += chunk.length
      // A server that keeps sending after the end must not fill the memory.
      if (this.#isOver) return
      this.keep(chunk)
      this.#wake?.()
    })
    const end = (error: Error): void => {
      this.#ended ??= error
      this.#wake?.()
    }
    socket.on('error', end)
    socket.on('close', () => end(new Error('connection closed')))
  }

  /** Called with the first byte. */
  protected began(_attempt: Attempt): void {}

  /** Returns the socket without listeners and drops unsolicited bytes: plain text must not count after TLS. */
  release(): Socket {
    for (const event of ['data', 'error', 'close']) this.#socket.removeAllListeners(event)
    // A reset before the next listener must not end the process.
    this.#socket.on('error', () => {})
    this.forget()
    return this.#socket
  }

  send(data: string | Uint8Array): void {
    if (this.#socket.writable) this.#socket.write(data)
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

  /** Looks at the received bytes after each arrival, until there is a value or a failure. Null: not yet. */
  protected until<T>(look: () => T | Failure | null): Promise<T> {
    return this.#attempt.wait<T>((resolve, reject) => {
      const wake = (): void => {
        const found = look()
        if (found === null && this.#ended === null) return
        this.#wake = null
        if (found instanceof Failure) reject(found)
        else if (found !== null) resolve(found)
        else reject(tlsFailure(this.#ended) ?? new Failure(this.#closed, errorText(this.#ended)))
      }
      this.#wake = wake
      wake()
      return () => {
        this.#wake = null
      }
    })
  }
}
