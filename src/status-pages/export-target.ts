import { access, mkdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { openBucket } from '../database/artifacts/s3.ts'
import type { S3Location } from '../database/artifacts/s3-client.ts'

/** A place for exported files. Readers see the old file or the new one, and never a part. */
export interface ExportTarget {
  /** Null: there is no such file. */
  read(name: string): Promise<Buffer | null>
  has(name: string): Promise<boolean>
  write(name: string, bytes: Buffer, type: string): Promise<void>
  remove(name: string): Promise<void>
  /** The file in words for people. */
  place(name: string): string
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

export function directoryTarget(directory: string): ExportTarget {
  const place = (name: string) => join(directory, name)
  return {
    place,
    async read(name) {
      try {
        return await readFile(place(name))
      } catch (error) {
        if (isMissing(error)) return null
        throw error
      }
    },
    async has(name) {
      try {
        await access(place(name))
        return true
      } catch (error) {
        if (isMissing(error)) return false
        throw error
      }
    },
    async write(name, bytes) {
      await mkdir(dirname(place(name)), { recursive: true })
      await writeFile(`${place(name)}.new`, bytes)
      await rename(`${place(name)}.new`, place(name))
    },
    async remove(name) {
      await rm(place(name), { force: true })
      // A directory that holds anything else stays.
      for (let parent = dirname(name); parent !== '.'; parent = dirname(parent)) {
        const isGone = await rmdir(place(parent)).then(
          () => true,
          () => false,
        )
        if (!isGone) break
      }
    },
  }
}

/** Caches may keep a file as long as they keep the page. */
const cacheControl = 'public, max-age=30, stale-if-error=600'

export function bucketTarget(where: S3Location): ExportTarget {
  const bucket = openBucket(where)
  const key = (name: string) => `${where.prefix}${name}`
  return {
    place: (name) => `s3://${where.bucket}/${key(name)}`,
    async read(name) {
      const found = await bucket.read(key(name))
      return found === null ? null : buffer(found)
    },
    async has(name) {
      const [next] = await bucket.list(key(name), '', 1)
      return next === key(name)
    },
    write: (name, bytes, type) => bucket.write(key(name), bytes, { ContentType: type, CacheControl: cacheControl }),
    remove: (name) => bucket.remove(key(name)),
  }
}
