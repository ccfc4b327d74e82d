import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { digestOf, isKey } from '../artifacts/store.ts'
import { type DumpEntry, readEntries, sizeOf } from './file.ts'
import {
  type DumpHeader,
  damaged,
  headerName,
  type Manifest,
  manifestName,
  noneOfOurs,
  parseHeader,
  parseManifest,
  sealName,
} from './manifest.ts'
import type { DumpProgress } from './progress.ts'

const gunzipped = promisify(gunzip)
/** A part holds four megabytes and a row; an artifact is smaller. */
const longestContent = 256 * 1_048_576

/** Rejects a result above the limit, because a small file can unpack to any size. */
export function unpack(bytes: Buffer): Promise<Buffer> {
  return gunzipped(bytes, { maxOutputLength: longestContent })
}

const artifactPath = /^artifacts\/(.+)\.gz$/

/** The key of an artifact's entry; null for any other entry. */
export function artifactKeyOf(path: string): string | null {
  const key = artifactPath.exec(path)?.[1]
  return key !== undefined && isKey(key) ? key : null
}

export interface Checked {
  readonly header: DumpHeader
  readonly manifest: Manifest
}

export interface CheckOptions {
  readonly file: string
  readonly progress: DumpProgress
  readonly signal: AbortSignal
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** The content found in the file, to be compared with the manifest at its end. */
class Met {
  readonly #file: string
  readonly #parts = new Map<string, string>()
  readonly #names = createHash('sha256')
  #artifacts = 0

  constructor(file: string) {
    this.#file = file
  }

  async take({ path, bytes }: Pick<DumpEntry, 'path' | 'bytes'>): Promise<void> {
    const key = artifactKeyOf(path)
    if (key === null) {
      this.#parts.set(path, sha256(bytes))
      return
    }
    // An entry that cannot be unpacked has the wrong digest, so the next line refuses it.
    const content = await unpack(bytes).catch(() => Buffer.alloc(0))
    if (sha256(content) !== digestOf(key)) throw this.#wrong(path)
    this.#names.update(`${path}\n`)
    this.#artifacts += 1
  }

  compare({ header_sha256, tables, artifacts }: Manifest): void {
    const parts = [{ path: headerName, sha256: header_sha256 }, ...tables.flatMap((table) => table.parts)]
    for (const { path, sha256 } of parts) if (this.#parts.get(path) !== sha256) throw this.#wrong(path)
    if (parts.length !== this.#parts.size) throw damaged(this.#file, 'it holds more than its manifest names')
    if (artifacts.count !== this.#artifacts || artifacts.sha256 !== this.#names.digest('hex')) {
      throw damaged(this.#file, 'artifacts are missing or were replaced')
    }
  }

  #wrong(path: string): Error {
    return damaged(this.#file, `${path} was changed`)
  }
}

function headerOf({ path, bytes }: DumpEntry, file: string): DumpHeader {
  if (path !== headerName) throw noneOfOurs(file)
  return parseHeader(bytes, file)
}

/**
 * Reads the whole file before anything is changed. Throws `DumpRefused` if it is damaged, truncated, foreign or of a
 * later format.
 */
export async function checkDump({ file, progress, signal }: CheckOptions): Promise<Checked> {
  const met = new Met(file)
  let header: DumpHeader | undefined
  let manifestBytes: Buffer | undefined
  let seal: string | undefined
  progress.begin(await sizeOf(file))
  try {
    for await (const entry of readEntries(file, signal)) {
      header ??= headerOf(entry, file)
      if (seal !== undefined) throw damaged(file, 'something was added to its end')
      if (entry.path === sealName) seal = entry.bytes.toString()
      else if (entry.path === manifestName) manifestBytes = entry.bytes
      else await met.take(entry)
      progress.at(entry.at, 'checking')
    }
  } finally {
    progress.end()
  }
  if (header === undefined) throw noneOfOurs(file)
  if (manifestBytes === undefined || seal === undefined) throw damaged(file, 'it ends too early')
  if (sha256(manifestBytes) !== seal) throw damaged(file, 'its manifest was changed')
  const manifest = parseManifest(manifestBytes, file)
  met.compare(manifest)
  return { header, manifest }
}
