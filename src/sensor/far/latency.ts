import { performance } from 'node:perf_hooks'
import type { WebSocket } from 'ws'

const askedEveryMs = 5000
const keptTrips = 6
const marginMs = 20
/** A more distant station starts late, because rounds are claimed no more than a second ahead. */
const longestLeadMs = 500
/** The lead is rounded to such steps, so that it does not change all the time. */
const stepMs = 25

/** How long a message to a station takes: its slowest recent round trip, because one way alone cannot be measured. */
export class Latency {
  readonly #socket: WebSocket
  readonly #timer: NodeJS.Timeout
  #trips: readonly number[] = []
  #askedAt: number | null = null

  constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('pong', () => this.#answered())
    this.#timer = setInterval(() => this.#ask(), askedEveryMs)
    this.#timer.unref()
    this.#ask()
  }

  get leadMs(): number {
    const slowest = Math.max(0, ...this.#trips)
    return Math.min(longestLeadMs, Math.ceil((slowest + marginMs) / stepMs) * stepMs)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #ask(): void {
    if (this.#socket.readyState !== this.#socket.OPEN || this.#askedAt !== null) return
    this.#askedAt = performance.now()
    this.#socket.ping()
  }

  #answered(): void {
    if (this.#askedAt === null) return
    this.#trips = [...this.#trips, performance.now() - this.#askedAt].slice(-keptTrips)
    this.#askedAt = null
  }
}
