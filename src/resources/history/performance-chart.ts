import { keptAnalysesFrom } from '../../database/partitions.ts'
import { formatMoment } from '../../domain/calendars/time.ts'
import type { Problem } from '../../domain/input/problem.ts'
import type { Row } from '../../domain/queries/condition.ts'
import type { ChartRange } from '../../domain/service-level/chart.ts'
import {
  divideForPerformance,
  maximumPoints,
  type PerformanceDivision,
  pointRange,
} from '../../domain/service-level/chart.ts'
import { type PerformanceSums, performanceOf } from '../../history/roll-up-reads.ts'
import type { Call, Operation } from '../../rest/call.ts'
import { decimal, integer, list, moment, object } from '../../rest/fields.ts'
import { locatedRow } from '../../rest/locate.ts'
import { pathParameters } from '../../rest/parameter-descriptions.ts'
import { refuseAny } from '../../rest/problems.ts'
import { schemaOf } from '../../rest/schemas.ts'
import { livedRange, readTimeRange, timeRangeParameters } from './time-range.ts'

const path = '/services/{_id}/charts/performance'

const measured = { required: true, nullable: true, minimum: 0, example: 123 } as const
export const performancePoint = object(
  {
    start_time: moment({ required: true, about: 'Inclusive.' }),
    end_time: moment({ required: true, about: 'Exclusive.' }),
    average: decimal({ ...measured, about: 'Milliseconds of the ok checks, to a tenth; null without an ok check.' }),
    minimum: integer({ ...measured, about: 'Milliseconds.' }),
    maximum: integer({ ...measured, about: 'Milliseconds.' }),
    checks: integer({ required: true, minimum: 1, about: 'Checks that answered ok or with an error.', example: 180 }),
    errors: integer({ required: true, minimum: 0, about: 'The checks that answered with an error.', example: 0 }),
  },
  {},
)

export function pointShown(division: PerformanceDivision, sums: PerformanceSums) {
  const { fromAt, toAt } = pointRange(division, sums.number)
  const average = sums.timed_checks === 0 ? null : Math.round((10 * sums.response_time_sum) / sums.timed_checks) / 10
  return {
    start_time: formatMoment(fromAt),
    end_time: formatMoment(toAt),
    average,
    minimum: sums.response_time_minimum,
    maximum: sums.response_time_maximum,
    checks: sums.ok_checks + sums.error_checks,
    errors: sums.error_checks,
  }
}

/** The service and the range that a chart of it is asked for, within its life. `rules` refuse a range. */
export async function chartedRange(
  call: Call,
  columns: readonly string[] = [],
  rules: (asked: ChartRange) => readonly Problem[] = () => [],
): Promise<{ readonly service: Row; readonly range: ChartRange }> {
  const problems: Problem[] = []
  const range = readTimeRange(call, problems, { days: 1 })
  refuseAny([...problems, ...rules(range)])
  const service = await locatedRow(call.registry.get('services'), call, {
    flags: [],
    columns: ['created_at', 'interval', ...columns],
  })
  return { service, range: livedRange(range, Number(service['created_at']), call.nowAt) }
}

/** Analyses may be kept for a shorter time than their sums. */
export async function divisionOf(call: Call, range: ChartRange, service: Row): Promise<PerformanceDivision> {
  return divideForPerformance(range, Number(service['interval']), await keptAnalysesFrom(call.database))
}

/** `GET /services/{_id}/charts/performance` (specification: History and charts; answers §12) */
export const performanceChart: Operation = {
  id: 'services.performance_chart',
  method: 'GET',
  path,
  tag: 'history',
  summary: 'Response times over a time range',
  about: `At most ${maximumPoints} points of unequal ranges, as short as the range allows; where nothing was checked there is none. By default the last 24 hours.`,
  access: 'customer',
  parameters: [...pathParameters(path), ...timeRangeParameters],
  answers: { 200: { about: 'Points in order.', schema: schemaOf(list(performancePoint, {})) } },
  async handle(call) {
    const { service, range } = await chartedRange(call)
    const division = await divisionOf(call, range, service)
    const steps = await performanceOf(call.database, Number(service['id']), division)
    const answered = steps.filter((sums) => sums.ok_checks + sums.error_checks > 0)
    return { status: 200, body: answered.map((sums) => pointShown(division, sums)) }
  },
}
