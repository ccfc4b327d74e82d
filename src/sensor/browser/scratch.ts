import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isRunning } from '../../child-process/is-running.ts'

const prefix = 'latarnik-browser-'

/**
 * Gives this process its own temporary directory, which is removed at its end, and removes those of killed processes.
 * Otherwise browser profiles and downloads would pile up. It is not below the data directory, because a long path
 * breaks the browser's sockets.
 */
export function useOwnTemporaryDirectory(): void {
  const shared = tmpdir()
  for (const name of readdirSync(shared)) {
    const owner = name.startsWith(prefix) ? Number(name.slice(prefix.length).split('-')[0]) : Number.NaN
    if (Number.isInteger(owner) && !isRunning(owner)) remove(join(shared, name))
  }
  const own = mkdtempSync(join(shared, `${prefix}${process.pid}-`))
  process.env['TMPDIR'] = own
  process.on('exit', () => remove(own))
}

function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 })
  } catch {
    // It belongs to another user.
  }
}
