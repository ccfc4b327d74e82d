/**
 * A disk of a few megabytes that only one program sees: a file system in memory, in its own name space, which ends with
 * it.
 */
import { execFile } from 'node:child_process'
import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Root needs no other user for it. */
const space = [
  'unshare',
  '--mount',
  '--propagation',
  'private',
  ...(process.getuid?.() === 0 ? [] : ['--map-root-user']),
]

export interface SmallDisk {
  /** Put before the program: it finds the disk at the directory. */
  readonly through: readonly string[]
  /** Leaves not a byte to the program with this id, also when something was removed since the last time. */
  fill(processId: number): void
  makeRoom(processId: number): void
  /** The directory as it is for that program. */
  seenBy(processId: number): string
}

export function smallDisk(directory: string, megabytes: number): SmallDisk {
  const mounting = `mount -t tmpfs -o size=${megabytes}m,mode=0755 tmpfs "$0" && exec "$@"`
  const seenBy = (processId: number) => `/proc/${processId}/root${directory}`
  let pieces = 0
  const piece = (processId: number, number: number) => join(seenBy(processId), `ballast-${number}`)
  const write = (processId: number, bytes: number) => {
    pieces += 1
    writeFileSync(piece(processId, pieces), Buffer.alloc(bytes))
  }
  return {
    through: [...space, 'sh', '-c', mounting, directory],
    fill(processId) {
      const { bavail, bsize } = statfsSync(seenBy(processId))
      try {
        write(processId, bavail * bsize)
        // Fills space that was freed meanwhile.
        for (let number = 0; number < 1000; number += 1) write(processId, 4096)
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
      }
    },
    makeRoom(processId) {
      for (; pieces > 0; pieces -= 1) rmSync(piece(processId, pieces), { force: true })
    },
    seenBy,
  }
}

/**
 * Put before a command: it finds a disk of this size at the directory. The files that it leaves there are listed on
 * stdout after its own output.
 */
export function listingSmallDisk(directory: string, bytes: number): readonly string[] {
  const running = `mount -t tmpfs -o size=${bytes} tmpfs "$0" && { "$@"; code=$?; ls -A "$0"; exit $code; }`
  return [...space, 'sh', '-c', running, directory]
}

/** Why no such disk can be made here; null where it can. */
export async function smallDiskMissing(directory: string): Promise<string | null> {
  const [file = '', ...args] = smallDisk(directory, 1).through
  try {
    await run(file, [...args, 'true'])
    return null
  } catch (error) {
    return `no file system can be mounted: ${error instanceof Error ? error.message.split('\n')[1] : String(error)}`
  }
}
