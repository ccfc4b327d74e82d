import { readFileSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Place } from './place.ts'

/** A running postmaster, ours or one that a killed Latarnik left behind. */
export interface Server {
  readonly pid: number
  isAlive(): boolean
}

export interface Postmaster extends Server {
  readonly socketDirectory: string
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Process numbers come back, in containers at once: only a process that was started on this cluster is its server. */
function isServer(pid: number, cluster: string): boolean {
  if (!isRunning(pid)) return false
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(cluster)
  } catch {
    return process.platform !== 'linux'
  }
}

const noteName = 'postmaster.pid'

/** Whom the server's own note names, while that process lives; the note outlives a killed server. */
export async function namedPostmaster(place: Place): Promise<Postmaster | undefined> {
  const lines = (await readFile(join(place.cluster, noteName), 'utf8').catch(() => '')).split('\n')
  const pid = Number(lines[0])
  if (!(pid > 0) || !isServer(pid, place.cluster)) return undefined
  return { pid, socketDirectory: lines[4] ?? '', isAlive: () => isServer(pid, place.cluster) }
}

/** A note whose number is some other program's by now would keep the server from starting. Data stay guarded by its shared memory. */
export async function removeStaleNote(place: Place): Promise<void> {
  if ((await namedPostmaster(place)) === undefined) await rm(join(place.cluster, noteName), { force: true })
}
