import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** A file that runs as a process of its own. */
export interface EntryFile {
  readonly path: string
  /** Options of node that it needs: source files need their loader. */
  readonly execArgv: readonly string[]
}

export interface EntryNames {
  /** The path relative to the file that looks for it. */
  readonly source: string
  /** The path below the folder of the bundle, where chunks may lie deeper than the entry. */
  readonly bundled: string
}

const farthestFolder = 3
/** For development: the folder of a bundle of the running sources. Its processes start in a third of the time. */
const bundleVariable = 'BUNDLE_OF_SOURCES'

/** `from` is the address of the file that looks. Throws if the entry is missing there. */
export function findEntry(names: EntryNames, from: string): EntryFile {
  const candidates = from.endsWith('.ts') ? [besideSources(names)] : aboveOrHere(names.bundled)
  const found = candidates.map((name) => fileURLToPath(new URL(name, from))).find((path) => existsSync(path))
  if (found === undefined) throw new Error(`A process is missing beside the program: ${names.bundled}`)
  return entryAt(found)
}

function besideSources({ source, bundled }: EntryNames): string {
  const folder = process.env[bundleVariable]
  return folder === undefined ? source : pathToFileURL(join(folder, bundled)).href
}

function aboveOrHere(name: string): readonly string[] {
  return Array.from({ length: farthestFolder }, (_none, level) => `${'../'.repeat(level)}${name}`)
}

export function entryAt(path: string): EntryFile {
  if (!path.endsWith('.ts')) return { path, execArgv: [] }
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
  return { path, execArgv: ['--import', loader] }
}
