import { pino } from 'pino'
import type { Database } from '../../src/database/connect.ts'
import type { Clock } from '../../src/domain/clock.ts'
import { startReporter } from '../../src/reports/start.ts'
import type { Render } from '../../src/reports/work.ts'

/** A document that says nothing; making real ones takes a process each. */
export const emptyDocument: Render = async () => Buffer.from('%PDF-1.7\n%%EOF\n')

/** Finishes every report that waits. */
export async function makeReports(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  render: Render = emptyDocument,
): Promise<void> {
  const reporter = await startReporter({ database, clock, render, log: pino({ level: 'silent' }) })
  await reporter.drain()
  await reporter.stop()
}
