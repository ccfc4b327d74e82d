import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { S3Client } from '@aws-sdk/client-s3'
import { type ArtifactStore, compress, daysAmong, decompressed, isKey, keyOf, servicesAmong } from './store.ts'

export interface S3Place {
  /** Undefined: Amazon's own. */
  readonly endpoint: string | undefined
  readonly region: string
  readonly bucket: string
  /** Stands before every key; empty, or ends in a slash. */
  readonly prefix: string
  /** Undefined: found as the SDK finds them (environment, profile, role of the machine). */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined
}

/** Milliseconds of one answer: a store that hangs must hold up nobody. */
const patience = 5000
const pageSize = 1000
/** Of one listing: a thousand million keys. */
const maximumPages = 1_000_000
const removalsAtOnce = 16

/** The SDK is large: it is loaded when the first artifact is kept or asked for. */
async function clientOf({ endpoint, region, credentials }: S3Place): Promise<S3Client> {
  const { S3Client: Client } = await import('@aws-sdk/client-s3')
  return new Client({
    region,
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    ...(credentials === undefined ? {} : { credentials }),
    maxAttempts: 2,
    // Many a compatible store knows no other checksums than those it asks for.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
}

function statusOf(error: unknown): number | undefined {
  const metadata = error instanceof Error && '$metadata' in error ? error.$metadata : undefined
  return typeof metadata === 'object' && metadata !== null && 'httpStatusCode' in metadata
    ? Number(metadata.httpStatusCode)
    : undefined
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && error.name === 'NoSuchKey'
}

/** What is told of a failure: the SDK's own errors carry parts of requests, key ids among them. */
function explained(bucket: string, error: unknown): Error {
  const status = statusOf(error)
  const name = error instanceof Error ? (error.name === 'Error' ? error.message : error.name) : String(error)
  return new Error(`The bucket ${bucket} cannot be used: ${name}${status === undefined ? '' : ` (HTTP ${status})`}`)
}

const silence = new Error(`it did not answer in ${patience} ms`)

type Sdk = typeof import('@aws-sdk/client-s3')

interface Bucket {
  write(name: string, bytes: Uint8Array): Promise<void>
  /** Null when there is no such object. */
  read(name: string): Promise<Readable | null>
  /** What stands below a prefix: names of objects, or with a delimiter the next parts of the names. */
  list(prefix: string, delimiter?: string): AsyncGenerator<string>
  remove(name: string): Promise<void>
}

function openBucket(place: S3Place): Bucket {
  const { bucket } = place
  let opened: Promise<S3Client> | undefined
  async function ask<Answer>(work: (client: S3Client, sdk: Sdk, abortSignal: AbortSignal) => Promise<Answer>) {
    opened ??= clientOf(place)
    const patient = new AbortController()
    // Taken back when the answer begins: its bytes may come as slowly as a reader takes them.
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
    async write(name, bytes) {
      const input = { Bucket: bucket, Key: name, Body: bytes, ContentType: 'application/gzip' }
      await ask((client, sdk, abortSignal) => client.send(new sdk.PutObjectCommand(input), { abortSignal }))
    },
    async read(name) {
      const input = { Bucket: bucket, Key: name }
      try {
        const { Body } = await ask((client, sdk, abortSignal) =>
          client.send(new sdk.GetObjectCommand(input), { abortSignal }),
        )
        return Body instanceof Readable ? Body : null
      } catch (error) {
        if (isMissing(error)) return null
        throw error
      }
    },
    async *list(prefix, delimiter) {
      let next: string | undefined
      for (let page = 0; page < maximumPages; page += 1) {
        const input = {
          ...{ Bucket: bucket, Prefix: prefix, MaxKeys: pageSize },
          ...(delimiter === undefined ? {} : { Delimiter: delimiter }),
          ...(next === undefined ? {} : { ContinuationToken: next }),
        }
        const found = await ask((client, sdk, abortSignal) =>
          client.send(new sdk.ListObjectsV2Command(input), { abortSignal }),
        )
        if (delimiter === undefined) for (const { Key } of found.Contents ?? []) yield Key ?? ''
        else for (const { Prefix = '' } of found.CommonPrefixes ?? []) yield Prefix.slice(prefix.length, -1)
        next = found.NextContinuationToken
        if (next === undefined) return
      }
    },
    async remove(name) {
      const input = { Bucket: bucket, Key: name }
      await ask((client, sdk, abortSignal) => client.send(new sdk.DeleteObjectCommand(input), { abortSignal }))
    },
  }
}

async function collected(names: AsyncGenerator<string>): Promise<string[]> {
  const found: string[] = []
  for await (const name of names) found.push(name)
  return found
}

/** Artifacts in a bucket of an S3-compatible store, one object each. The bucket, or the prefix, belongs to one installation. */
export function s3Artifacts(place: S3Place): ArtifactStore {
  const bucket = openBucket(place)
  const nameOf = (key: string) => `${place.prefix}${key}.gz`

  return {
    async put(bytes, origin) {
      const key = keyOf(bytes, origin)
      await bucket.write(nameOf(key), await compress(bytes))
      return key
    },
    async open(key, range) {
      const source = isKey(key) ? await bucket.read(nameOf(key)) : null
      return source === null ? null : decompressed(source, range)
    },
    async days() {
      return daysAmong(await collected(bucket.list(place.prefix, '/')))
    },
    async servicesOn(day) {
      return servicesAmong(await collected(bucket.list(`${place.prefix}${day}/`, '/')))
    },
    async remove(day, serviceId) {
      const names = await collected(bucket.list(`${place.prefix}${day}/${serviceId}/`))
      for (let from = 0; from < names.length; from += removalsAtOnce) {
        await Promise.all(names.slice(from, from + removalsAtOnce).map((name) => bucket.remove(name)))
      }
      return names.length
    },
    // An object is there when all of it is.
    removeLeftovers: async () => 0,
    async probe() {
      const name = `${place.prefix}probe-${randomUUID()}`
      await bucket.write(name, Buffer.from('probe'))
      const answer = await bucket.read(name)
      answer?.destroy()
      await bucket.remove(name)
      if (answer === null) throw new Error(`The bucket ${place.bucket} does not give back what is put into it`)
    },
  }
}
