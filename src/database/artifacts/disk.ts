import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
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

/** The folder of files that are still being written. */
const draftsName = 'drafts'

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

async function ifThere<Value>(found: Promise<Value>): Promise<Value | null> {
  try {
    return await found
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

async function namesIn(directory: string): Promise<string[]> {
  return (await ifThere(readdir(directory))) ?? []
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

async function writeDraft(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function place(draft: string, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await rename(draft, path)
}

/** A file gets its name only once all of it is on disk, so readers never see part of it. */
async function writeWhole(draft: string, path: string, bytes: Uint8Array): Promise<void> {
  try {
    await writeDraft(draft, bytes)
    // Repeats if the folder was removed meanwhile because it was empty.
    await place(draft, path).catch((error: unknown) => (isMissing(error) ? place(draft, path) : Promise.reject(error)))
  } catch (error) {
    // The first error is reported; leftover drafts are swept away later.
    await rm(draft, { force: true }).catch(() => undefined)
    throw error
  }
  await syncDirectory(dirname(path))
}

async function removeOlder(directory: string, beforeAt: number): Promise<number> {
  let removed = 0
  for (const name of await namesIn(directory)) {
    const path = join(directory, name)
    // Another process has removed it meanwhile.
    const found = await stat(path).catch(() => null)
    if (found === null || found.mtimeMs >= beforeAt) continue
    await rm(path, { force: true })
    removed += 1
  }
  return removed
}

/** Artifacts below a directory, one file each. */
export function diskArtifacts(directory: string): ArtifactStore {
  const drafts = join(directory, draftsName)
  const pathOf = (key: string) => join(directory, `${key}.gz`)

  async function write(path: string, bytes: Uint8Array): Promise<void> {
    await mkdir(drafts, { recursive: true, mode: 0o700 })
    await writeWhole(join(drafts, randomUUID()), path, await compress(bytes))
  }

  return {
    async put(bytes, origin) {
      const key = keyOf(bytes, origin)
      const path = pathOf(key)
      if ((await ifThere(stat(path))) === null) await write(path, bytes)
      return key
    },
    async open(key, range) {
      const file = isKey(key) ? await ifThere(open(pathOf(key))) : null
      return file === null ? null : decompressed(file.createReadStream(), key, range)
    },
    days: async () => daysAmong(await namesIn(directory)),
    servicesOn: async (day) => servicesAmong(await namesIn(join(directory, day))),
    keysOf: async (day, serviceId) => keysAmong(await namesIn(join(directory, day, String(serviceId))), day, serviceId),
    kept: async (key) => (isKey(key) ? ifThere(readFile(pathOf(key))) : null),
    async remove(day, serviceId) {
      const folder = join(directory, day, String(serviceId))
      const names = await namesIn(folder)
      await rm(folder, { recursive: true, force: true })
      // Not empty: another service still has artifacts there.
      await rmdir(join(directory, day)).catch(() => undefined)
      return names.length
    },
    removeLeftovers: (beforeAt) => removeOlder(drafts, beforeAt),
    async tryOut() {
      const path = join(drafts, `write-test-${randomUUID()}`)
      await write(path, Buffer.from('write test'))
      await rm(path)
    },
  }
}
