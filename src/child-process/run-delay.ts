import { readFileSync } from 'node:fs'

/**
 * So many milliseconds the main thread of a process was ready to run and got no CPU, since it began: Linux' own sum, which a quota of
 * a container adds to as well. Null where the system does not tell, and when the process is gone.
 */
export function readRunDelay(processId: number | 'self'): number | null {
  try {
    // "time on a CPU, time waiting for one, times it ran", in nanoseconds (Documentation/scheduler/sched-stats.rst).
    const nanoseconds = Number(readFileSync(`/proc/${processId}/schedstat`, 'latin1').split(' ')[1])
    return Number.isFinite(nanoseconds) ? nanoseconds / 1e6 : null
  } catch {
    return null
  }
}
