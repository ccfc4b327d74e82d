import { createHash } from 'node:crypto'
import { realpath, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { FaultyConfiguration } from '../fault.ts'
import { codeOf, FileReader, filesBelow, reasonOf, type SourceFile } from '../files.ts'

/**
 * The files of a watched directory. It may be a symbolic link that somebody turns to another folder (git-sync), or
 * hold links into one that is replaced (the `..data` of Kubernetes).
 */

export interface DirectoryLook {
  /** The folder itself, behind all links. */
  readonly root: string
  readonly paths: readonly string[]
  /** It tells whether a file came, went, or became another one. */
  readonly stamp: string
}

export interface DirectoryFiles extends DirectoryLook {
  readonly files: readonly SourceFile[]
}

/** The directory tells nothing: it is not there, or has no file. That never means that everything is to be deleted. */
export class UnreadableDirectory extends Error {}

/** Files change while they are read, again and again. */
const mostReadings = 3

export async function lookAt(directory: string): Promise<DirectoryLook> {
  try {
    const root = await realpath(directory)
    const paths = await filesBelow(root, root)
    if (paths.length === 0) throw new UnreadableDirectory(`${directory} has no YAML file; nothing is changed.`)
    const digest = createHash('sha256').update(root)
    for (const path of paths) {
      digest.update(JSON.stringify([relative(root, path), ...(await factsOf(path))]))
    }
    return { root, paths, stamp: digest.digest('base64url') }
  } catch (error) {
    if (error instanceof UnreadableDirectory || error instanceof FaultyConfiguration) throw error
    throw new UnreadableDirectory(`${directory} cannot be read: ${reasonOf(error)}; nothing is changed.`)
  }
}

/** A file that vanished since its folder was read has none: the next look is another one. */
async function factsOf(path: string): Promise<readonly unknown[]> {
  try {
    const real = await realpath(path)
    const { size, mtimeMs, ino } = await stat(real)
    return [real, size, mtimeMs, ino]
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}

async function readAll({ root, paths }: DirectoryLook): Promise<readonly SourceFile[]> {
  const files: SourceFile[] = []
  const reader = new FileReader(root)
  for (const path of paths) files.push(await reader.read(path))
  return files
}

/** The files as they were at one moment: when one is replaced meanwhile, all are read again. */
export async function readDirectory(directory: string): Promise<DirectoryFiles> {
  for (let reading = 0; reading < mostReadings; reading += 1) {
    const look = await lookAt(directory)
    const files = await readAll(look).catch((error: unknown) => {
      if (error instanceof FaultyConfiguration) throw error
      return null
    })
    const after = await lookAt(directory)
    if (files !== null && after.stamp === look.stamp) return { ...look, files }
  }
  throw new UnreadableDirectory(`The files of ${directory} change while they are read; nothing is changed.`)
}

/** A path as the operator wrote its beginning. */
export function shownPath(path: string, { root }: DirectoryLook, directory: string): string {
  return path === root || path.startsWith(root + sep) ? join(directory, relative(root, path)) : path
}
