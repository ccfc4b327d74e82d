import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'

/** The system's word for a failure and what it means, for a person: `EACCES: permission denied`. */
export function systemReason(error: unknown): string {
  return error instanceof Error ? error.message.replace(/, \w+ '.*$/s, '') : String(error)
}

/**
 * Makes a directory with those above it, for this user alone; one that is there stays as it is. Not by a recursive `mkdir`: of Node.js 20
 * that one tries for ever below a directory that takes none, such as `/proc`.
 */
export async function makeDirectory(path: string): Promise<void> {
  const make = () => mkdir(path, { mode: 0o700 })
  await make().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') return
    if (error.code !== 'ENOENT' || dirname(path) === path) throw error
    await makeDirectory(dirname(path))
    await make()
  })
}
