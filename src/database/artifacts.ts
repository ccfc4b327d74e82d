import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'

const compress = promisify(gzip)
const decompress = promisify(gunzip)

/** Evidence of failed checks: bytes kept by their digest, so that the same page is kept once. */
export interface ArtifactStore {
  /** Returns the key; the bytes are on disk when it does. */
  put(bytes: Uint8Array): Promise<string>
  /** Null when there is no such artifact (any more). */
  read(key: string): Promise<Buffer | null>
  /** Removes what nobody has put again since the moment; returns how many. */
  prune(beforeAt: number): Promise<number>
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const temporary = `${path}.${randomUUID()}`
  const file = await open(temporary, 'wx')
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(temporary, path)
}

/** Artifacts below a directory, compressed. */
export function createArtifactStore(directory: string): ArtifactStore {
  const pathOf = (key: string) => join(directory, key.slice(0, 2), `${key}.gz`)

  async function pruneFolder(folder: string, beforeAt: number): Promise<number> {
    let removed = 0
    for (const name of await readdir(folder)) {
      const path = join(folder, name)
      if ((await stat(path)).mtimeMs >= beforeAt) continue
      await rm(path, { force: true })
      removed += 1
    }
    return removed
  }

  return {
    async put(bytes) {
      const key = createHash('sha256').update(bytes).digest('hex')
      const path = pathOf(key)
      const now = new Date()
      const isKnown = await utimes(path, now, now).then(
        () => true,
        () => false,
      )
      if (!isKnown) await writeDurably(path, await compress(bytes))
      return key
    },
    async read(key) {
      if (!/^[0-9a-f]{64}$/.test(key)) return null
      try {
        return await decompress(await readFile(pathOf(key)))
      } catch (error) {
        if (isMissing(error)) return null
        throw error
      }
    },
    async prune(beforeAt) {
      const folders = await readdir(directory).catch(() => [])
      let removed = 0
      for (const folder of folders) removed += await pruneFolder(join(directory, folder), beforeAt)
      return removed
    },
  }
}
