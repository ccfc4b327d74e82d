import sql from 'sql-template-tag'
import { gatewayIds } from '../../channels/index.ts'
import { sensorSilenceSeconds } from '../../database/services/sensors.ts'
import { formatMoment } from '../../domain/calendars/time.ts'
import { analysisIdAt } from '../../domain/judging/analysis-id.ts'
import type { Call, Operation } from '../../rest/call.ts'
import { integer, list, moment, object, text } from '../../rest/fields.ts'
import { refuse } from '../../rest/problems.ts'
import { answerSchemaOf } from '../../rest/schemas.ts'

const count = (about: string) =>
  integer({ required: true, minimum: 0, maximum: Number.MAX_SAFE_INTEGER, about, example: 1 })

const stats = object(
  {
    services: count('Services of all accounts that are not archived.'),
    active_services: count('Those of them that are monitored now.'),
    failing_services: count('Those of them whose last state is a failure.'),
    sensors: count('Monitoring stations.'),
    available_sensors: count('Those of them that report in.'),
    analyses_in_last_minute: count('Rounds of checks.'),
    checks_in_last_minute: count('Checks of single sensors.'),
    analyses_this_month: count('Rounds of checks since the month began, in UTC.'),
    checks_this_month: count('Checks of single sensors since the month began.'),
  },
  {},
)

/** Single analyses are counted over a minute only, whole months from their sums. */
async function readStats({ database, nowAt }: Call): Promise<unknown> {
  const [row] = await database.query(sql`
    select (select count(*)::int from services where not is_archived) as services,
      running.active_services, running.failing_services, stations.sensors, stations.available_sensors,
      lately.analyses_in_last_minute, lately.checks_in_last_minute, month.analyses_this_month, month.checks_this_month
    from (
        select (count(*) filter (where monitoring_status = 'on'))::int as active_services,
          (count(*) filter (where monitoring_status = 'on' and state = 'failure'))::int as failing_services
        from service_statuses) running,
      (select count(*)::int as sensors,
          (count(*) filter (where last_seen_at > ${new Date(nowAt - sensorSilenceSeconds * 1000)}))::int as available_sensors
        from sensors) stations,
      (select count(*)::int as analyses_in_last_minute,
          coalesce(sum(cardinality(sensor_ids)), 0)::int as checks_in_last_minute
        from analyses_hot
        where analysis_id >= ${analysisIdAt(nowAt - 60_000)} and analysis_id < ${analysisIdAt(nowAt + 1)}) lately,
      (select coalesce(sum(analyses), 0)::bigint as analyses_this_month, coalesce(sum(checks), 0)::bigint as checks_this_month
        from usage_counters where month = date_trunc('month', ${new Date(nowAt)}::timestamptz at time zone 'UTC')::date) month`)
  return row ?? refuse('internal_error')
}

const gatewayState = object(
  {
    id: text({ required: true, oneOf: gatewayIds, about: 'The notification channel it is known for.', example: 'sms' }),
    failing_since: moment({ required: true, about: 'Its first failure.', example: '2026-11-21T11:13:00Z' }),
    error_message: text({
      required: true,
      about: 'The error with which it failed.',
      example: 'The SMS gateway answered 503',
    }),
  },
  {},
)

async function readFailingGateways({ database }: Call): Promise<unknown> {
  const rows = await database.query<{ failing_since: number }>(
    sql`select id, failing_since, error_message from failing_gateways order by id`,
  )
  return rows.map((row) => ({ ...row, failing_since: formatMoment(row.failing_since) }))
}

const tag = 'system'

/** Operations of /system that belong to no resource. */
export const systemState: readonly Operation[] = [
  {
    id: 'system.stats',
    method: 'GET',
    path: '/system/stats',
    tag,
    summary: 'Current statistics of the whole system',
    access: 'any',
    answers: { 200: { about: 'The numbers.', schema: answerSchemaOf(stats) } },
    handle: async (call) => ({ status: 200, body: await readStats(call) }),
  },
  {
    id: 'system.state',
    method: 'GET',
    path: '/system/state',
    tag,
    summary: 'The parts that do not work now',
    about: 'Gateways for notices that are down; none when all serve.',
    access: 'administrator',
    answers: {
      200: {
        about: 'The part that is down.',
        schema: answerSchemaOf(object({ failing_gateways: list(gatewayState, { required: true, example: [] }) }, {})),
      },
    },
    handle: async (call) => ({ status: 200, body: { failing_gateways: await readFailingGateways(call) } }),
  },
  {
    id: 'system.my_ip_address',
    method: 'GET',
    path: '/system/my_ip_address',
    tag,
    summary: 'The address that the caller comes from',
    about: 'The address with which ip_whitelist of user_data is compared.',
    access: 'any',
    answers: {
      200: {
        about: 'The address.',
        schema: answerSchemaOf(object({ ip_address: text({ required: true, example: '192.0.2.7' }) }, {})),
      },
    },
    handle: async ({ ipAddress }) => ({ status: 200, body: { ip_address: ipAddress } }),
  },
]
