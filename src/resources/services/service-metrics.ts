import { setImmediate } from 'node:timers/promises'
import sql from 'sql-template-tag'
import type { Problem } from '../../domain/input/problem.ts'
import { unknownParameter } from '../../domain/input/problem.ts'
import { isStorable } from '../../domain/input/storable.ts'
import { all, any, is, oneOf } from '../../domain/queries/condition.ts'
import { type MeasuredService, openMetrics } from '../../domain/service-level/open-metrics.ts'
import type { Call, Operation } from '../../rest/call.ts'
import { refuse, refuseAny } from '../../rest/problems.ts'
import { maximumInteger } from '../../rest/schemas.ts'
import { Scope } from '../../rest/sql.ts'

/** The most services of one answer: a scraper that has more takes them group by group. */
const maximumServices = 20_000
/** Services that are written before other work may run. */
const slice = 500

const names = ['group_id', 'tags'] as const

interface Wanted {
  readonly groupIds: readonly number[]
  readonly tags: readonly string[]
}

function readWanted({ query }: Call): Wanted {
  const problems: Problem[] = []
  for (const name of new Set(query.keys())) {
    if (!names.some((known) => known === name))
      problems.push({ error: 'incorrect_value', field: `query.${name}`, facts: unknownParameter(name, names) })
  }
  const groups = query.getAll('group_id')
  if (groups.some((id) => !/^\d{1,9}$/.test(id)))
    problems.push({ error: 'incorrect_type', field: 'query.group_id', facts: { expected: 'integer' } })
  const tags = query.getAll('tags')
  if (!tags.every(isStorable))
    problems.push({ error: 'incorrect_value', field: 'query.tags', facts: { detail: 'forbidden_characters' } })
  refuseAny(problems)
  return { groupIds: groups.map(Number), tags }
}

async function servicesOf(call: Call, { groupIds, tags }: Wanted): Promise<readonly MeasuredService[]> {
  const services = call.registry.get('services')
  const scope = new Scope(services, call)
  const where = all(
    services.visible(call.caller),
    is('is_archived', false),
    ...(groupIds.length === 0 ? [] : [oneOf('group_id', groupIds)]),
    ...(tags.length === 0 ? [] : [any(...tags.map((tag) => is('tags', tag)))]),
  )
  const condition = scope.condition(where)
  const column = (path: string) => scope.column(path).expression
  const seconds = (path: string) => sql`extract(epoch from ${column(path)})::float8`
  return call.database.query<MeasuredService>(sql`
    select ${column('id')} as id, ${column('name')} as name, ${column('type_id')} as type, ${column('group_id')} as group_id,
      ${column('status.summary')} as summary, ${column('status.is_degraded')} as is_degraded,
      ${column('status.is_acknowledged')} as is_acknowledged, ${column('status.last_response_time')} as response_time,
      ${seconds('status.last_analysis_time')} as last_analysis_at, ${seconds('expires_at')} as expires_at
    ${scope.from(where)} where ${condition} order by ${column('id')} limit ${maximumServices + 1}`)
}

/**
 * `GET /metrics/services` (extensions §6): the states of services for Prometheus, in OpenMetrics 1.0. A key that is
 * narrowed to groups or tags shows those.
 */
export function serviceMetricsOf(isOffered: boolean): Operation {
  return {
    id: 'services.metrics',
    scope: 'read',
    forNarrowedKeys: true,
    method: 'GET',
    path: '/metrics/services',
    tag: 'services',
    summary: 'The states of services for Prometheus',
    about: `OpenMetrics text of the services that the caller may read, archived ones left out. Not found unless the operator has switched it on (\`SERVICE_METRICS=on\`). More than ${maximumServices} services are refused: name groups or tags.`,
    access: 'customer',
    parameters: [
      {
        name: 'group_id',
        in: 'query',
        about: 'Services of these groups alone.',
        schema: { type: 'array', items: { type: 'integer', minimum: 0, maximum: maximumInteger } },
      },
      {
        name: 'tags',
        in: 'query',
        about: 'Services with one of these tags alone.',
        schema: { type: 'array', items: { type: 'string' } },
      },
    ],
    answers: {
      200: {
        about: 'The metrics.',
        contentType: 'application/openmetrics-text',
        schema: { type: 'string', example: '# EOF\n' },
      },
    },
    refusals: [404, 422],
    async handle(call) {
      if (!isOffered) return refuse('not_found')
      const services = await servicesOf(call, readWanted(call))
      if (services.length > maximumServices)
        return refuse('limit_exceeded', undefined, { limit: 'services', value: maximumServices })
      const parts: string[] = []
      let written = 0
      for (const part of openMetrics(services)) {
        parts.push(part)
        if (++written % slice === 0) await setImmediate()
      }
      const headers = { 'Content-Type': 'application/openmetrics-text; version=1.0.0; charset=utf-8' }
      return { status: 200, bytes: Buffer.from(parts.join('')), headers }
    },
  }
}
