import type { WebSocket } from 'ws'
import { Failure } from '../../outgoing/failure.ts'
import type { Attempt } from '../../sensor/attempt.ts'
import { failureOf } from './failure-of.ts'

const mostWaiting = 50

/** Received messages, taken one by one in their order. While too many wait, nothing more is read from the server. */
export class MessageQueue {
  readonly #client: WebSocket
  readonly #waiting: string[] = []
  #ended: Failure | null = null
  #isOpen = false
  #wake: (() => void) | null = null
  /** Received so far. */
  count = 0

  constructor(client: WebSocket) {
    this.#client = client
    client.on('open', () => {
      this.#isOpen = true
      this.#wake?.()
    })
    client.on('message', (data) => {
      this.count += 1
      this.#waiting.push(Buffer.isBuffer(data) ? data.toString('utf8') : '')
      if (this.#waiting.length >= mostWaiting) client.pause()
      this.#wake?.()
    })
    client.on('error', (error) => this.#end(failureOf(error)))
    client.on('close', (code) => this.#end(new Failure('protocol_closed', `closed with code ${code}`)))
  }

  opened(attempt: Attempt): Promise<true> {
    return this.#until(attempt, () => (this.#isOpen ? true : null))
  }

  take(attempt: Attempt): Promise<string> {
    return this.#until(attempt, () => {
      const message = this.#waiting.shift() ?? null
      if (message !== null && this.#waiting.length === 0) this.#client.resume()
      return message
    })
  }

  #end(failure: Failure): void {
    this.#ended ??= failure
    this.#wake?.()
  }

  #until<T>(attempt: Attempt, look: () => T | null): Promise<T> {
    return attempt.wait<T>((resolve, reject) => {
      const wake = (): void => {
        const found = look()
        if (found === null && this.#ended === null) return
        this.#wake = null
        if (found === null) reject(this.#ended)
        else resolve(found)
      }
      this.#wake = wake
      wake()
      return () => {
        this.#wake = null
      }
    })
  }
}
