import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'

/** The system's name for a failure and its meaning, for a person: `EACCES: permission denied`. */
export function systemReason(error: unknown): string {
  return error instanceof Error ? error.message.replace(/, \w+ '.*$/s, '') : String(error)
}

/**
 * Makes a directory with its parents, for this user alone; an existing one is left unchanged. It avoids a recursive
 * `mkdir`, because Node.js 20 retries that for ever below a directory such as `/proc`.
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
