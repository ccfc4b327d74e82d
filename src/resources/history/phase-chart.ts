import { formatMoment } from '../../domain/calendars/time.ts'
import type { Problem } from '../../domain/input/problem.ts'
import {
  divideForPerformance,
  maximumPoints,
  type PerformanceDivision,
  pointRange,
} from '../../domain/service-level/chart.ts'
import { percentile } from '../../domain/service-level/percentile.ts'
import { type PhaseTimes, phaseTimesOf } from '../../history/phase-times.ts'
import type { Call, Operation, ParameterDescription } from '../../rest/call.ts'
import { decimal, integer, list, moment, object } from '../../rest/fields.ts'
import { locatedRow } from '../../rest/locate.ts'
import { pathParameters } from '../../rest/parameter-descriptions.ts'
import { refuseAny } from '../../rest/problems.ts'
import { schemaOf } from '../../rest/schemas.ts'
import { phaseNames } from './checks.ts'
import { keptRange, maximumDays } from './kept-range.ts'
import { livedRange, readTimeRange, timeRangeParameters } from './time-range.ts'

const path = '/services/{_id}/charts/performance/phases'
const measured = { required: true, minimum: 0, example: 123 } as const
const ranged = {
  start_time: moment({ required: true, about: 'Inclusive.' }),
  end_time: moment({ required: true, about: 'Exclusive.' }),
  checks: integer({ required: true, minimum: 1, about: 'Ok checks with a response time.', example: 180 }),
}
const phase = decimal({
  required: true,
  nullable: true,
  minimum: 0,
  about: 'Null: no check reached it.',
  example: 12.3,
})
const point = object(
  {
    ...ranged,
    p50: integer({ ...measured, about: 'Milliseconds that half of the checks did not exceed.' }),
    p90: integer({ ...measured, about: 'Milliseconds that nine of ten checks did not exceed.' }),
    p99: integer({ ...measured, about: 'Milliseconds that 99 of 100 checks did not exceed.' }),
    phases: object(Object.fromEntries(phaseNames.map((name) => [name, phase])), {
      required: true,
      about: 'Average milliseconds, to a tenth, of the checks that reached the phase.',
    }),
  },
  {},
)

function shown(division: PerformanceDivision, number: number, { responseTimes, sums, counts }: PhaseTimes) {
  const { fromAt, toAt } = pointRange(division, number)
  const sorted = Float64Array.from(responseTimes).sort()
  const average = (part: number) => {
    const count = counts[part] ?? 0
    return count === 0 ? null : Math.round((sums[part] ?? 0) / count / 100) / 10
  }
  return {
    start_time: formatMoment(fromAt),
    end_time: formatMoment(toAt),
    checks: sorted.length,
    p50: percentile(sorted, 0.5),
    p90: percentile(sorted, 0.9),
    p99: percentile(sorted, 0.99),
    phases: Object.fromEntries(phaseNames.map((name, part) => [name, average(part)])),
  }
}

/** Null: all sensors. */
function readSensorId({ query }: Call, problems: Problem[]): number | null {
  const written = query.get('sensor_id')
  if (written === null) return null
  if (/^\d{1,15}$/.test(written)) return Number(written)
  problems.push({ error: 'incorrect_type', field: 'query.sensor_id', facts: { expected: 'integer' } })
  return null
}

const ofSensor: ParameterDescription = {
  name: 'sensor_id',
  in: 'query',
  about: 'The checks of this station alone.',
  schema: { type: 'integer', format: 'int64', minimum: 0 },
}

type Shown = (division: PerformanceDivision, number: number, times: PhaseTimes) => unknown

/** The points of a chart over the ok checks that are kept. */
async function timedPoints(call: Call, shownAs: Shown) {
  const problems: Problem[] = []
  const asked = readTimeRange(call, problems, { days: 1, others: ['sensor_id'] })
  const sensorId = readSensorId(call, problems)
  refuseAny([...problems, ...keptRange(asked)])
  const services = call.registry.get('services')
  const service = await locatedRow(services, call, { flags: [], columns: ['created_at', 'interval'] })
  const range = livedRange(asked, Number(service['created_at']), call.nowAt)
  const division = divideForPerformance(range, Number(service['interval']))
  if (range.fromAt >= range.toAt) return { status: 200, body: [] }
  const reading = { ...range, step: division.step, serviceId: Number(service['id']), sensorId }
  const steps = [...(await phaseTimesOf(call.database, reading))].toSorted(([one], [other]) => one - other)
  return { status: 200, body: steps.map(([number, times]) => shownAs(division, number, times)) }
}

/** `GET /services/{_id}/charts/performance/phases` */
export const phaseChart: Operation = {
  id: 'services.phase_chart',
  method: 'GET',
  path,
  tag: 'history',
  summary: 'Percentiles of response times, and the parts of a check’s time, over a time range',
  about:
    `At most ${maximumPoints} points, as in \`charts/performance\`, of the ok checks that are kept; where none was measured there is no ` +
    `point. By default the last 24 hours, at most ${maximumDays} days.`,
  access: 'customer',
  parameters: [...pathParameters(path), ...timeRangeParameters, ofSensor],
  answers: { 200: { about: 'Points in order.', schema: schemaOf(list(point, {})) } },
  handle: (call) => timedPoints(call, shown),
}

/** The shares of the checks at the edges of the river, in order. */
const edges = { minimum: 0, p10: 0.1, p25: 0.25, p50: 0.5, p75: 0.75, p90: 0.9, maximum: 1 } as const

const edge = integer({ ...measured, about: 'Milliseconds that this share of the checks did not exceed.' })
const riverPoint = object({ ...ranged, ...Object.fromEntries(Object.keys(edges).map((name) => [name, edge])) }, {})

function edgesShown(division: PerformanceDivision, number: number, { responseTimes }: PhaseTimes) {
  const { fromAt, toAt } = pointRange(division, number)
  const sorted = Float64Array.from(responseTimes).sort()
  return {
    start_time: formatMoment(fromAt),
    end_time: formatMoment(toAt),
    checks: sorted.length,
    ...Object.fromEntries(Object.entries(edges).map(([name, share]) => [name, percentile(sorted, share)])),
  }
}

/** `GET /services/{_id}/charts/performance/river`: bands of response times around their median. */
export const riverChart: Operation = {
  ...phaseChart,
  id: 'services.river_chart',
  path: `${path.slice(0, path.lastIndexOf('/'))}/river`,
  summary: 'How response times spread around their median, over a time range',
  answers: { 200: { about: 'Points in order.', schema: schemaOf(list(riverPoint, {})) } },
  handle: (call) => timedPoints(call, edgesShown),
}
