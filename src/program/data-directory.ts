import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDirectory, systemReason } from '../database/make-directory.ts'
import { CannotStart } from './cannot-start.ts'

/**
 * Makes the directory, for this user alone, and tries a write. That reveals wrong permissions, full disks and read-only
 * disks.
 */
export async function ensureDataDirectory(path: string): Promise<void> {
  try {
    await makeDirectory(path)
    await rm(await mkdtemp(join(path, '.writable-')), { recursive: true })
  } catch (error) {
    const reason = systemReason(error)
    throw new CannotStart(`The data directory ${path} cannot be written to (${reason}); choose another with DATA_DIR.`)
  }
}
