import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'

export interface Entry {
  readonly path: string
  /** Options of node that the entry needs: source files need their loader. */
  readonly execArgv: readonly string[]
}

const farthestFolder = 3

/** Finds the file to fork: beside this one in the source, below a folder above this one in the bundle (chunks move). */
export function findEntry(given: URL | string | undefined, from: string = import.meta.url): Entry {
  if (given !== undefined) return entryOf(given instanceof URL ? fileURLToPath(given) : given)
  return findChild({ source: './process.ts', bundled: 'sensor/process.js' }, from)
}

/** `source` is seen from the file `from`, `bundled` from the folder of the bundle. */
export function findChild(names: { readonly source: string; readonly bundled: string }, from: string): Entry {
  const candidates = from.endsWith('.ts') ? [names.source] : aboveOrHere(names.bundled)
  const found = candidates.map((name) => fileURLToPath(new URL(name, from))).find((path) => existsSync(path))
  if (found === undefined) throw new Error(`A process is missing beside the program: ${names.bundled}`)
  return entryOf(found)
}

function aboveOrHere(name: string): readonly string[] {
  return Array.from({ length: farthestFolder }, (_none, level) => `${'../'.repeat(level)}${name}`)
}

function entryOf(path: string): Entry {
  if (!path.endsWith('.ts')) return { path, execArgv: [] }
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
  return { path, execArgv: ['--import', loader] }
}
