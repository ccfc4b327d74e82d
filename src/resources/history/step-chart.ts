import { maximumPoints } from '../../domain/service-level/chart.ts'
import { type StepSums, stepPerformanceOf } from '../../history/step-roll-ups.ts'
import type { Operation } from '../../rest/call.ts'
import { list, object, text } from '../../rest/fields.ts'
import { pathParameters } from '../../rest/parameter-descriptions.ts'
import { schemaOf } from '../../rest/schemas.ts'
import { chartedRange, divisionOf, performancePoint, pointShown } from './performance-chart.ts'
import { timeRangeParameters } from './time-range.ts'

const path = '/services/{_id}/charts/performance/steps'

const chart = object(
  {
    path_step: text({ required: true, about: 'Name of the step.', example: 'Log in' }),
    points: list(performancePoint, {
      required: true,
      about: 'As in the chart of the service; a check counts for the steps it ran.',
    }),
  },
  {},
)

/** The steps of the present scenario in its order, then those that are no longer in it. */
function inOrder(sums: readonly StepSums[], names: readonly string[]): ReadonlyMap<string, StepSums[]> {
  const charts = new Map<string, StepSums[]>(names.map((name) => [name, []]))
  for (const point of sums) charts.set(point.path_step, [...(charts.get(point.path_step) ?? []), point])
  return charts
}

/** `GET /services/{_id}/charts/performance/steps` (specification: History and charts; answers §12) */
export const stepChart: Operation = {
  id: 'services.step_chart',
  method: 'GET',
  path,
  tag: 'history',
  summary: 'Response times of the steps of a scenario over a time range',
  about: `A chart for each step, of at most ${maximumPoints} points; none for services of other types. By default the last 24 hours.`,
  access: 'customer',
  parameters: [...pathParameters(path), ...timeRangeParameters],
  answers: { 200: { about: 'Charts in the order of the steps.', schema: schemaOf(list(chart, {})) } },
  async handle(call) {
    const { service, range } = await chartedRange(call, ['path_steps'])
    const division = await divisionOf(call, range, service)
    const sums = await stepPerformanceOf(call.database, Number(service['id']), division)
    const charts = inOrder(sums, (service['path_steps'] as readonly string[] | null) ?? [])
    const body = [...charts].map(([name, points]) => ({
      path_step: name,
      points: points.map((point) => pointShown(division, { ...point, timed_checks: point.ok_checks })),
    }))
    return { status: 200, body }
  },
}
