import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { CannotStart } from './cannot-start.ts'

/** Like a recursive `mkdir`, which for ever tries anew below a directory that takes none (`/proc`; Node.js 20). */
async function makeDirectory(path: string): Promise<void> {
  const make = () => mkdir(path, { mode: 0o700 })
  await make().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') return
    if (error.code !== 'ENOENT' || dirname(path) === path) throw error
    await makeDirectory(dirname(path))
    await make()
  })
}

/** Makes the directory, for this user alone, and tries a write: permissions, full and read-only disks all show. */
export async function ensureDataDirectory(path: string): Promise<void> {
  try {
    await makeDirectory(path)
    await rm(await mkdtemp(join(path, '.writable-')), { recursive: true })
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw new CannotStart(`The data directory ${path} cannot be written to (${reason}); choose another with DATA_DIR.`)
  }
}
