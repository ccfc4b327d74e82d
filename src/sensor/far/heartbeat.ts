import { performance } from 'node:perf_hooks'
import { heartbeatMs, longestSilenceMs } from './wire.ts'

/** The heartbeat of a station's connection: it speaks regularly, and notices when the core does not. */
export class Heartbeat {
  readonly #beat: () => void
  readonly #silent: () => void
  #timer: NodeJS.Timeout | null = null
  #heardAt = 0
  #lookedAt = 0

  constructor(parts: { readonly beat: () => void; readonly silent: () => void }) {
    this.#beat = parts.beat
    this.#silent = parts.silent
  }

  begin(): void {
    this.#heardAt = performance.now()
    this.#lookedAt = this.#heardAt
    this.#timer = setInterval(() => this.#look(), heartbeatMs)
  }

  heard(): void {
    this.#heardAt = performance.now()
  }

  end(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
  }

  #look(): void {
    const now = performance.now()
    // After a stall of our own the core's frames are still unread.
    const heldMs = now - this.#lookedAt - heartbeatMs
    this.#lookedAt = now
    if (heldMs > heartbeatMs) this.#heardAt = Math.min(now, this.#heardAt + heldMs)
    if (now - this.#heardAt > longestSilenceMs) this.#silent()
    else this.#beat()
  }
}
