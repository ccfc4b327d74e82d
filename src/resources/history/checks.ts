import sql, { type Sql } from 'sql-template-tag'
import { serviceTypes } from '../../checks/index.ts'
import { artifactTypeIds } from '../../domain/dictionaries.ts'
import { coreSensorId } from '../../domain/judging/analysis.ts'
import { missingReasons } from '../../domain/judging/evidence.ts'
import { all, always, before, type Comparison, demands, from } from '../../domain/queries/condition.ts'
import { checksView, recentAnalyses } from '../../history/analyses.ts'
import { checkRows } from '../../history/history-columns.ts'
import { stepSetsOf, stepsView } from '../../history/step-history.ts'
import { one, type RangeParameters, resource } from '../../rest/declare.ts'
import { boolean, decimal, integer, json, list, moment, object, text } from '../../rest/fields.ts'
import { analysisIdentity, specialAnalyses } from './analyses.ts'
import { factsSchema } from './check-facts.ts'
import { historyRange, historyView, keyRange } from './kept-analyses.ts'

/** A check starts at most this long before its analysis is decided. */
const longestRound = 300_000

const column = { readOnly: true, filter: true, sort: true } as const
/** The results of a step. */
export const stepResults = ['ok', 'error', 'not_run'] as const
function sensorShown(id: unknown): unknown {
  return id === coreSensorId ? null : id
}

const measured = { ...column, nullable: true } as const

export const checkFields = {
  ...analysisIdentity,
  sensor_id: integer({
    ...column,
    nullable: true,
    about: 'Null: the core judged what a heartbeat reported, or what the registry of a domain said; paths name it 0.',
    shown: sensorShown,
  }),
  time: moment({ ...column, about: 'When the check began.' }),
  result: text({
    ...column,
    oneOf: ['ok', 'error', 'unknown'],
    about: 'unknown: the station could not try.',
    example: 'ok',
  }),
  response_time: integer({ ...measured, about: 'Milliseconds.', example: 123 }),
  data_size: integer({ ...measured, about: 'Bytes.', example: 5120 }),
  error_type_id: integer({ ...measured, about: 'Element of error_types.', example: null }),
  error_message: text({ ...measured, contains: true, about: 'One technical sentence.', example: null }),
  har_available: boolean({ ...column, example: false }),
  path_step: text({ ...measured, about: 'The step at which a scenario failed.', example: null }),
}

/** True for comparisons that only checks with a failure meet; those few rows have their own index. */
function isOfFailures(comparison: Comparison): boolean {
  if (comparison.kind === 'contains') return comparison.field === 'error_message'
  if (comparison.kind !== 'is') return false
  const { field, value } = comparison
  if (field === 'result') return typeof value === 'string' && value.toLowerCase() === 'error'
  if (field === 'har_available') return value === true
  return (field === 'error_type_id' || field === 'error_message') && value !== null && value !== ''
}

const checksSource = historyView((analyses, onlyFailed) => checksView({ analyses, onlyFailed }), {
  detail: 'measures',
  rows: checkRows,
  onlyFailed: (where) => demands(where, isOfFailures),
})

const shared = {
  about: "One station's part of an analysis.",
  singular: 'check',
  tag: 'history',
  fields: checkFields,
  relations: { sensor: one('sensors', 'sensor_id'), error_type: one('error_types', 'error_type_id') },
  embed: ['sensor', 'error_type'],
  search: ['error_message'],
  visible: () => always(true),
} as const

export const checks = resource('checks', {
  ...shared,
  path: '/services/{_id}/history/analyses/{_analysis_id}/checks',
  parent: 'analyses',
  bound: { _id: 'service_id', _analysis_id: 'analysis_key', _sensor_id: 'sensor_id' },
  key: ['analysis_key', 'sensor_id'],
  alias: specialAnalyses,
  source: checksSource,
  operations: ['list', 'read'],
})

/** The range of the moments at which checks began. */
export const checksRange: RangeParameters = {
  ...historyRange,
  within: (fromAt, toAt) =>
    all(
      keyRange(fromAt, toAt === null ? null : toAt + longestRound),
      fromAt === null ? always(true) : from('time', fromAt),
      toAt === null ? always(true) : before('time', toAt),
    ),
}

export const checksInTime = resource('checks_in_time', {
  ...shared,
  path: '/services/{_id}/history/checks',
  parent: 'services',
  bound: { _id: 'service_id' },
  key: ['analysis_key', 'sensor_id'],
  source: checksSource,
  range: checksRange,
  operations: ['list'],
})

const detail = { nullable: true, readOnly: true } as const
const phase = decimal({ nullable: true, readOnly: true, example: 1.5 })
export const phaseNames = ['dns', 'connect', 'tls', 'sent', 'first_byte', 'transfer'] as const

/** Microseconds in a row of six, -1 for a part that was not reached, as milliseconds by name. */
function phasesShown(value: unknown): unknown {
  const microseconds = Array.isArray(value) ? (value as readonly number[]) : []
  return Object.fromEntries(
    phaseNames.map((name, index) => {
      const part = microseconds[index] ?? -1
      return [name, part < 0 ? null : part / 1000]
    }),
  )
}

const missingArtifact = object(
  {
    id: text({ required: true, oneOf: artifactTypeIds, about: 'Element of artifact_types.', example: 'har' }),
    reason: text({ required: true, oneOf: missingReasons, example: 'too_large' }),
  },
  {},
)

const stepOfCheck = object(
  {
    name: text({ required: true, about: 'As in path_steps.', example: 'Log in' }),
    result: text({ required: true, oneOf: stepResults, about: 'not_run: a step before it failed.', example: 'ok' }),
    response_time: integer({ required: true, nullable: true, minimum: 0, about: 'Milliseconds.', example: 123 }),
  },
  {},
)

const stepsOfCheck = (steps: Sql) => sql`
  select jsonb_agg(jsonb_build_object('name', path_step, 'result', result, 'response_time', response_time) order by step)
  from (${steps}) steps
  where steps.service_id = c.service_id and steps.analysis_key = c.analysis_key and steps.sensor_id = c.sensor_id`

const prefixes = sql`unnest(
  ${serviceTypes.map(({ id }) => id)}::text[], ${serviceTypes.map(({ addressPrefix }) => addressPrefix)}::text[])`

const detailsView = historyView((analyses, _, serviceIds) => {
  const steps = analyses === recentAnalyses ? stepsView() : stepsView(analyses, stepSetsOf(serviceIds))
  return sql`
    select c.*, coalesce(c.details->>'base_url', known.prefix || s.address) as base_url,
      c.details->>'content_type' as content_type, c.details->>'file_name' as file_name,
      c.details->>'response_headers' as response_headers, c.details->>'ip_address' as ip_address,
      (c.details->>'status_code')::int as status_code, coalesce(c.details->'artifacts' @> '[{"id": "content"}]', false) as content_available,
      coalesce(c.details->'artifacts', '[]') as artifacts,
      coalesce(c.details->'missing_artifacts', '[]') as missing_artifacts, coalesce(c.details->'facts', '{}') as facts,
      (${stepsOfCheck(steps)}) as step_data
    from (${checksView({ analyses })}) c join services s on s.id = c.service_id
    left join ${prefixes} as known (type_id, prefix) on known.type_id = s.type_id`
})

export const checkDetails = resource('check_details', {
  about: 'Evidence of a check: where it went, what came back, how long each part took.',
  singular: 'check details',
  tag: 'history',
  path: '/services/{_id}/history/analyses/{_analysis_id}/checks/{_sensor_id}/details',
  parent: 'analyses',
  bound: { _id: 'service_id', _analysis_id: 'analysis_key', _sensor_id: 'sensor_id' },
  key: ['analysis_key', 'sensor_id'],
  alias: specialAnalyses,
  source: detailsView,
  fields: {
    ...analysisIdentity,
    sensor_id: integer({ readOnly: true, nullable: true, shown: sensorShown }),
    base_url: text({
      about: 'The address that was read last, after redirects.',
      readOnly: true,
      example: 'https://www.example.com/',
    }),
    content_available: boolean({
      about: 'Whether the content at the failure can be downloaded.',
      readOnly: true,
      example: false,
    }),
    content_type: text({ ...detail, example: 'text/html' }),
    file_name: text({ ...detail, example: null }),
    response_headers: text({ ...detail, example: null }),
    step_data: list(stepOfCheck, {
      ...detail,
      about: 'Steps of a scenario in order, of ok checks too; null for other types.',
      example: null,
    }),
    ip_address: text({ ...detail, about: 'The address that was dialled.', example: '192.0.2.1' }),
    status_code: integer({ ...detail, example: 503 }),
    phases: object(
      { dns: phase, connect: phase, tls: phase, sent: phase, first_byte: phase, transfer: phase },
      { about: 'Milliseconds of each part; null where it was not reached.', readOnly: true, shown: phasesShown },
    ),
    facts: json({
      about: 'Facts of the type, such as a DNS answer.',
      readOnly: true,
      schema: { written: factsSchema, shown: factsSchema },
      example: {},
    }),
    missing_artifacts: list(missingArtifact, {
      about:
        'Evidence that is not kept, and why: too_large (larger than what is kept), not_stored (the store did not take it), not_taken (the browser did not give it) or timed_out (the page did not give it in time).',
      readOnly: true,
      example: [],
    }),
    artifacts: json({ internal: true }),
  },
  visible: () => always(true),
  operations: ['read'],
})
