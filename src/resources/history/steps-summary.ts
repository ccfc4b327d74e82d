import sql from 'sql-template-tag'
import { analysesWithin } from '../../history/packed/analysis-range.ts'
import { stepsView } from '../../history/step-history.ts'
import type { Operation } from '../../rest/call.ts'
import { decimal, integer, list, object, text } from '../../rest/fields.ts'
import { locatedRow } from '../../rest/locate.ts'
import { pathParameters } from '../../rest/parameter-descriptions.ts'
import { schemaOf } from '../../rest/schemas.ts'

const path = '/services/{_id}/history/analyses/{_analysis_id}/steps_summary'

const sensors = { required: true, minimum: 0, example: 3 } as const
const time = { required: true, nullable: true, minimum: 0, example: 120 } as const
const summary = object(
  {
    step: integer({ required: true, minimum: 0, about: 'Place among the steps, from 0.', example: 0 }),
    path_step: text({ required: true, about: 'Name of the step.', example: 'Log in' }),
    ok: integer({ ...sensors, about: 'Sensors for which it was ok.' }),
    error: integer({ ...sensors, about: 'Sensors for which it failed.', example: 0 }),
    not_run: integer({ ...sensors, about: 'Sensors that failed at a step before it.', example: 0 }),
    average: decimal({ ...time, about: 'Milliseconds, to a tenth, where it was ok; null where it never was.' }),
    minimum: integer({ ...time, about: 'Milliseconds.' }),
    maximum: integer({ ...time, about: 'Milliseconds.' }),
  },
  {},
)

/** `GET /services/{_id}/history/analyses/{_analysis_id}/steps_summary` */
export const stepsSummary: Operation = {
  id: 'analyses.steps_summary',
  method: 'GET',
  path,
  tag: 'history',
  summary: 'Steps of a scenario in an analysis, over all its stations',
  about: 'Empty for services of other types.',
  access: 'customer',
  parameters: pathParameters(path),
  answers: { 200: { about: 'Steps in their order.', schema: schemaOf(list(summary, {})) } },
  async handle(call) {
    const analysis = await locatedRow(call.registry.get('analyses'), call, {
      flags: [],
      columns: ['service_id', 'analysis_key'],
    })
    const [serviceId, key] = [Number(analysis['service_id']), Number(analysis['analysis_key'])]
    const analyses = await analysesWithin(call.database, { serviceIds: [serviceId], fromId: key, toId: key + 1 })
    const body = await call.database.query(sql`
      select step, path_step, (count(*) filter (where result = 'ok'))::int as ok,
        (count(*) filter (where result = 'error'))::int as error, (count(*) filter (where result = 'not_run'))::int as not_run,
        round(avg(response_time) filter (where result = 'ok'), 1)::float8 as average,
        min(response_time) filter (where result = 'ok') as minimum, max(response_time) filter (where result = 'ok') as maximum
      from (${stepsView(analyses)}) steps where service_id = ${serviceId} and analysis_key = ${key}
      group by step, path_step order by step`)
    return { status: 200, body }
  },
}
