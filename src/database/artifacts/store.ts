import { createHash } from 'node:crypto'
import { pipeline, type Readable, Transform } from 'node:stream'
import { promisify } from 'node:util'
import { createGunzip, gzip } from 'node:zlib'
import type { ByteRange } from '../../domain/byte-range.ts'

/** Whose check found it, and when its analysis was decided (Unix milliseconds). */
export interface ArtifactOrigin {
  readonly serviceId: number
  readonly decidedAt: number
}

/**
 * Evidence of failed checks, kept compressed as `day/service/digest`: what a service shows again on the same UTC day is kept once. The day
 * is that of the analysis, so bytes are shared only among checks that are forgotten together: neither removing a day nor removing a
 * service can take them from a check that stays.
 */
export interface ArtifactStore {
  /** Returns the key once the bytes are safe. */
  put(bytes: Uint8Array, origin: ArtifactOrigin): Promise<string>
  /** The bytes of the range; null when there is no such artifact (any more). Destroy it when it is not read to its end. */
  open(key: string, range: ByteRange): Promise<Readable | null>
  /** `YYYYMMDD` in UTC, in order. */
  days(): Promise<readonly string[]>
  /** Services that have something on that day. */
  servicesOn(day: string): Promise<readonly number[]>
  /** Keys of what a service has on a day, in order. */
  keysOf(day: string, serviceId: number): Promise<readonly string[]>
  /** The bytes as they are kept, compressed by gzip; null when there is no such artifact (any more). */
  kept(key: string): Promise<Buffer | null>
  /** Removes what a service has on a day; returns how many artifacts went. */
  remove(day: string, serviceId: number): Promise<number>
  /** Removes what writing left behind, interrupted before the moment; returns how many files went. */
  removeLeftovers(beforeAt: number): Promise<number>
  /** Writes, reads and removes something; rejects with a sentence that says what cannot be done. */
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

/** Keys come from rows of the history; only those of our own making name anything. */
export function isKey(key: string): boolean {
  return keyPattern.test(key)
}

/** SHA-256 of the bytes in hexadecimal digits. */
export function digestOf(key: string): string {
  return keyPattern.exec(key)?.[3] ?? ''
}

/** Of names in a store those that are days; anything else is not ours and is left alone. */
export function daysAmong(names: readonly string[]): readonly string[] {
  return names.filter((name) => dayPattern.test(name)).sort()
}

export function servicesAmong(names: readonly string[]): readonly number[] {
  return names.filter((name) => servicePattern.test(name)).map(Number)
}

/** Of the names of files those that are artifacts, as keys. */
export function keysAmong(names: readonly string[], day: string, serviceId: number): readonly string[] {
  return names
    .filter((name) => name.endsWith('.gz'))
    .map((name) => `${day}/${serviceId}/${name.slice(0, -'.gz'.length)}`)
    .filter(isKey)
    .sort()
}

/** Of whom and of when (the start of the UTC day) an artifact is. */
export function originOf(key: string): ArtifactOrigin {
  const [, day = '', serviceId = ''] = keyPattern.exec(key) ?? []
  return { serviceId: Number(serviceId), decidedAt: Date.parse(day.replace(/^(....)(..)(..)$/, '$1-$2-$3T00:00:00Z')) }
}

export const compress: (bytes: Uint8Array) => Promise<Buffer> = promisify(gzip)

/** Decompresses as much as is asked for. */
export function decompressed(source: Readable, { start, end }: ByteRange): Readable {
  let place = 0
  const part = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const piece = chunk.subarray(Math.max(0, start - place), Math.max(0, end - place))
      place += chunk.length
      if (piece.length > 0) this.push(piece)
      done()
    },
    flush(done) {
      done(place < end ? new Error(`An artifact ends after ${place} of ${end} bytes`) : null)
    },
  })
  // The reader sees the error on the part; destroying the part closes the source.
  pipeline(source, createGunzip(), part, () => undefined)
  return part
}
