import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Fault, FaultyConfiguration } from './fault.ts'

/** A file of definitions as it was read. */
export interface SourceFile {
  readonly path: string
  readonly text: string
}

const endings = ['.yaml', '.yml', '.json']
const largestBytes = 8 * 1024 * 1024
export const mostFiles = 2000
const deepest = 10

export function refusedFile(path: string, message: string): FaultyConfiguration {
  return new FaultyConfiguration([{ place: { file: path, line: 1, column: 1 }, pointer: '', message }])
}

/** Folders are read with all that is below them, in the order of the alphabet; hidden names are left out. */
export async function filesBelow(folder: string, depth: number): Promise<string[]> {
  if (depth > deepest) throw refusedFile(folder, `Folders are read ${deepest} levels deep.`)
  const paths: string[] = []
  for (const name of (await readdir(folder)).toSorted()) {
    if (name.startsWith('.')) continue
    const path = join(folder, name)
    const found = await stat(path)
    if (found.isDirectory()) paths.push(...(await filesBelow(path, depth + 1)))
    else if (endings.some((ending) => name.endsWith(ending))) paths.push(path)
  }
  return paths
}

async function namedFiles(path: string): Promise<readonly string[]> {
  const found = await stat(path)
  return found.isDirectory() ? filesBelow(path, 0) : [path]
}

export async function readOne(path: string): Promise<SourceFile> {
  const { size } = await stat(path)
  if (size > largestBytes) throw refusedFile(path, `A file has at most ${largestBytes / 1024 / 1024} MiB.`)
  return { path, text: await readFile(path, 'utf8') }
}

/** @param paths files and folders; `-` is standard input */
export async function readFiles(paths: readonly string[], standardInput: () => Promise<string>): Promise<SourceFile[]> {
  const files: SourceFile[] = []
  const seen = new Set<string>()
  const faults: Fault[] = []
  for (const given of paths) {
    try {
      const named = given === '-' ? ['-'] : await namedFiles(given)
      for (const path of named) {
        if (seen.has(path)) continue
        seen.add(path)
        files.push(path === '-' ? { path: 'standard input', text: await standardInput() } : await readOne(path))
      }
    } catch (error) {
      if (error instanceof FaultyConfiguration) faults.push(...error.faults)
      else faults.push({ place: null, pointer: '', message: `${given} cannot be read: ${reasonOf(error)}.` })
    }
    if (files.length > mostFiles) throw refusedFile(given, `There are more than ${mostFiles} files.`)
  }
  if (faults.length > 0) throw new FaultyConfiguration(faults)
  return files
}

export function reasonOf(error: unknown): string {
  if (error instanceof Error && 'code' in error) {
    if (error.code === 'ENOENT') return 'there is no such file'
    if (error.code === 'EACCES') return 'permission denied'
  }
  return error instanceof Error ? error.message : String(error)
}
