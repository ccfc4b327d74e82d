import { formatMoment } from '../../domain/calendars/time.ts'
import { coreSensorId } from '../../domain/judging/analysis.ts'
import { newestChecks } from '../../history/single-checks.ts'
import type { Operation } from '../../rest/call.ts'
import { integer, list, moment, object, text } from '../../rest/fields.ts'
import { pathParameters } from '../../rest/parameter-descriptions.ts'
import { schemaOf } from '../../rest/schemas.ts'
import { keptRange, maximumDays } from './kept-range.ts'
import { chartedRange } from './performance-chart.ts'
import { timeRangeParameters } from './time-range.ts'

const path = '/services/{_id}/charts/performance/checks'
const maximumChecks = 5000

const point = object(
  {
    time: moment({ required: true, about: 'When the check began.' }),
    analysis_id: text({ required: true, example: '179539278012300' }),
    sensor_id: integer({
      required: true,
      nullable: true,
      about: 'Null: the core judged what a heartbeat reported, or what the registry of a domain said.',
    }),
    result: text({ required: true, oneOf: ['ok', 'error', 'unknown'], example: 'ok' }),
    response_time: integer({
      required: true,
      nullable: true,
      minimum: 0,
      about: 'Milliseconds; null if none was measured.',
      example: 123,
    }),
  },
  {},
)

/** `GET /services/{_id}/charts/performance/checks` */
export const checkChart: Operation = {
  id: 'services.check_chart',
  method: 'GET',
  path,
  tag: 'history',
  summary: 'Response times of single checks over a time range',
  about: `At most the newest ${maximumChecks} checks. By default the last 24 hours, at most ${maximumDays} days.`,
  access: 'customer',
  parameters: [...pathParameters(path), ...timeRangeParameters],
  answers: { 200: { about: 'Checks in the order of their beginning.', schema: schemaOf(list(point, {})) } },
  async handle(call) {
    const { service, range } = await chartedRange(call, [], keptRange)
    if (range.fromAt >= range.toAt) return { status: 200, body: [] }
    const checks = await newestChecks(call.database, {
      ...range,
      serviceId: Number(service['id']),
      limit: maximumChecks,
    })
    const body = checks.map(({ at, analysisId, sensorId, result, responseTime }) => ({
      time: formatMoment(at),
      analysis_id: analysisId,
      sensor_id: sensorId === coreSensorId ? null : sensorId,
      result,
      response_time: responseTime,
    }))
    return { status: 200, body }
  },
}
