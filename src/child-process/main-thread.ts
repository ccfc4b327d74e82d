import { readFileSync } from 'node:fs'

/** What the system says of the thread in which a process runs its loop. */
export interface ThreadReading {
  readonly state: 'runnable' | 'asleep' | 'stopped' | 'waiting for a disk'
  /** That it was given so far. Milliseconds. */
  readonly cpuMs: number
}

/** Ticks of the processor's time in /proc, which Linux fixed at a hundredth of a second. */
const tickMs = 10
const states: Readonly<Record<string, ThreadReading['state']>> = {
  R: 'runnable',
  D: 'waiting for a disk',
  T: 'stopped',
  // By a debugger.
  t: 'stopped',
}

/** Null where the system does not tell, and when the process is gone. */
export function readMainThread(processId: number): ThreadReading | null {
  return readStat(`/proc/${processId}/task/${processId}/stat`)
}

/** What all threads of a process were given, in milliseconds; null as above. */
export function readCpuMs(processId: number): number | null {
  return readStat(`/proc/${processId}/stat`)?.cpuMs ?? null
}

function readStat(file: string): ThreadReading | null {
  try {
    const text = readFileSync(file, 'latin1')
    // Behind the name, which may hold spaces and parentheses of its own.
    const fields = text.slice(text.lastIndexOf(') ') + 2).split(' ')
    const cpuMs = (Number(fields[11]) + Number(fields[12])) * tickMs
    return { state: states[fields[0] ?? ''] ?? 'asleep', cpuMs }
  } catch {
    return null
  }
}
