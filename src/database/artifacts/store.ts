import { createHash } from 'node:crypto'
import { pipeline, type Readable, Transform } from 'node:stream'
import { promisify } from 'node:util'
import { createGunzip, gunzip, gzip } from 'node:zlib'
import { checkLimit } from '../../domain/judging/evidence.ts'
import type { ByteRange } from '../../domain/queries/byte-range.ts'

/** The service of the check, and the moment of its analysis's decision (Unix milliseconds). */
export interface ArtifactOrigin {
  readonly serviceId: number
  readonly decidedAt: number
}

/**
 * Evidence of failed checks, stored compressed as `day/service/digest`. Equal content of a service and UTC day is
 * stored once. The day is the analysis's, so checks share bytes only if they are deleted together. Removing a day or a
 * service never takes bytes from a check that stays.
 */
export interface ArtifactStore {
  /** Returns the key once the bytes are safe. */
  put(bytes: Uint8Array, origin: ArtifactOrigin): Promise<string>
  /**
   * The bytes of the range; null if the artifact is missing. It fails before its end if the bytes are not those that
   * were put. Destroy it if it is not read to its end.
   */
  open(key: string, range: ByteRange): Promise<Readable | null>
  /** `YYYYMMDD` in UTC, in order. */
  days(): Promise<readonly string[]>
  /** Services with artifacts on that day. */
  servicesOn(day: string): Promise<readonly number[]>
  /** Keys of a service's artifacts on a day, in order. */
  keysOf(day: string, serviceId: number): Promise<readonly string[]>
  /** The stored bytes, compressed by gzip; null if the artifact is missing. Not verified: see `isWhole`. */
  kept(key: string): Promise<Buffer | null>
  /** Removes a service's artifacts of a day; returns how many. */
  remove(day: string, serviceId: number): Promise<number>
  /** Removes leftovers of writes that were interrupted before the moment; returns how many files. */
  removeLeftovers(beforeAt: number): Promise<number>
  /** Writes, reads and removes a test object; rejects with a sentence that says what fails. */
  tryOut(): Promise<void>
}

const keyPattern = /^(\d{8})\/([1-9]\d{0,9})\/([0-9a-f]{64})$/
const dayPattern = /^\d{8}$/
const servicePattern = /^[1-9]\d{0,9}$/

export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10).replaceAll('-', '')
}

export function keyOf(bytes: Uint8Array, { serviceId, decidedAt }: ArtifactOrigin): string {
  return `${dayOf(decidedAt)}/${serviceId}/${createHash('sha256').update(bytes).digest('hex')}`
}

/** Keys come from rows of the history; only keys that we made are accepted. */
export function isKey(key: string): boolean {
  return keyPattern.test(key)
}

/** SHA-256 of the bytes in hexadecimal digits. */
export function digestOf(key: string): string {
  return keyPattern.exec(key)?.[3] ?? ''
}

/** The names that are days; others are not ours and are left alone. */
export function daysAmong(names: readonly string[]): readonly string[] {
  return names.filter((name) => dayPattern.test(name)).sort()
}

export function servicesAmong(names: readonly string[]): readonly number[] {
  return names.filter((name) => servicePattern.test(name)).map(Number)
}

/** The keys of those file names that are artifacts. */
export function keysAmong(names: readonly string[], day: string, serviceId: number): readonly string[] {
  return names
    .filter((name) => name.endsWith('.gz'))
    .map((name) => `${day}/${serviceId}/${name.slice(0, -'.gz'.length)}`)
    .filter(isKey)
    .sort()
}

/** The service and the time (start of the UTC day) of an artifact. */
export function originOf(key: string): ArtifactOrigin {
  const [, day = '', serviceId = ''] = keyPattern.exec(key) ?? []
  return { serviceId: Number(serviceId), decidedAt: Date.parse(day.replace(/^(....)(..)(..)$/, '$1-$2-$3T00:00:00Z')) }
}

export const compress: (bytes: Uint8Array) => Promise<Buffer> = promisify(gzip)
const unpacked = promisify(gunzip)

/** Bytes that no artifact exceeds, compressed or not: four times what evidence may have. */
export const longestArtifact = 4 * checkLimit

/**
 * Decompresses an artifact and gives the bytes of the range. The store is somebody else's machine, so the last piece is
 * held back until the whole artifact has the digest of its key: other bytes never make a complete answer.
 */
export function decompressed(source: Readable, key: string, { start, end }: ByteRange): Readable {
  const digest = createHash('sha256')
  let place = 0
  let held: Buffer | null = null
  const part = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const piece = chunk.subarray(Math.max(0, start - place), Math.max(0, end - place))
      place += chunk.length
      if (place > longestArtifact) return done(new Error(`An artifact has more than ${longestArtifact} bytes`))
      digest.update(chunk)
      if (piece.length > 0) {
        if (held !== null) this.push(held)
        held = piece
      }
      done()
    },
    flush(done) {
      if (place < end) return done(new Error(`An artifact ends after ${place} of ${end} bytes`))
      if (digest.digest('hex') !== digestOf(key))
        return done(new Error('An artifact does not have the bytes of its key'))
      if (held !== null) this.push(held)
      done()
    },
  })
  // The reader sees the error on the part; destroying the part closes the source.
  pipeline(source, createGunzip(), part, () => undefined)
  return part
}

/** Whether the compressed bytes are the artifact of the key. */
export async function isWhole(key: string, kept: Buffer): Promise<boolean> {
  const content = await unpacked(kept, { maxOutputLength: longestArtifact }).catch(() => null)
  return content !== null && createHash('sha256').update(content).digest('hex') === digestOf(key)
}
