import { readFileSync } from 'node:fs'

/** The system's reading of the thread in which a process runs its loop. */
export interface ThreadReading {
  readonly state: 'runnable' | 'asleep' | 'stopped' | 'waiting for a disk'
  /** Its CPU time so far. Milliseconds. */
  readonly cpuMs: number
}

/** Ticks of the processor's time in /proc, which Linux fixed at a hundredth of a second. */
const tickMs = 10
const states: Readonly<Record<string, ThreadReading['state']>> = {
  R: 'runnable',
  D: 'waiting for a disk',
  T: 'stopped',
  // Stopped by a debugger.
  t: 'stopped',
}

/** Null if the system does not report it, or the process is gone. */
export function readMainThread(processId: number): ThreadReading | null {
  return readStat(`/proc/${processId}/task/${processId}/stat`)
}

/** The CPU time of all threads of a process, in milliseconds; null as above. */
export function readCpuMs(processId: number): number | null {
  return readStat(`/proc/${processId}/stat`)?.cpuMs ?? null
}

function readStat(file: string): ThreadReading | null {
  try {
    const text = readFileSync(file, 'latin1')
    // The fields after the name, which may hold spaces and parentheses.
    const fields = text.slice(text.lastIndexOf(') ') + 2).split(' ')
    const cpuMs = (Number(fields[11]) + Number(fields[12])) * tickMs
    return { state: states[fields[0] ?? ''] ?? 'asleep', cpuMs }
  } catch {
    return null
  }
}
