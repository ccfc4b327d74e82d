import { constants, statfsSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { tmpdir } from 'node:os'

const memory = '/dev/shm'
const neededBytes = 4 * 1024 ** 3

/**
 * Where a database that nobody needs tomorrow costs least. Its thousand files are copied in memory with a sixth of the
 * work that a disk makes of it; where there is little memory (containers often have 64 MB), the folder for temporary
 * files.
 */
export async function cheapestFolder(): Promise<string> {
  try {
    await access(memory, constants.W_OK)
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize >= neededBytes ? memory : tmpdir()
  } catch {
    return tmpdir()
  }
}
