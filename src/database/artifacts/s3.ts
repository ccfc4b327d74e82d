import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { S3Client } from '@aws-sdk/client-s3'
import { clientOf, type S3Location } from './s3-client.ts'
import {
  type ArtifactStore,
  compress,
  daysAmong,
  decompressed,
  isKey,
  keyOf,
  keysAmong,
  servicesAmong,
} from './store.ts'

/** Milliseconds per answer, because a store that hangs must block nobody. */
const patience = 5000
export interface S3Limits {
  /** Names per listing; no store returns more at once. */
  readonly pageSize: number
  /** Milliseconds for a whole object. */
  readonly objectPatience: number
}

const usualLimits: S3Limits = { pageSize: 1000, objectPatience: 60_000 }
/** The limit of listings, above any real number of artifacts. */
const maximumPages = 1_000_000
const removalsAtOnce = 16

function statusOf(error: unknown): number | undefined {
  const metadata = error instanceof Error && '$metadata' in error ? error.$metadata : undefined
  return typeof metadata === 'object' && metadata !== null && 'httpStatusCode' in metadata
    ? Number(metadata.httpStatusCode)
    : undefined
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && error.name === 'NoSuchKey'
}

/** The reported form of a failure: the SDK's own errors carry parts of requests, such as key ids. */
function explained(bucket: string, error: unknown): Error {
  const status = statusOf(error)
  const name =
    error instanceof Error ? (error.name === 'Error' ? error.message.split('\n')[0] : error.name) : String(error)
  return new Error(`The bucket ${bucket} cannot be used: ${name}${status === undefined ? '' : ` (HTTP ${status})`}`)
}

const silence = new Error(`it did not answer in ${patience} ms`)

type Sdk = typeof import('@aws-sdk/client-s3')

interface KeptHeaders {
  readonly ContentType: string
  readonly CacheControl?: string
}

interface Bucket {
  write(name: string, bytes: Uint8Array, kept?: KeptHeaders): Promise<void>
  /** Null if there is no such object. Its bytes may come slowly, and are bounded. */
  read(name: string): Promise<Readable | null>
  /** Names with the prefix that come after the other name, in order. */
  list(prefix: string, after: string, most: number): Promise<readonly string[]>
  remove(name: string): Promise<void>
}

export function openBucket(location: S3Location): Bucket {
  const { bucket } = location
  let opened: Promise<S3Client> | undefined
  async function ask<Answer>(work: (client: S3Client, sdk: Sdk, abortSignal: AbortSignal) => Promise<Answer>) {
    opened ??= clientOf(location)
    const patient = new AbortController()
    // Cleared when the answer begins, because a slow reader may take its bytes slowly.
    const timer = setTimeout(() => patient.abort(), patience)
    try {
      return await work(await opened, await import('@aws-sdk/client-s3'), patient.signal)
    } catch (error) {
      throw isMissing(error) ? error : explained(bucket, patient.signal.aborted ? silence : error)
    } finally {
      clearTimeout(timer)
    }
  }
  return {
    async write(name, bytes, kept = { ContentType: 'application/gzip' }) {
      const input = { Bucket: bucket, Key: name, Body: bytes, ...kept }
      await ask((client, sdk, abortSignal) => client.send(new sdk.PutObjectCommand(input), { abortSignal }))
    },
    async read(name) {
      const input = { Bucket: bucket, Key: name }
      try {
        const { Body } = await ask((client, sdk, abortSignal) =>
          client.send(new sdk.GetObjectCommand(input), { abortSignal }),
        )
        return Body === undefined ? null : (Body as Readable)
      } catch (error) {
        if (isMissing(error)) return null
        throw error
      }
    },
    // The older listing: it continues after any name, for which the newer one needs a token.
    async list(prefix, after, most) {
      const input = { Bucket: bucket, Prefix: prefix, Marker: after, MaxKeys: most }
      const { Contents } = await ask((client, sdk, abortSignal) =>
        client.send(new sdk.ListObjectsCommand(input), { abortSignal }),
      )
      return (Contents ?? []).flatMap(({ Key }) => (Key === undefined ? [] : [Key]))
    },
    async remove(name) {
      const input = { Bucket: bucket, Key: name }
      await ask((client, sdk, abortSignal) => client.send(new sdk.DeleteObjectCommand(input), { abortSignal }))
    },
  }
}

const astray = new Error('The bucket lists other names than it was asked for')

/** Stores sort names by their bytes. */
function isAfter(name: string, last: string): boolean {
  return Buffer.compare(Buffer.from(name), Buffer.from(last)) > 0
}

/** All names below a prefix, read page by page. */
async function namesBelow(bucket: Bucket, prefix: string, pageSize: number): Promise<string[]> {
  const names: string[] = []
  for (let page = 0; page < maximumPages; page += 1) {
    const last = names.at(-1) ?? prefix
    const found = await bucket.list(prefix, last, pageSize)
    if (found.length === 0) break
    if (!found.every((name) => name.startsWith(prefix)) || !isAfter(found.at(-1) ?? '', last)) throw astray
    names.push(...found)
  }
  return names
}

/**
 * First parts of the names that begin with a digit. It leaps from one to the next, because not every store lists by a
 * delimiter.
 */
async function firstParts(bucket: Bucket, prefix: string): Promise<string[]> {
  const parts: string[] = []
  for (let leap = 0; leap < maximumPages; leap += 1) {
    const [name] = await bucket.list(prefix, `${prefix}${parts.length === 0 ? '0' : `${parts.at(-1)}/~`}`, 1)
    const part = name?.slice(prefix.length).split('/')[0]
    if (part === undefined || part > ':' || part <= (parts.at(-1) ?? '')) break
    parts.push(part)
  }
  return parts
}

/** All bytes, unless they come too slowly for whoever reads one object after another. */
async function gathered(source: Readable | null, patience: number): Promise<Buffer | null> {
  if (source === null) return null
  const timer = setTimeout(() => source.destroy(new Error('The bucket sends an object too slowly')), patience)
  try {
    return await buffer(source)
  } finally {
    clearTimeout(timer)
  }
}

async function removeAll(bucket: Bucket, names: readonly string[]): Promise<void> {
  for (let from = 0; from < names.length; from += removalsAtOnce) {
    await Promise.all(names.slice(from, from + removalsAtOnce).map((name) => bucket.remove(name)))
  }
}

/**
 * Artifacts in a bucket of an S3-compatible store, one object each. The bucket, or the prefix, belongs to one
 * installation.
 */
export function s3Artifacts(location: S3Location, limits: Partial<S3Limits> = {}): ArtifactStore {
  const { pageSize, objectPatience } = { ...usualLimits, ...limits }
  const bucket = openBucket(location)
  const nameOf = (key: string) => `${location.prefix}${key}.gz`

  return {
    async put(bytes, origin) {
      const key = keyOf(bytes, origin)
      await bucket.write(nameOf(key), await compress(bytes))
      return key
    },
    async open(key, range) {
      const source = isKey(key) ? await bucket.read(nameOf(key)) : null
      return source === null ? null : decompressed(source, key, range)
    },
    days: async () => daysAmong(await firstParts(bucket, location.prefix)),
    async servicesOn(day) {
      const prefix = `${location.prefix}${day}/`
      const names = await namesBelow(bucket, prefix, pageSize)
      return servicesAmong([...new Set(names.map((name) => name.slice(prefix.length).split('/')[0] ?? ''))])
    },
    async keysOf(day, serviceId) {
      const prefix = `${location.prefix}${day}/${serviceId}/`
      const names = await namesBelow(bucket, prefix, pageSize)
      return keysAmong(
        names.map((name) => name.slice(prefix.length)),
        day,
        serviceId,
      )
    },
    kept: async (key) => (isKey(key) ? gathered(await bucket.read(nameOf(key)), objectPatience) : null),
    async remove(day, serviceId) {
      const names = await namesBelow(bucket, `${location.prefix}${day}/${serviceId}/`, pageSize)
      await removeAll(bucket, names)
      return names.length
    },
    // An object exists only when it is complete.
    removeLeftovers: async () => 0,
    async tryOut() {
      const name = `${location.prefix}write-test-${randomUUID()}`
      await bucket.write(name, Buffer.from('write test'))
      const answer = await bucket.read(name)
      answer?.destroy()
      await bucket.remove(name)
      if (answer === null) throw new Error(`The bucket ${location.bucket} does not give back what is put into it`)
    },
  }
}
