import { closeSync, ftruncateSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { LogFacts, LogLevel } from '../messages.ts'
import { resultIdOf, type WireResult } from './wire.ts'

export interface KeptResultsOptions {
  readonly directory: string
  readonly maximumCount: number
  readonly maximumBytes: number
  readonly log: (level: LogLevel, message: string, facts?: LogFacts) => void
}

interface Kept {
  readonly text: string
  /** Bytes. */
  readonly size: number
  readonly segment: Segment
  state: 'waiting' | 'sent' | 'gone'
}

export interface Bounds {
  readonly count: number
  readonly bytes: number
}

/** A file of results, one a line. */
interface Segment {
  readonly path: string
  readonly file: number | null
  bytes: number
  /** Bytes of whole lines on disk. */
  written: number
  readonly ids: Set<string>
  unwritten: string[]
}

/** The oldest part of what is kept is dropped at once, so many parts make the whole. */
const parts = 16
/** So many that were sent are cut off the line of those that wait. */
const longestTail = 1000

/**
 * Results that the core has not acknowledged, on disk before they are sent: a station that dies or loses its core hands them over later.
 * Bounded; the oldest go first. A file whose results are all acknowledged is emptied or removed. Nothing is flushed to the platter: a
 * power cut may cost the last moments.
 */
export class KeptResults {
  readonly #options: KeptResultsOptions
  readonly #kept = new Map<string, Kept>()
  readonly #segments: Segment[] = []
  /** What waits to be sent, from `#nextUnsent` on; some of it may be gone meanwhile. */
  #unsent: Kept[] = []
  #nextUnsent = 0
  #sentCount = 0
  #sentBytes = 0
  #lastNumber = 0
  #bytes = 0
  #canWrite = true

  /** Reads what an earlier run has left. */
  constructor(options: KeptResultsOptions) {
    this.#options = options
    const { directory } = options
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    const names = readdirSync(directory).filter((name) => /^\d{12}\.jsonl$/.test(name))
    for (const name of names.sort()) this.#read(join(directory, name))
    this.#lastNumber = Number(names.at(-1)?.slice(0, 12) ?? 0)
    this.#bound()
  }

  get size(): number {
    return this.#kept.size
  }

  add(result: WireResult): void {
    if (this.#kept.has(result.id)) return
    const text = JSON.stringify(result)
    const segment = this.#current()
    const kept: Kept = { text, size: Buffer.byteLength(text) + 1, segment, state: 'waiting' }
    segment.unwritten.push(text)
    segment.bytes += kept.size
    this.#bytes += kept.size
    segment.ids.add(result.id)
    this.#kept.set(result.id, kept)
    this.#unsent.push(kept)
    this.#bound()
  }

  /** The next results to send, the oldest first, as long as no more than a window of them is unacknowledged. */
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

  /** Puts on disk what is not there yet. What is sent was written before. */
  write(): void {
    for (const segment of this.#segments) {
      const { file, unwritten } = segment
      if (file === null || unwritten.length === 0) continue
      const bytes = Buffer.from(`${unwritten.join('\n')}\n`)
      const isDone = this.#attempt(() => {
        for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
        return true
      })
      if (isDone === undefined) cutOff(file, segment.written)
      else {
        segment.unwritten = []
        segment.written += bytes.length
      }
    }
  }

  acknowledge(ids: readonly string[]): void {
    for (const id of ids) this.#forget(id)
  }

  /** Everything is to be sent again: nobody knows what of it arrived. */
  rewind(): void {
    this.#unsent = [...this.#kept.values()]
    for (const kept of this.#unsent) kept.state = 'waiting'
    this.#nextUnsent = 0
    this.#sentCount = 0
    this.#sentBytes = 0
  }

  close(): void {
    this.write()
    for (const { file } of this.#segments) if (file !== null) closeSync(file)
    this.#segments.length = 0
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
    const { segment } = kept
    segment.ids.delete(id)
    if (segment.ids.size > 0) return
    segment.unwritten = []
    if (segment.file === null || segment !== this.#segments.at(-1)) this.#remove(segment)
    else this.#attempt(() => ftruncateSync(segment.file ?? -1))
    segment.written = 0
    this.#bytes -= segment.bytes
    segment.bytes = 0
  }

  #current(): Segment {
    const { directory, maximumCount, maximumBytes } = this.#options
    const last = this.#segments.at(-1)
    const isFull =
      last === undefined ||
      last.file === null ||
      last.bytes > maximumBytes / parts ||
      last.ids.size >= Math.max(1, maximumCount / parts)
    if (!isFull) return last
    this.#lastNumber += 1
    const path = join(directory, `${String(this.#lastNumber).padStart(12, '0')}.jsonl`)
    const file = this.#attempt(() => openSync(path, 'a', 0o600)) ?? null
    const segment: Segment = { path, file, bytes: 0, written: 0, ids: new Set(), unwritten: [] }
    if (last !== undefined && last.file !== null && last.ids.size === 0) this.#remove(last)
    this.#segments.push(segment)
    return segment
  }

  #read(path: string): void {
    const segment: Segment = { path, file: null, bytes: 0, written: 0, ids: new Set(), unwritten: [] }
    for (const text of readFileSync(path, 'utf8').split('\n')) {
      const id = idIn(text)
      if (id === null || this.#kept.has(id)) continue
      const kept: Kept = { text, size: Buffer.byteLength(text) + 1, segment, state: 'waiting' }
      segment.ids.add(id)
      segment.bytes += kept.size
      this.#kept.set(id, kept)
      this.#unsent.push(kept)
    }
    if (segment.ids.size === 0) {
      rmSync(path, { force: true })
      return
    }
    this.#bytes += segment.bytes
    this.#segments.push(segment)
  }

  #bound(): void {
    const { maximumCount, maximumBytes, log } = this.#options
    while (this.#segments.length > 1 && (this.#kept.size > maximumCount || this.#bytes > maximumBytes)) {
      const ids = [...(this.#segments[0]?.ids ?? [])]
      log('warn', 'The core was away too long: the oldest results are dropped.', { dropped: ids.length })
      if (ids.length === 0) this.#segments.shift()
      else this.acknowledge(ids)
      this.#unsent = this.#unsent.slice(this.#nextUnsent).filter(({ state }) => state === 'waiting')
      this.#nextUnsent = 0
    }
  }

  #remove(segment: Segment): void {
    this.#segments.splice(this.#segments.indexOf(segment), 1)
    this.#attempt(() => {
      if (segment.file !== null) closeSync(segment.file)
      rmSync(segment.path, { force: true })
    })
  }

  /** A full disk costs what a crash would find there, not the results; what could not be written is tried again with the next ones. */
  #attempt<T>(work: () => T): T | undefined {
    try {
      const value = work()
      this.#canWrite = true
      return value
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      if (this.#canWrite) this.#options.log('error', 'Results cannot be kept on disk.', { error: reason })
      this.#canWrite = false
      return undefined
    }
  }
}

/** Half a line would spoil the next one. */
function cutOff(file: number, length: number): void {
  try {
    ftruncateSync(file, length)
  } catch {
    // The next start leaves out what it cannot read.
  }
}

/** Null for a line that was cut off by a crash. */
function idIn(line: string): string | null {
  try {
    return resultIdOf(JSON.parse(line))
  } catch {
    return null
  }
}
