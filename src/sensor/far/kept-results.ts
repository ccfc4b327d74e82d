import { resultText } from './plain-result.ts'
import { type ResultFile, ResultFiles, type ResultFilesOptions } from './result-files.ts'
import type { WireResult } from './result-schema.ts'

export type KeptResultsOptions = ResultFilesOptions

interface Kept {
  readonly text: string
  /** Bytes. */
  readonly size: number
  readonly file: ResultFile
  state: 'waiting' | 'sent' | 'gone'
}

export interface Bounds {
  readonly count: number
  readonly bytes: number
}

/** The list of unsent results is trimmed once this many sent ones precede them. */
const longestTail = 1000

/**
 * Results that the core has not acknowledged, on disk before they are sent. A station that dies or loses its core hands
 * them over later. The space is limited; the oldest are dropped first.
 */
export class KeptResults {
  readonly #options: KeptResultsOptions
  readonly #files: ResultFiles
  readonly #kept = new Map<string, Kept>()
  /** Unsent results start at `#nextUnsent`; some may have been dropped meanwhile. */
  #unsent: Kept[] = []
  #nextUnsent = 0
  #sentCount = 0
  #sentBytes = 0

  /** Reads the results of earlier runs. */
  constructor(options: KeptResultsOptions) {
    this.#options = options
    this.#files = new ResultFiles(options)
    this.#files.load((id, text, file) => {
      if (this.#kept.has(id)) return false
      this.#keep(id, { text, size: Buffer.byteLength(text) + 1, file, state: 'waiting' })
      return true
    })
    this.#bound()
  }

  get size(): number {
    return this.#kept.size
  }

  add(result: WireResult): void {
    const { id } = result
    if (this.#kept.has(id)) return
    const text = resultText(result)
    const size = Buffer.byteLength(text) + 1
    this.#keep(id, { text, size, file: this.#files.append(id, text, size), state: 'waiting' })
    this.#bound()
  }

  /** The next results to send, the oldest first, as long as the unacknowledged ones fit the window. */
  take(frame: Bounds, window: Bounds): string[] {
    const taken: string[] = []
    let bytes = 0
    this.write()
    for (; this.#nextUnsent < this.#unsent.length; this.#nextUnsent++) {
      const kept = this.#unsent[this.#nextUnsent]
      if (kept === undefined || kept.state === 'gone') continue
      const { text, size } = kept
      if (taken.length >= frame.count || (taken.length > 0 && bytes + size > frame.bytes)) break
      if (this.#sentCount >= window.count || (this.#sentCount > 0 && this.#sentBytes + size > window.bytes)) break
      kept.state = 'sent'
      this.#sentCount += 1
      this.#sentBytes += size
      bytes += size
      taken.push(text)
    }
    if (this.#nextUnsent >= longestTail || this.#nextUnsent === this.#unsent.length) {
      this.#unsent.splice(0, this.#nextUnsent)
      this.#nextUnsent = 0
    }
    return taken
  }

  /** Writes new results to disk. A result is always written before it is sent. */
  write(): void {
    this.#files.write()
  }

  acknowledge(ids: readonly string[]): void {
    for (const id of ids) this.#forget(id)
  }

  /** Marks everything as unsent, because nobody knows which results arrived. */
  rewind(): void {
    this.#unsent = [...this.#kept.values()]
    for (const kept of this.#unsent) kept.state = 'waiting'
    this.#nextUnsent = 0
    this.#sentCount = 0
    this.#sentBytes = 0
  }

  close(): void {
    this.#files.close()
  }

  #keep(id: string, kept: Kept): void {
    this.#kept.set(id, kept)
    this.#unsent.push(kept)
  }

  #forget(id: string): void {
    const kept = this.#kept.get(id)
    if (kept === undefined) return
    this.#kept.delete(id)
    if (kept.state === 'sent') {
      this.#sentCount -= 1
      this.#sentBytes -= kept.size
    }
    kept.state = 'gone'
    this.#files.forget(id, kept.file)
  }

  #bound(): void {
    const { maximumCount, maximumBytes, log } = this.#options
    while (this.#files.count > 1 && (this.#kept.size > maximumCount || this.#files.bytes > maximumBytes)) {
      const ids = this.#files.oldest()
      log('warn', 'The core was away too long: the oldest results are dropped.', { dropped: ids.length })
      if (ids.length === 0) this.#files.dropOldest()
      else this.acknowledge(ids)
      this.#unsent = this.#unsent.slice(this.#nextUnsent).filter(({ state }) => state === 'waiting')
      this.#nextUnsent = 0
    }
  }
}
