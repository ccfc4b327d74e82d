import type { Config } from '../config/config.ts'
import type { Log } from './log.ts'

const megabyte = 1_000_000

/** The least that a process needs with few services, as `docs/operations.md` has it under Sizing. */
function neededMemory({ databaseUrl, localSensors, roles }: Pick<Config, 'databaseUrl' | 'localSensors' | 'roles'>) {
  const hasStations = roles.includes('monitoring') && localSensors > 0
  return (databaseUrl === undefined || hasStations ? 400 : 250) * megabyte
}

/**
 * The kernel ends a process beyond the limit of its control group without a word. Node reads the limit of both versions
 * of control groups; 0, or more than any machine has, means none.
 */
export function warnOfMemory(
  config: Pick<Config, 'databaseUrl' | 'localSensors' | 'roles'>,
  log: Pick<Log, 'warn'>,
  limit: number = process.constrainedMemory(),
): void {
  const needed = neededMemory(config)
  if (limit <= 0 || limit >= needed) return
  log.warn(
    { limit_mb: Math.floor(limit / megabyte), needed_mb: needed / megabyte },
    'The memory limit of this process is low: beyond it the kernel ends the program or its database',
  )
}
