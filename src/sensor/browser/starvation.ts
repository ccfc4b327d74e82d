import { availableParallelism } from 'node:os'
import { familyOf } from '../../child-process/descendants.ts'
import { readCpuMs } from '../../child-process/main-thread.ts'
import { readRunDelay } from '../../child-process/run-delay.ts'

/**
 * Begins to watch processes of a browser. The function that it returns tells for how many milliseconds since then that one of them which
 * waited most had no CPU: such time is not the page's. 0 where the system does not tell.
 */
export function watchStarvation(
  processIds: readonly number[],
  read: (processId: number) => number | null = readRunDelay,
): () => number {
  const before = processIds.map((id) => [id, read(id)] as const)
  return () => {
    const waited = before.map(([id, delayMs]) => (delayMs === null ? 0 : (read(id) ?? delayMs) - delayMs))
    return Math.max(0, ...waited)
  }
}

/** What the system tells of processes, and how many CPUs they may use. */
export interface ProcessReadings {
  readonly family: (processId: number) => readonly number[]
  readonly runDelay: (processId: number) => number | null
  readonly cpuMs: (processId: number) => number | null
  readonly cpus: number
}

const system: ProcessReadings = {
  family: familyOf,
  runDelay: readRunDelay,
  cpuMs: readCpuMs,
  cpus: availableParallelism(),
}

/**
 * As `watchStarvation`, of a browser with all its processes, those that begin later too, and only for what others kept from it: while a
 * process waits, all CPUs are taken, and of that what the browser took itself does not count. A page that keeps many threads busy makes
 * itself wait.
 */
export function watchStarvationByOthers(browserId: number, readings: ProcessReadings = system): () => number {
  const { family, runDelay, cpuMs, cpus } = readings
  const look = () => new Map(family(browserId).map((id) => [id, { delayMs: runDelay(id) ?? 0, cpuMs: cpuMs(id) ?? 0 }]))
  const before = look()
  return () => {
    const spent = [...look()].map(([id, now]) => {
      const then = before.get(id)
      return { waitedMs: now.delayMs - (then?.delayMs ?? 0), tookMs: now.cpuMs - (then?.cpuMs ?? 0) }
    })
    const tookMs = spent.reduce((sum, one) => sum + Math.max(0, one.tookMs), 0)
    return Math.max(0, Math.max(0, ...spent.map(({ waitedMs }) => waitedMs)) - tookMs / cpus)
  }
}
