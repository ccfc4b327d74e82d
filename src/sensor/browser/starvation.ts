import { availableParallelism } from 'node:os'
import { familyOf } from '../../child-process/descendants.ts'
import { readCpuMs } from '../../child-process/main-thread.ts'
import { readRunDelay } from '../../child-process/run-delay.ts'

/**
 * Watches processes of a browser. The returned function gives the longest time, in milliseconds, that one of them has
 * had no CPU since then. That time is not the page's fault. 0 if the system does not report it.
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

/** The system's readings of processes, and the number of CPUs they may use. */
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

/** For how many milliseconds a process of the browser waited for a CPU at most. */
export interface Waiting {
  readonly waitedMs: number
  /** The part of it that programs other than the browser caused. */
  readonly byOthersMs: number
}

/**
 * Like `watchStarvation`, for a browser with all its processes, later ones included. While a process waits, all CPUs
 * are taken; what the browser took of them itself was not taken by others. A page that keeps many threads busy makes
 * itself wait.
 */
export function watchWaiting(browserId: number, readings: ProcessReadings = system): () => Waiting {
  const { family, runDelay, cpuMs, cpus } = readings
  const look = () => new Map(family(browserId).map((id) => [id, { delayMs: runDelay(id) ?? 0, cpuMs: cpuMs(id) ?? 0 }]))
  const before = look()
  return () => {
    const spent = [...look()].map(([id, now]) => {
      const then = before.get(id)
      return { waitedMs: now.delayMs - (then?.delayMs ?? 0), tookMs: now.cpuMs - (then?.cpuMs ?? 0) }
    })
    const tookMs = spent.reduce((sum, one) => sum + Math.max(0, one.tookMs), 0)
    const waitedMs = Math.max(0, ...spent.map((one) => one.waitedMs))
    return { waitedMs, byOthersMs: Math.max(0, waitedMs - tookMs / cpus) }
  }
}
