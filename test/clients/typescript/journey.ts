import createClient, { type Client } from 'openapi-fetch'
import type { paths } from './api.js'

/** What a stranger writes with the generated types: nothing is cast, and only what can be missing is looked at twice. */

type Api = Client<paths>

/** A request can be refused, whatever the client. */
function answered<T>(answer: { readonly data?: T; readonly error?: unknown }): T {
  if (answer.data === undefined) throw new Error(JSON.stringify(answer.error))
  return answer.data
}

export async function logIn(baseUrl: string, username: string, password: string): Promise<Api> {
  const body = { username, password }
  const { token } = answered(await createClient<paths>({ baseUrl }).POST('/sessions', { body }))
  return createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } })
}

/** A group with a service in it, by its number. */
export async function makeService(api: Api, address: string): Promise<number> {
  const group = answered(await api.POST('/groups', { body: { name: 'Shop' } }))
  const service = answered(
    await api.POST('/services', {
      body: {
        name: 'Front page',
        type_id: 'http',
        address,
        group_id: group.id,
        extended_settings: { timeout: 3000, http_method: 'GET' },
        notification_channel_ids: ['email'],
      },
    }),
  )
  return service.id
}

export async function summaryOf(api: Api, id: number) {
  const params = { path: { _id: String(id) }, query: { embed: ['status'] } }
  const service = answered(await api.GET('/services/{_id}', { params }))
  // Only there when it is asked for.
  return service.status?.summary ?? 'unknown'
}

export async function readBack(api: Api, id: number) {
  const service = answered(await api.GET('/services/{_id}', { params: { path: { _id: String(id) } } }))
  const { name, type_id, created_at, extended_settings, notification_channel_ids } = service
  return {
    name: name.toUpperCase(),
    type_id,
    createdAt: new Date(created_at).getTime(),
    tolerance: (extended_settings.error_tolerance ?? 0).toFixed(1),
    channels: notification_channel_ids.map((channel) => channel.length),
  }
}

/** The numbers of services by every kind of filter. */
export async function find(api: Api, id: number) {
  const listed = answered(
    await api.GET('/services', {
      params: {
        query: {
          id: [id],
          'name.contains': ['front', 'nowhere'],
          type_id: ['http', 'https'],
          is_active: true,
          'status.summary': ['ok'],
          'group.name': ['shop'],
          'permissions.update': true,
          sort: ['-name'],
          limit: 100,
        },
      },
    }),
  )
  const searched = answered(
    await api.POST('/services/search', {
      body: {
        filters: { id: [id], 'name.contains': 'front', type_id: 'http', 'status.summary': ['ok', 'failure'] },
        sort: ['-name'],
      },
    }),
  )
  return [listed.map((service) => service.id), searched.map((service) => service.id)]
}

export async function lastChecks(api: Api, id: number) {
  const path = { _id: String(id), _analysis_id: 'last_analysis' }
  const checks = answered(await api.GET('/services/{_id}/history/analyses/{_analysis_id}/checks', { params: { path } }))
  const [level, details] = [
    answered(await api.GET('/services/{_id}/history/service_level', { params: { path } })),
    await Promise.all(
      checks.map(async ({ sensor_id }) => {
        const of = { ...path, _sensor_id: String(sensor_id) }
        return answered(
          await api.GET('/services/{_id}/history/analyses/{_analysis_id}/checks/{_sensor_id}/details', {
            params: { path: of },
          }),
        )
      }),
    ),
  ]
  return {
    results: checks.map(({ result }) => result),
    // A check that failed took no time.
    milliseconds: checks.map(({ response_time }) => response_time ?? 0),
    missing: details.flatMap(({ missing_artifacts }) => missing_artifacts.map(({ reason }) => reason)),
    warnings: details.map(({ facts }) => facts.warnings ?? ''),
    seconds: level.ok + level.failure + level.paused,
  }
}

/** The status of a second read of what has not changed. */
export async function readTwice(api: Api): Promise<readonly number[]> {
  const first = await api.GET('/dictionaries/time_zones')
  const header = { 'If-None-Match': first.response.headers.get('etag') ?? '' }
  const second = await api.GET('/dictionaries/time_zones', { params: { header } })
  return [first.response.status, second.response.status]
}

/** What is refused, and what a bulk operation tells of each. */
export async function refusals(api: Api, id: number) {
  const { error = [] } = await api.POST('/services', { body: { name: '', type_id: 'http', address: 'x' } })
  const results = answered(await api.POST('/services/bulk_pause', { body: { ids: [id, 999_999] } }))
  return {
    codes: error.map(({ code }) => code.toString().slice(0, 3)),
    bulk: results.map(({ id: of, ok, problems }) => ({ id: of, ok, errors: problems.map((problem) => problem.error) })),
  }
}

export async function remove(api: Api, id: number): Promise<readonly number[]> {
  const params = { path: { _id: String(id) } }
  const removed = await api.DELETE('/services/{_id}', { params })
  const gone = await api.GET('/services/{_id}', { params })
  return [removed.response.status, gone.response.status]
}
