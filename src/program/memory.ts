import { memoryLimit } from '../child-process/memory-limit.ts'
import type { Config } from '../config/config.ts'
import type { Log } from './log.ts'

const megabyte = 1_000_000

type Sized = Pick<Config, 'databaseUrl' | 'localSensors' | 'roles'>

/** A memory limit and the least that the process needs with few services, in megabytes. */
export interface MemoryRoom {
  readonly limit_mb: number
  readonly needed_mb: number
}

/** The least that a process needs with few services, as `docs/operations.md` has it under Sizing. */
function neededMemory({ databaseUrl, localSensors, roles }: Sized): number {
  const hasStations = roles.includes('monitoring') && localSensors > 0
  return (databaseUrl === undefined || hasStations ? 400 : 250) * megabyte
}

/** Null: the memory limit is not lower than what the process needs. */
export function lackingMemory(config: Sized, limit: number = memoryLimit()): MemoryRoom | null {
  const needed = neededMemory(config)
  if (limit >= needed) return null
  return { limit_mb: Math.floor(limit / megabyte), needed_mb: needed / megabyte }
}

/** The kernel ends a process beyond the limit of its control group without a word. */
export function warnOfMemory(config: Sized, log: Pick<Log, 'warn'>, limit?: number): void {
  const lacking = lackingMemory(config, limit)
  if (lacking === null) return
  log.warn(lacking, 'The memory limit of this process is low: beyond it the kernel ends the program or its database')
}
