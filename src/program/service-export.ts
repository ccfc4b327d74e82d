import { type Config, version } from '../config/config.ts'
import type { Database } from '../database/connect.ts'
import type { Clock } from '../domain/clock.ts'
import { systemTimers } from '../turns/timers.ts'
import type { Log } from './log.ts'
import type { Started } from './started.ts'

interface Ways {
  readonly config: Pick<Config, 'serviceExport'>
  readonly clock: Clock
  readonly log: Log
}

/** Sends the metrics of services if the operator wants that; the libraries are loaded only then. */
export async function sendServiceMetrics(
  { config, clock, log }: Ways,
  database: Database,
  started: Started,
): Promise<void> {
  if (config.serviceExport === undefined) return
  const { ServiceExport } = await import('../telemetry/export-services.ts')
  const sending = new ServiceExport({ ...config.serviceExport, version, database, clock, log, timers: systemTimers })
  sending.start()
  started.role(() => sending.stop())
}
