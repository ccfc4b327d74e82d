import sql from 'sql-template-tag'
import { coreSensorId } from '../../domain/judging/analysis.ts'
import { analysisIdAt } from '../../domain/judging/analysis-id.ts'
import { sectionsOf } from '../../domain/service-level/chart.ts'
import { sensorChecksOf } from '../../history/roll-up-reads.ts'
import type { Call, Operation } from '../../rest/call.ts'
import { integer, list, object, text } from '../../rest/fields.ts'
import { pathParameters } from '../../rest/parameter-descriptions.ts'
import { schemaOf } from '../../rest/schemas.ts'
import { chartedRange } from './performance-chart.ts'
import { timeRangeParameters } from './time-range.ts'

const count = { required: true, minimum: 0, example: 1440 } as const
const usedSensor = object(
  {
    sensor_id: integer({
      required: true,
      nullable: true,
      about: 'Null: the core judged what a heartbeat reported, or what the registry of a domain said.',
    }),
    name: text({ required: true, nullable: true, about: 'Null for the core.', example: 'Local 1' }),
    ok: integer({ ...count, about: 'Its checks that were ok.' }),
    error: integer({ ...count, about: 'Its checks that failed.', example: 2 }),
    unknown: integer({ ...count, about: 'Its checks that it could not try.', example: 0 }),
  },
  {},
)

async function usedSensors(call: Call) {
  const { service, range } = await chartedRange(call)
  const found = await sensorChecksOf(call.database, Number(service['id']), {
    firstId: analysisIdAt(range.fromAt),
    sections: sectionsOf(range, ['days']),
  })
  const names = await call.database.query<{ id: number; name: string }>(sql`
    select id, name from sensors where id = any(${found.map(({ sensor_id: id }) => id)}::int[])`)
  const nameOf = new Map(names.map(({ id, name }) => [id, name]))
  return {
    status: 200,
    body: found.map(({ sensor_id: id, ...counts }) => ({
      sensor_id: id === coreSensorId ? null : id,
      name: nameOf.get(id) ?? null,
      ...counts,
    })),
  }
}

function usedSensorsAt(id: string, path: string): Operation {
  return {
    id,
    method: 'GET',
    path,
    tag: 'history',
    summary: 'Sensors that checked the service in a time range',
    about: 'With the number of their checks by result. By default the last 24 hours.',
    access: 'customer',
    parameters: [...pathParameters(path), ...timeRangeParameters],
    answers: { 200: { about: 'Sensors in the order of their numbers.', schema: schemaOf(list(usedSensor, {})) } },
    handle: usedSensors,
  }
}

/** `GET /services/{_id}/history/used_sensors` and the same below the chart of response times. */
export const usedSensorOperations: readonly Operation[] = [
  usedSensorsAt('services.used_sensors', '/services/{_id}/history/used_sensors'),
  usedSensorsAt('services.performance_used_sensors', '/services/{_id}/charts/performance/used_sensors'),
]
