import { closeSync, ftruncateSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { errorText } from '../../domain/text/error-text.ts'
import type { LogFacts, LogLevel } from '../messages.ts'
import { resultIdOf } from './wire-results.ts'

export interface ResultFilesOptions {
  readonly directory: string
  readonly maximumCount: number
  readonly maximumBytes: number
  readonly log: (level: LogLevel, message: string, facts?: LogFacts) => void
}

/** A file of results, one per line. */
export interface ResultFile {
  readonly path: string
  /** Null for a file of an earlier run, which is only read. */
  readonly file: number | null
  bytes: number
  /** Bytes of whole lines on disk. */
  written: number
  readonly ids: Set<string>
  unwritten: string[]
}

/** When space runs out, the oldest part is dropped at once; this many parts make the whole. */
const parts = 16

/**
 * The files that hold results until they are acknowledged. A fully acknowledged file is emptied or removed. Nothing is
 * synced to disk, so a power cut may lose the last moments.
 */
export class ResultFiles {
  readonly #options: ResultFilesOptions
  /** The oldest first. */
  readonly #files: ResultFile[] = []
  #lastNumber = 0
  #bytes = 0
  #canWrite = true

  constructor(options: ResultFilesOptions) {
    this.#options = options
    mkdirSync(options.directory, { recursive: true, mode: 0o700 })
  }

  /** Bytes of all results on disk, including acknowledged ones that share a file with others. */
  get bytes(): number {
    return this.#bytes
  }

  get count(): number {
    return this.#files.length
  }

  /** Reads the results of earlier runs; `take` returns true if it keeps the result. */
  load(take: (id: string, text: string, file: ResultFile) => boolean): void {
    const { directory } = this.#options
    const names = readdirSync(directory).filter((name) => /^\d{12}\.jsonl$/.test(name))
    for (const name of names.sort()) this.#read(join(directory, name), take)
    this.#lastNumber = Number(names.at(-1)?.slice(0, 12) ?? 0)
  }

  append(id: string, text: string, size: number): ResultFile {
    const file = this.#current()
    file.unwritten.push(text)
    file.bytes += size
    file.ids.add(id)
    this.#bytes += size
    return file
  }

  /** Writes new results to disk. */
  write(): void {
    for (const segment of this.#files) {
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

  forget(id: string, segment: ResultFile): void {
    segment.ids.delete(id)
    if (segment.ids.size > 0) return
    segment.unwritten = []
    if (segment.file === null || segment !== this.#files.at(-1)) this.#remove(segment)
    else this.#attempt(() => ftruncateSync(segment.file ?? -1))
    segment.written = 0
    this.#bytes -= segment.bytes
    segment.bytes = 0
  }

  /** The ids in the oldest file. */
  oldest(): readonly string[] {
    return [...(this.#files[0]?.ids ?? [])]
  }

  dropOldest(): void {
    this.#files.shift()
  }

  close(): void {
    this.write()
    for (const { file } of this.#files) if (file !== null) closeSync(file)
    this.#files.length = 0
  }

  #current(): ResultFile {
    const { directory, maximumCount, maximumBytes } = this.#options
    const last = this.#files.at(-1)
    const isFull =
      last === undefined ||
      last.file === null ||
      last.bytes > maximumBytes / parts ||
      last.ids.size >= Math.max(1, maximumCount / parts)
    if (!isFull) return last
    this.#lastNumber += 1
    const path = join(directory, `${String(this.#lastNumber).padStart(12, '0')}.jsonl`)
    const file = this.#attempt(() => openSync(path, 'a', 0o600)) ?? null
    const segment: ResultFile = { path, file, bytes: 0, written: 0, ids: new Set(), unwritten: [] }
    if (last !== undefined && last.file !== null && last.ids.size === 0) this.#remove(last)
    this.#files.push(segment)
    return segment
  }

  #read(path: string, take: (id: string, text: string, file: ResultFile) => boolean): void {
    const segment: ResultFile = { path, file: null, bytes: 0, written: 0, ids: new Set(), unwritten: [] }
    for (const text of readFileSync(path, 'utf8').split('\n')) {
      const id = idIn(text)
      if (id === null || !take(id, text, segment)) continue
      segment.ids.add(id)
      segment.bytes += Buffer.byteLength(text) + 1
    }
    if (segment.ids.size === 0) {
      rmSync(path, { force: true })
      return
    }
    this.#bytes += segment.bytes
    this.#files.push(segment)
  }

  #remove(segment: ResultFile): void {
    this.#files.splice(this.#files.indexOf(segment), 1)
    this.#attempt(() => {
      if (segment.file !== null) closeSync(segment.file)
      rmSync(segment.path, { force: true })
    })
  }

  /** A full disk loses no result while the process lives; failed writes are repeated with the next ones. */
  #attempt<T>(work: () => T): T | undefined {
    try {
      const value = work()
      this.#canWrite = true
      return value
    } catch (error) {
      const reason = errorText(error)
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
    // The next start skips lines that it cannot read.
  }
}

/** Null for a line that a crash cut off. */
function idIn(line: string): string | null {
  try {
    return resultIdOf(JSON.parse(line))
  } catch {
    return null
  }
}
