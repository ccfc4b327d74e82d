import { constants } from 'node:fs'
import { type FileHandle, lstat, open, readdir, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { FaultyConfiguration, type FileFault } from './fault.ts'

/** A file of definitions as it was read. */
export interface SourceFile {
  readonly path: string
  readonly text: string
}

const endings = ['.yaml', '.yml', '.json']
const mebibyte = 1024 * 1024
/** Of one file, in bytes or in characters. */
export const largestFile = 8 * mebibyte
const mostBytes = 64 * mebibyte
const mostFiles = 2000
/** A folder with more names of whatever kind is no folder of definitions. */
const mostNames = 20_000
const deepest = 10

function refusedFile(path: string, message: string, line = 1): FaultyConfiguration {
  return new FaultyConfiguration([{ place: { file: path, line, column: 1 }, pointer: '', message }])
}

/** Everything below a folder, within the bounds. */
interface Search {
  /** Links may lead to what is below this folder alone; null: anywhere. */
  readonly root: string | null
  readonly paths: string[]
  names: number
}

async function kindOf(path: string): Promise<'folder' | 'file' | 'gone'> {
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'file'
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw refusedFile(path, `It cannot be read: ${reasonOf(error)}.`)
    // Deleted since its folder was read, or a link to nowhere.
    const isLink = await lstat(path).then(
      (found) => found.isSymbolicLink(),
      () => false,
    )
    if (isLink) throw refusedFile(path, 'It is a link to a file that does not exist.')
    return 'gone'
  }
}

async function search(folder: string, depth: number, into: Search): Promise<void> {
  if (depth > deepest) throw refusedFile(folder, `Folders are read ${deepest} levels deep.`)
  const entries = await readdir(folder, { withFileTypes: true })
  into.names += entries.length
  if (into.names > mostNames) throw refusedFile(folder, `Folders have at most ${mostNames} names in all.`)
  for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    const { name } = entry
    const isFile = endings.some((ending) => name.endsWith(ending))
    if (name.startsWith('.') || (entry.isFile() && !isFile)) continue
    const path = join(folder, name)
    const kind = entry.isSymbolicLink() ? await linked(path, into) : entry.isDirectory() ? 'folder' : 'file'
    if (kind === 'folder') await search(path, depth + 1, into)
    else if (kind === 'file' && isFile) into.paths.push(path)
    if (into.paths.length > mostFiles) throw refusedFile(folder, `There are more than ${mostFiles} files.`)
  }
}

async function linked(path: string, { root }: Search): Promise<'folder' | 'file' | 'gone'> {
  const kind = await kindOf(path)
  // Files are examined when they are read. Files in a folder elsewhere are not even listed.
  if (kind === 'folder' && root !== null) ensureWithin(root, path, await realpath(path))
  return kind
}

/** A link out of the directory could show any file of the machine in a message. */
function ensureWithin(root: string, path: string, real: string): void {
  if (real !== root && !real.startsWith(root + sep))
    throw refusedFile(path, 'It is a link to a file outside of the directory.')
}

/**
 * Folders are read with all that is below them, in the order of the alphabet; hidden names are left out.
 *
 * @param root the folder that links may not leave; null: they may lead anywhere
 */
export async function filesBelow(folder: string, root: string | null = null): Promise<readonly string[]> {
  const found: Search = { root, paths: [], names: 0 }
  await search(folder, 0, found)
  return found.paths
}

/** Reads files one after the other, until they are too many bytes in all. */
export class FileReader {
  readonly #root: string | null
  #bytes = 0

  /** @param root the folder that files may not lie outside of; null: they may lie anywhere */
  constructor(root: string | null) {
    this.#root = root
  }

  /** @param isNamed whether a person named it: then it may be a pipe */
  async read(path: string, { isNamed = false } = {}): Promise<SourceFile> {
    if (this.#root !== null) ensureWithin(this.#root, path, await realpath(path).catch(refusalAt(path)))
    // Opening a pipe that nobody writes to would wait for ever.
    const flags = isNamed ? constants.O_RDONLY : constants.O_RDONLY | constants.O_NONBLOCK
    const file = await open(path, flags).catch(refusalAt(path))
    try {
      if (!isNamed && !(await file.stat()).isFile()) throw refusedFile(path, 'It is no regular file.')
      if (this.#root !== null) await ensureOpenedWithin(this.#root, path, file)
      return await this.readFrom(file.createReadStream({ autoClose: false }), path)
    } finally {
      await file.close()
    }
  }

  /** @param path for people */
  async readFrom(stream: AsyncIterable<Buffer>, path: string): Promise<SourceFile> {
    const bytes = await upTo(largestFile, stream)
    if (bytes === null) throw refusedFile(path, `A file has at most ${largestFile / mebibyte} MiB.`)
    this.#bytes += bytes.length
    if (this.#bytes > mostBytes) throw refusedFile(path, `All files have at most ${mostBytes / mebibyte} MiB.`)
    return { path, text: textOf(bytes, path) }
  }
}

/** One that vanished is read again with all others. */
function refusalAt(path: string): (error: unknown) => never {
  return (error) => {
    if (codeOf(error) === 'ENOENT') throw error
    throw refusedFile(path, `It cannot be read: ${reasonOf(error)}.`)
  }
}

/** The open file lies in the folder, even if a link on the way was turned while it was opened. */
async function ensureOpenedWithin(root: string, path: string, file: FileHandle): Promise<void> {
  const real = await realpath(path)
  ensureWithin(root, path, real)
  const [opened, there] = [await file.stat(), await stat(real)]
  // Replaced meanwhile; the reader looks again.
  if (opened.ino !== there.ino || opened.dev !== there.dev) throw new Error(`${path} is another file now`)
}

/** The bytes of a stream; null if there are more. */
export async function upTo(most: number, stream: AsyncIterable<Buffer>): Promise<Buffer | null> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of stream) {
    length += part.length
    if (length > most) return null
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** Characters that are none would be replaced, and the names with them. */
function textOf(bytes: Buffer, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw refusedFile(path, 'The file is no text in UTF-8.', faultyLine(bytes))
  }
}

/** The line with the first byte that is no text. */
function faultyLine(bytes: Buffer): number {
  const lines = bytes.toString('latin1').split('\n')
  const at = lines.findIndex((line) => {
    const own = Buffer.from(line, 'latin1')
    return !own.equals(Buffer.from(own.toString('utf8')))
  })
  return Math.max(0, at) + 1
}

/** @param paths files and folders; `-` is standard input */
export async function readFiles(paths: readonly string[], standardInput: AsyncIterable<Buffer>): Promise<SourceFile[]> {
  const reader = new FileReader(null)
  const files: SourceFile[] = []
  const seen = new Set<string>()
  const faults: FileFault[] = []
  for (const given of paths) {
    try {
      const isFolder = given !== '-' && (await stat(given)).isDirectory()
      const paths = isFolder ? await filesBelow(given) : [given]
      if (paths.length === 0) throw new Error(`it has no file that ends with ${endings.join(', ')}`)
      for (const path of paths) {
        if (seen.has(path)) continue
        seen.add(path)
        const isInput = path === '-'
        const reading = isInput
          ? reader.readFrom(standardInput, 'standard input')
          : reader.read(path, { isNamed: !isFolder })
        files.push(await reading)
      }
    } catch (error) {
      if (error instanceof FaultyConfiguration) for (const fault of error.faults) faults.push(fault)
      else faults.push({ place: null, pointer: '', message: `${given} cannot be read: ${reasonOf(error)}.` })
    }
    if (files.length > mostFiles) throw refusedFile(given, `There are more than ${mostFiles} files.`)
  }
  if (faults.length > 0) throw new FaultyConfiguration(faults)
  return files
}

export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

export function reasonOf(error: unknown): string {
  const code = codeOf(error)
  if (code === 'ENOENT') return 'there is no such file'
  if (code === 'EACCES') return 'permission denied'
  if (code === 'ELOOP') return 'links lead in a circle'
  return error instanceof Error ? error.message : String(error)
}
