import { performance } from 'node:perf_hooks'
import type { WebSocket } from 'ws'

const bytesPerSecond = 16 * 1_048_576
const burstBytes = 64 * 1_048_576
/** Reading a frame costs something however small it is. */
const leastCostBytes = 1024

/** Reads a connection no faster than is fair to the others: a flood waits in the network, not in memory. */
export class Allowance {
  readonly #socket: Pick<WebSocket, 'pause' | 'resume'>
  #left = burstBytes
  #countedAt = performance.now()
  #timer: NodeJS.Timeout | null = null

  constructor(socket: Pick<WebSocket, 'pause' | 'resume'>) {
    this.#socket = socket
  }

  /** Nothing is read now. */
  get isUsedUp(): boolean {
    return this.#timer !== null
  }

  use(bytes: number): void {
    const now = performance.now()
    const earned = ((now - this.#countedAt) / 1000) * bytesPerSecond
    this.#left = Math.min(burstBytes, this.#left + earned) - Math.max(bytes, leastCostBytes)
    this.#countedAt = now
    if (this.#left >= 0 || this.#timer !== null) return
    this.#socket.pause()
    const waitMs = (-this.#left / bytesPerSecond) * 1000
    this.#timer = setTimeout(() => {
      this.#timer = null
      this.#socket.resume()
    }, waitMs)
  }

  end(): void {
    if (this.#timer === null) return
    clearTimeout(this.#timer)
    this.#timer = null
    // Its end is read too.
    this.#socket.resume()
  }
}
