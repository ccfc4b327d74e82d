import { performance } from 'node:perf_hooks'
import type { WebSocket } from 'ws'

const earnedPerSecond = 16 * 1_048_576
const most = 32 * 1_048_576
/** Reading a frame has a cost however small it is. */
const leastCost = 1024
/** Reading one structural sign costs as much as this many bytes of text. */
const costOfSign = 16

/** The read budget of one sensor in bytes, over all its connections: a new one continues where the last one ended. */
export class Budget {
  #left = most
  #countedAt = performance.now()

  use(cost: number): void {
    this.#left = this.#now() - cost
  }

  /** Milliseconds until some budget is left. */
  get waitMs(): number {
    return Math.max(0, (-this.#now() / earnedPerSecond) * 1000)
  }

  #now(): number {
    const now = performance.now()
    const earned = ((now - this.#countedAt) / 1000) * earnedPerSecond
    this.#countedAt = now
    this.#left = Math.min(most, this.#left + earned)
    return this.#left
  }
}

/** Reads a connection no faster than is fair to the others. A flood waits in the network, not in memory. */
export class Allowance {
  readonly #socket: Pick<WebSocket, 'pause' | 'resume'>
  readonly #budget: Budget
  #timer: NodeJS.Timeout | null = null
  #isOver = false

  constructor(socket: Pick<WebSocket, 'pause' | 'resume'>, budget: Budget) {
    this.#socket = socket
    this.#budget = budget
    this.#wait()
  }

  /** Reading is paused. */
  get isUsedUp(): boolean {
    return this.#timer !== null
  }

  /** Charges a received frame. */
  use(bytes: number): void {
    this.#budget.use(Math.max(bytes, leastCost))
    this.#wait()
  }

  /** Charges the structural signs of a parsed frame. */
  useSigns(signs: number): void {
    this.#budget.use(signs * costOfSign)
    this.#wait()
  }

  end(): void {
    this.#isOver = true
    if (this.#timer === null) return
    clearTimeout(this.#timer)
    this.#timer = null
    // Resumes so that the socket's end is read too.
    this.#socket.resume()
  }

  #wait(): void {
    const { waitMs } = this.#budget
    if (waitMs <= 0 || this.#timer !== null || this.#isOver) return
    this.#socket.pause()
    this.#timer = setTimeout(() => {
      this.#timer = null
      this.#socket.resume()
      this.#wait()
    }, waitMs)
  }
}
