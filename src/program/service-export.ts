import { version } from '../config/config.ts'
import type { Database } from '../database/connect.ts'
import { systemTimers } from '../turns/timers.ts'
import type { ProgramOptions } from './program.ts'
import type { Started } from './started.ts'

/** Sends the metrics of services if the operator wants that; the libraries are loaded only then. */
export async function sendServiceMetrics(
  { config, clock, log }: Pick<ProgramOptions, 'config' | 'clock' | 'log'>,
  database: Database,
  started: Started,
): Promise<void> {
  if (config.serviceExport === undefined) return
  const { ServiceExport } = await import('../telemetry/export-services.ts')
  const sending = new ServiceExport({ ...config.serviceExport, version, database, clock, log, timers: systemTimers })
  sending.start()
  started.role(() => sending.stop())
}
