import { createReadStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import tar from 'tar-stream'
import { errorText } from '../../domain/text/error-text.ts'
import { damaged } from './manifest.ts'
import { DumpRefused } from './refused.ts'

export interface DumpEntry {
  readonly path: string
  readonly bytes: Buffer
  /** The approximate end of the entry in the file. */
  readonly at: number
}

/**
 * The longest entry that is read into memory. A table's part is far smaller, and so is the manifest of a full disk of
 * them.
 */
const longestEntry = 256 * 1_048_576

/** More characters than our longest entry name; a tar can have names of megabytes. */
const longestName = 255

/** Accepts plain files with short names; we write no other kind of tar entry. */
function isOfOurKind({ type, name, pax }: tar.Header): boolean {
  return type === 'file' && name.length <= longestName && (pax ?? null) === null
}

export interface DumpWriter {
  add(path: string, bytes: Buffer): Promise<void>
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

/**
 * Writes a tar file that gets its name only once all of it is on disk, readable to this user alone. Fails if the name
 * is taken.
 */
export async function writeFileWhole(
  path: string,
  options: { readonly writtenAt: number; readonly signal: AbortSignal },
  fill: (writer: DumpWriter) => Promise<void>,
): Promise<{ readonly bytes: number }> {
  if (await isThere(path)) throw new DumpRefused(`${path} exists already: choose another name.`)
  const draft = `${path}.part-${process.pid}`
  try {
    const target = await open(draft, 'wx', 0o600)
    const pack = tar.pack()
    const written = pipeline(Readable.from(pack), target.createWriteStream({ flush: true }), { signal: options.signal })
    const filled = fill({ add: (name, bytes) => addEntry(pack, { name, bytes, writtenAt: options.writtenAt }) })
    // A full disk ends the write while the producer waits for it.
    const broken = written.then(
      () => undefined,
      (error: unknown) => Promise.reject(error),
    )
    await Promise.race([filled, broken.then(() => filled)]).catch(async (error: unknown) => {
      pack.destroy()
      // The first error is reported.
      await written.catch(() => undefined)
      throw error
    })
    pack.finalize()
    await written
    const { size } = await stat(draft)
    await rename(draft, path)
    return { bytes: size }
  } catch (error) {
    await rm(draft, { force: true })
    throw explained(error, path)
  }
}

function explained(error: unknown, path: string): unknown {
  const isOfFiles = error instanceof Error && 'syscall' in error && 'errno' in error && 'path' in error
  const isFull = error instanceof Error && 'code' in error && error.code === 'ENOSPC'
  return isOfFiles || isFull ? new DumpRefused(`${path} cannot be written: ${errorText(error)}.`) : error
}

function addEntry(pack: tar.Pack, entry: { name: string; bytes: Buffer; writtenAt: number }): Promise<void> {
  const header = { name: entry.name, mode: 0o600, mtime: new Date(entry.writtenAt), size: entry.bytes.length }
  return new Promise((resolve, reject) => {
    pack.entry(header, entry.bytes, (error) => (error ? reject(error) : resolve()))
  })
}

export async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size
  } catch (error) {
    throw new DumpRefused(`${path} cannot be read: ${errorText(error)}.`)
  }
}

/** Reads the entries in order. Throws `DumpRefused` if the file is truncated or no tar. */
export async function* readEntries(path: string, signal: AbortSignal): AsyncGenerator<DumpEntry> {
  const extract = tar.extract()
  const source = createReadStream(path, { signal })
  const reading = pipeline(source, extract)
  // The loop below meets the same error; this promise needs a handler in case the loop is left early.
  reading.catch(() => undefined)
  try {
    for await (const entry of extract) {
      if (!isOfOurKind(entry.header))
        throw damaged(path, 'it holds something that no backup has: a link, or a very long name')
      if ((entry.header.size ?? 0) > longestEntry) throw damaged(path, 'one of its parts is too long')
      yield { path: entry.header.name, bytes: await buffer(entry), at: source.bytesRead }
    }
  } catch (error) {
    if (error instanceof DumpRefused || signal.aborted) throw error
    const isOfFiles = error instanceof Error && 'syscall' in error
    throw isOfFiles
      ? new DumpRefused(`${path} cannot be read: ${errorText(error)}.`)
      : damaged(path, 'it is not a tar file of Latarnik')
  } finally {
    source.destroy()
  }
}
