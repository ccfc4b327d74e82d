import { readFileSync } from 'node:fs'
import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isRunning } from '../../child-process/is-running.ts'
import type { ServerPaths } from './server-paths.ts'

/** A running postmaster, ours or one that a killed Latarnik left behind. */
export interface ServerProcess {
  readonly pid: number
  isAlive(): boolean
}

export interface Postmaster extends ServerProcess {
  readonly socketDirectory: string
}

/** Process numbers are reused, in containers at once: only a process started on this cluster is its server. */
function isServer(pid: number, cluster: string): boolean {
  if (!isRunning(pid)) return false
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(cluster)
  } catch {
    return process.platform !== 'linux'
  }
}

const noteName = 'postmaster.pid'

/** The process named in the server's own lock file, if it lives; the file outlives a killed server. */
export async function namedPostmaster(paths: ServerPaths): Promise<Postmaster | undefined> {
  // Without the file there is no server, or it has ended meanwhile.
  const lines = (await readFile(join(paths.cluster, noteName), 'utf8').catch(() => '')).split('\n')
  const pid = Number(lines[0])
  if (!(pid > 0) || !isServer(pid, paths.cluster)) return undefined
  return { pid, socketDirectory: lines[4] ?? '', isAlive: () => isServer(pid, paths.cluster) }
}

/**
 * True if the server accepts no new sessions and waits for its existing ones to end; line 8 of its lock file says so.
 */
export async function isStopping(paths: ServerPaths, { pid }: ServerProcess): Promise<boolean> {
  // Without the file there is no server, or it has ended meanwhile.
  const lines = (await readFile(join(paths.cluster, noteName), 'utf8').catch(() => '')).split('\n')
  return Number(lines[0]) === pid && lines[7]?.trim() === 'stopping'
}

const abandonedMilliseconds = 10_000

/**
 * Removes a stale lock file. The server itself replaces the file of a dead one. It does not replace one whose number
 * belongs to another program by now, nor an empty one, which a new server is about to fill or a power cut left. Only
 * those are removed: shared memory still guards the data.
 */
export async function removeStaleNote(paths: ServerPaths, nowMs: number): Promise<void> {
  const path = join(paths.cluster, noteName)
  // Without the file there is nothing to remove.
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) return
  const pid = Number.parseInt(text, 10)
  // The file vanished meanwhile; a new one is left alone.
  const writtenAt = (await stat(path).catch(() => undefined))?.mtimeMs ?? nowMs
  const isAbandoned = text === '' && nowMs - writtenAt > abandonedMilliseconds
  if (isAbandoned || (pid > 0 && isRunning(pid) && !isServer(pid, paths.cluster))) await rm(path, { force: true })
}
