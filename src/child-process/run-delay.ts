import { closeSync, openSync, readFileSync, readSync } from 'node:fs'

/**
 * So many milliseconds the main thread of a process was ready to run and got no CPU, since it began: Linux' own sum, which a quota of
 * a container adds to as well. Null where the system does not tell, and when the process is gone.
 */
export function readRunDelay(processId: number): number | null {
  try {
    return parseRunDelay(readFileSync(`/proc/${processId}/schedstat`, 'latin1'))
  } catch {
    return null
  }
}

/** This process's own run delay, at hand. */
export interface RunDelay {
  /** Milliseconds; as last known where the system tells no more, 0 where it never does. */
  read(): number
  close(): void
}

const mostBytes = 96

/** The file is kept open: that reads for a twelfth of the cost (2 microseconds), and when no descriptor is left. */
export function keepRunDelay(file = '/proc/self/schedstat'): RunDelay {
  const buffer = Buffer.alloc(mostBytes)
  let descriptor: number | null = null
  let knownMs = 0
  try {
    descriptor = openSync(file, 'r')
  } catch {
    // Not Linux, or not told.
  }
  return {
    read() {
      try {
        if (descriptor !== null)
          knownMs =
            parseRunDelay(buffer.toString('latin1', 0, readSync(descriptor, buffer, 0, mostBytes, 0))) ?? knownMs
      } catch {
        // A check must not end for that.
      }
      return knownMs
    },
    close() {
      if (descriptor !== null) closeSync(descriptor)
      descriptor = null
    },
  }
}

/** "time on a CPU, time waiting for one, times it ran", in nanoseconds (Documentation/scheduler/sched-stats.rst). */
function parseRunDelay(text: string): number | null {
  const nanoseconds = Number(text.split(' ')[1])
  return Number.isFinite(nanoseconds) ? nanoseconds / 1e6 : null
}
