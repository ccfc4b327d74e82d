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

/** A sum of milliseconds that the system keeps about a thread. */
interface KeptSum {
  close(): void
}

/** This process's own run delay. */
export interface RunDelay extends KeptSum {
  /** Milliseconds; the last known value if the system stops reporting it, 0 if it never does. */
  read(): number
}

/** The time for which a thread had a CPU. */
export interface RunTime extends KeptSum {
  /** Milliseconds; null if the system does not report it. */
  read(): number | null
}

const mostBytes = 96

export function keepRunDelay(file = '/proc/self/schedstat'): RunDelay {
  const { read, close } = keepSum(file, parseRunDelay)
  return { read: () => read() ?? 0, close }
}

/** @param thread as `/proc/thread-self` names it: `4711/task/4712` */
export function keepRunTime(thread: string): RunTime {
  return keepSum(`/proc/${thread}/schedstat`, parseRunTime)
}

/** The file is kept open: reading it then costs a twelfth (2 microseconds), and works even if no descriptor is free. */
function keepSum(file: string, parse: (text: string) => number | null): RunTime {
  const buffer = Buffer.alloc(mostBytes)
  let descriptor: number | null = null
  let knownMs: number | null = null
  try {
    descriptor = openSync(file, 'r')
  } catch {
    // The system is not Linux, or does not report it.
  }
  return {
    read() {
      try {
        if (descriptor !== null)
          knownMs = parse(buffer.toString('latin1', 0, readSync(descriptor, buffer, 0, mostBytes, 0))) ?? knownMs
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
  return milliseconds(text.split(' ')[1])
}

function parseRunTime(text: string): number | null {
  return milliseconds(text.split(' ')[0])
}

function milliseconds(nanoseconds: string | undefined): number | null {
  const number = Number(nanoseconds)
  return Number.isFinite(number) ? number / 1e6 : null
}
