import { closeSync, openSync, readFileSync, readSync } from 'node:fs'

/**
 * Milliseconds for which the main thread of a process was ready to run and got no CPU, since its start. Linux keeps
 * this sum, and a container's quota adds to it too. Null if the system does not report it, or the process is gone.
 */
export function readRunDelay(processId: number): number | null {
  try {
    return parseRunDelay(readFileSync(`/proc/${processId}/schedstat`, 'latin1'))
  } catch {
    return null
  }
}

/** This process's own run delay. */
export interface RunDelay {
  /** Milliseconds; the last known value if the system stops reporting it, 0 if it never does. */
  read(): number
  close(): void
}

const mostBytes = 96

/** The file is kept open: reading it then costs a twelfth (2 microseconds), and works even if no descriptor is free. */
export function keepRunDelay(file = '/proc/self/schedstat'): RunDelay {
  const buffer = Buffer.alloc(mostBytes)
  let descriptor: number | null = null
  let knownMs = 0
  try {
    descriptor = openSync(file, 'r')
  } catch {
    // The system is not Linux, or does not report it.
  }
  return {
    read() {
      try {
        if (descriptor !== null)
          knownMs =
            parseRunDelay(buffer.toString('latin1', 0, readSync(descriptor, buffer, 0, mostBytes, 0))) ?? knownMs
      } catch {
        // A check must not end because of that.
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
