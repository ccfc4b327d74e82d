import type { Executor } from '../database/connect.ts'
import { isDatabaseAway } from '../database/failures.ts'
import {
  abandonPeriodicReport,
  finishPeriodicReport,
  type PeriodicOrder,
  readServicesOfGroup,
  takePeriodicReport,
} from '../database/reports/periodic-reports.ts'
import {
  type PeriodicFacts,
  type PeriodicLevel,
  type PeriodicService,
  servicesShown,
} from '../domain/reports/periodic-report.ts'
import { availabilityPercent, levelsTogether, type ReportLevel } from '../domain/reports/report-level.ts'
import { measureServices } from './measure.ts'
import type { ReporterOptions } from './work.ts'

/** A repetition would fail again. */
class CannotBeMade extends Error {
  readonly reportId: number

  constructor(reportId: number, cause: unknown) {
    super('A periodic report cannot be made.', { cause })
    this.reportId = reportId
  }
}

async function makeOne(transaction: Executor, now: number): Promise<boolean> {
  const order = await takePeriodicReport(transaction)
  if (order === null) return false
  const facts = await factsOf(transaction, order).catch((error: unknown) => {
    throw isDatabaseAway(error) ? error : new CannotBeMade(order.id, error)
  })
  await finishPeriodicReport(transaction, order, facts, now)
  return true
}

/**
 * Makes one of the older periodic reports. False if none is left. A report that cannot be made is logged and delays no
 * other.
 */
export async function workOnPeriodic({ database, clock, log }: ReporterOptions): Promise<boolean> {
  try {
    return await database.transaction((transaction) => makeOne(transaction, clock.now()))
  } catch (error) {
    if (!(error instanceof CannotBeMade)) throw error
    log.error({ err: error.cause, periodic_report_id: error.reportId }, 'a periodic report could not be made')
    await abandonPeriodicReport(database, error.reportId)
    return true
  }
}

function levelOf(level: ReportLevel): PeriodicLevel {
  const { ok, failure, paused, failuresCount, longestFailure } = level
  return { ok, failure, paused, availability: availabilityPercent(level), failuresCount, longestFailure }
}

/** Null for a group without services, because there is nothing to report. */
async function factsOf(executor: Executor, order: PeriodicOrder): Promise<PeriodicFacts | null> {
  const rows = await readServicesOfGroup(executor, order)
  const range = { fromAt: order.from_time, toAt: order.to_time }
  const ids = rows.map(({ id }) => id)
  const measures = await measureServices(
    executor,
    ids,
    { range, counted: [range], parts: [], pieces: [] },
    async () => undefined,
  )
  const services: PeriodicService[] = []
  for (const { id, name, is_archived: isArchived } of rows) {
    const level = measures.get(id)?.level
    if (level !== undefined) services.push({ id, name, isArchived, ...levelOf(level), failures: level.failures })
  }
  if (services.length === 0) return null
  const together = levelsTogether([...measures.values()].map(({ level }) => level))
  return {
    ...{ frequency: order.report_frequency, group: { id: order.group_id, name: order.group_name }, ...range },
    together: levelOf(together),
    ...servicesShown(services),
  }
}
