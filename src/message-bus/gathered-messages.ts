import type { WrittenMessage } from '../database/processes.ts'

/** Messages within this time share a write. */
const gatheringMs = 10
/** The largest write in bytes; messages that arrive meanwhile share the next one. */
const writeBytes = 4 * 1_048_576
const mostWaitingBytes = 64 * 1_048_576

/** Batches messages for the database, one write at a time. The memory is limited; messages beyond it are lost. */
export class GatheredMessages {
  readonly #write: (batch: readonly WrittenMessage[]) => Promise<void>
  #waiting: WrittenMessage[] = []
  #waitingBytes = 0
  #isWriting = false

  /** `write` never rejects. */
  constructor(write: (batch: readonly WrittenMessage[]) => Promise<void>) {
    this.#write = write
  }

  add(message: WrittenMessage): void {
    const { length } = message.content
    if (this.#waitingBytes + length > mostWaitingBytes) return
    this.#waiting.push(message)
    this.#waitingBytes += length
    if (this.#isWriting) return
    this.#isWriting = true
    setTimeout(() => void this.#writeAll(), gatheringMs)
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) await this.#write(this.#nextBatch())
    this.#isWriting = false
  }

  #nextBatch(): readonly WrittenMessage[] {
    let [count, bytes] = [0, 0]
    for (const { content } of this.#waiting) {
      if (count > 0 && bytes + content.length > writeBytes) break
      bytes += content.length
      count += 1
    }
    this.#waitingBytes -= bytes
    return this.#waiting.splice(0, count)
  }
}
