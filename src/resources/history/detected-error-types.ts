import sql from 'sql-template-tag'
import { formatMoment } from '../../domain/calendars/time.ts'
import { analysisIdAt } from '../../domain/judging/analysis-id.ts'
import { checksView } from '../../history/analyses.ts'
import { analysesWithin } from '../../history/packed/analysis-range.ts'
import type { Operation } from '../../rest/call.ts'
import { integer, list, moment, object } from '../../rest/fields.ts'
import { pathParameters } from '../../rest/parameter-descriptions.ts'
import { schemaOf } from '../../rest/schemas.ts'
import { keptRange, maximumDays } from './kept-range.ts'
import { chartedRange } from './performance-chart.ts'
import { timeRangeParameters } from './time-range.ts'

const path = '/services/{_id}/history/detected_error_types'

const detected = object(
  {
    error_type_id: integer({ required: true, about: 'Element of error_types.', example: 2001 }),
    checks: integer({ required: true, minimum: 1, about: 'Checks that failed so.', example: 12 }),
    first_time: moment({ required: true, about: 'When the first of them began.' }),
    last_time: moment({ required: true, about: 'When the last of them began.' }),
  },
  {},
)

interface Detected {
  readonly error_type_id: number
  readonly checks: number
  readonly first_at: number
  readonly last_at: number
}

/** `GET /services/{_id}/history/detected_error_types` */
export const detectedErrorTypes: Operation = {
  id: 'services.detected_error_types',
  method: 'GET',
  path,
  tag: 'history',
  summary: 'Types of error that were found in a time range',
  about: `The error types of the checks that failed, of ok analyses too. By default the last 24 hours, at most ${maximumDays} days.`,
  access: 'customer',
  parameters: [...pathParameters(path), ...timeRangeParameters],
  answers: { 200: { about: 'The most frequent first.', schema: schemaOf(list(detected, {})) } },
  async handle(call) {
    const { service, range } = await chartedRange(call, [], keptRange)
    if (range.fromAt >= range.toAt) return { status: 200, body: [] }
    const [fromId, toId] = [analysisIdAt(range.fromAt), analysisIdAt(range.toAt)]
    const serviceId = Number(service['id'])
    const reach = { serviceIds: [serviceId], fromId, toId, onlyFailed: true }
    const analyses = await analysesWithin(call.database, reach)
    const found = await call.database.query<Detected>(sql`
      select error_type_id, count(*)::int as checks, min(time) as first_at, max(time) as last_at
      from (${checksView({ analyses, onlyFailed: true })}) c
      where service_id = ${serviceId} and analysis_key >= ${fromId} and analysis_key < ${toId} and error_type_id is not null
      group by error_type_id order by checks desc, error_type_id`)
    const body = found.map(({ first_at: firstAt, last_at: lastAt, ...kind }) => ({
      ...kind,
      first_time: formatMoment(firstAt),
      last_time: formatMoment(lastAt),
    }))
    return { status: 200, body }
  },
}
