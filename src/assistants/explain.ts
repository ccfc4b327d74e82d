import { isObject } from '../domain/input/json.ts'
import type { Answer } from '../rest/call.ts'
import type { Asked } from '../rest/calls.ts'
import type { Registry } from '../rest/declare.ts'
import { ApiError } from '../rest/problems.ts'
import { pageText } from './page-text.ts'
import { shapeOfFields } from './resource-shapes.ts'
import { bodyOf, readSchema, type ToolResult, toolResult } from './results.ts'
import type { Shape } from './shapes.ts'

/** Runs an operation as the caller. */
export type RunOperation = (id: string, asked: Partial<Asked>) => Promise<Answer>

type Values = Readonly<Record<string, unknown>>

const serviceFields = ['id', 'name', 'type_id', 'address', 'parent_ids', 'status.summary', 'status.held_by_service_id']
const failureFields = [
  ...['change_id', 'start_time', 'end_time', 'duration', 'first_analysis_id', 'description', 'acknowledged_at'],
  'acknowledgement_comment',
]
const analysisFields = [
  ...['analysis_id', 'time', 'ok_checks_count', 'error_checks_count', 'unknown_checks_count', 'error_tolerance'],
]
const checkFields = [
  ...['sensor_id', 'sensor.name', 'time', 'result', 'response_time', 'error_message', 'path_step'],
  ...['error_type.extra_info', 'error_type.name', 'error_type.description', 'error_type.diagnosis'],
]
const detailFields = [
  ...['sensor_id', 'base_url', 'ip_address', 'status_code', 'content_type', 'phases', 'facts', 'response_headers'],
  'content_available',
]
/** Members whose difference from the last good check may be the reason. */
const compared = ['base_url', 'ip_address', 'status_code', 'content_type'] as const
const comparedFacts = [
  ...['certificate_valid_to', 'certificate_fingerprint', 'certificate_issuer', 'dns_answers', 'dns_rcode'],
] as const

/** Checks at most that are listed, and of the failed ones those with details. */
const mostChecks = 30
const mostDetails = 3

const untrustedText: Shape = { kind: 'untrusted', about: undefined }

function failureShape(registry: Registry): Shape {
  const of = (name: string, shows: readonly string[]) => shapeOfFields(registry, name, shows)
  return {
    kind: 'object',
    members: {
      service: of('services', serviceFields),
      failure: of('status_changes', failureFields),
      analysis: of('analyses', analysisFields),
      checks: { kind: 'list', of: of('checks', checkFields) },
      details: { kind: 'list', of: of('check_details', detailFields) },
      page_text: { kind: 'untrusted', about: 'The beginning of what the first failed check was answered.' },
      last_good_analysis: of('analyses', analysisFields),
      differences: {
        kind: 'list',
        of: {
          kind: 'object',
          members: {
            what: { kind: 'own', schema: { type: 'string', enum: [...compared, ...comparedFacts] } },
            was: untrustedText,
            is: untrustedText,
          },
        },
      },
    },
  }
}

export const failureSchema = (registry: Registry) => readSchema(failureShape(registry))

/** The query that shows these fields. */
function showing(shows: readonly string[], more: Readonly<Record<string, string>> = {}): URLSearchParams {
  const embed = shows.filter((name) => name.includes('.'))
  const fields = shows.filter((name) => !name.includes('.'))
  const query = new URLSearchParams({ ...more, fields: fields.join(',') })
  if (embed.length > 0) query.set('embed', embed.join(','))
  return query
}

/** Null where there is no such object, or none that may be read. */
async function orNull(reading: Promise<unknown>): Promise<unknown> {
  try {
    return await reading
  } catch (error) {
    const isAbsent = error instanceof ApiError && error.problems.every((one) => one.error === 'not_found')
    if (isAbsent) return null
    throw error
  }
}

function first(rows: unknown): Values | null {
  const row: unknown = Array.isArray(rows) ? rows[0] : undefined
  return isObject(row) ? row : null
}

function objectsIn(rows: unknown): Values[] {
  return Array.isArray(rows) ? rows.filter(isObject) : []
}

/** Reads the steps of an explanation of one service. */
function stepsOf(runOperation: RunOperation, serviceId: string) {
  const parameters = { _id: serviceId }
  const run = async (id: string, asked: Partial<Asked>) => bodyOf(await runOperation(id, asked))
  return {
    service: () => run('services.read', { parameters, query: showing(serviceFields) }),
    async failure(changeId: string | undefined) {
      if (changeId === undefined) {
        const query = showing(failureFields, { status: 'failure', sort: '-start_time', limit: '1' })
        return first(await run('status_changes.list', { parameters, query }))
      }
      const query = showing([...failureFields, 'status'])
      const found = await run('status_changes.read', { parameters: { ...parameters, _change_id: changeId }, query })
      return isObject(found) && found['status'] === 'failure' ? found : null
    },
    analysis: (id: string) =>
      orNull(run('analyses.read', { parameters: { ...parameters, _analysis_id: id }, query: showing(analysisFields) })),
    async lastGoodBefore(time: string) {
      const more = { failure: 'false', sort: '-time', limit: '1', to: time }
      return first(await run('analyses.list', { parameters, query: showing(analysisFields, more) }))
    },
    checks: (id: string) =>
      run('checks.list', {
        parameters: { ...parameters, _analysis_id: id },
        query: showing(checkFields, { limit: String(mostChecks), sort: 'result' }),
      }),
    details: (id: string, sensorId: unknown) =>
      orNull(
        run('check_details.read', {
          parameters: { ...parameters, _analysis_id: id, _sensor_id: String(sensorId ?? 0) },
          query: showing(detailFields),
        }),
      ),
    async page(id: string, { sensor_id: sensorId, content_type: type, content_available: isKept }: Values) {
      if (isKept !== true) return null
      const at = { ...parameters, _analysis_id: id, _sensor_id: String(sensorId ?? 0), _artifact_id: 'content' }
      const reading = async () => {
        const { content } = await runOperation('artifacts.plain', { parameters: at })
        return content === undefined ? null : pageText(content, String(type ?? ''))
      }
      return orNull(reading())
    },
  }
}

function factOf(details: Values, name: string): unknown {
  const facts = details['facts']
  return isObject(facts) ? facts[name] : undefined
}

/** The members in which two checks differ; one that was not reached tells nothing. */
function differencesOf(good: Values, failed: Values): readonly Values[] {
  const pairs = [
    ...compared.map((what) => ({ what, was: good[what], is: failed[what] })),
    ...comparedFacts.map((what) => ({ what, was: factOf(good, what), is: factOf(failed, what) })),
  ]
  return pairs
    .filter(({ was, is }) => (was ?? null) !== null && (is ?? null) !== null && was !== is)
    .map(({ what, was, is }) => ({ what, was: String(was), is: String(is) }))
}

type Steps = ReturnType<typeof stepsOf>

async function evidenceOf(steps: Steps, analysisId: string) {
  const analysis = await steps.analysis(analysisId)
  if (!isObject(analysis)) return noEvidence
  const checks = objectsIn(await steps.checks(analysisId))
  const failed = checks.filter((check) => check['result'] === 'error').slice(0, mostDetails)
  const details: Values[] = []
  for (const check of failed) {
    const found = await steps.details(analysisId, check['sensor_id'])
    if (isObject(found)) details.push(found)
  }
  const [first] = details
  return { analysis, checks, details, page_text: first === undefined ? null : await steps.page(analysisId, first) }
}

const noEvidence = { analysis: null, checks: [], details: [] as Values[], page_text: null }

/** Compares the first failed check with the same sensor's check of the last good analysis. */
async function changesSince(steps: Steps, analysis: Values | null, details: readonly Values[]) {
  if (analysis === null) return { last_good_analysis: null, differences: [] }
  const good = await steps.lastGoodBefore(String(analysis['time']))
  const [failed] = details
  if (good === null || failed === undefined) return { last_good_analysis: good, differences: [] }
  const before = await steps.details(String(good['analysis_id']), failed['sensor_id'])
  return { last_good_analysis: good, differences: isObject(before) ? differencesOf(before, failed) : [] }
}

/** Explains a failure of a service with what its checks found; without one, `failure` is null. */
export async function explainFailure(registry: Registry, run: RunOperation, asked: Asked): Promise<ToolResult> {
  const steps = stepsOf(run, asked.parameters['_id'] ?? '')
  const service = await steps.service()
  const failure = await steps.failure(asked.query.get('change_id') ?? undefined)
  const analysisId = failure?.['first_analysis_id']
  const evidence = typeof analysisId === 'string' ? await evidenceOf(steps, analysisId) : noEvidence
  const changes = await changesSince(steps, evidence.analysis, evidence.details)
  return toolResult(failureShape(registry), { service, failure, ...evidence, ...changes })
}
