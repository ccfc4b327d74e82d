import sql from 'sql-template-tag'
import { analysisIdAt } from '../../domain/analysis-id.ts'
import { dayLength } from '../../domain/durations.ts'
import type { Call, Operation } from '../../rest/call.ts'
import { decimal, integer, list, object, text } from '../../rest/fields.ts'
import { refuse } from '../../rest/problems.ts'
import { answerSchemaOf } from '../../rest/schemas.ts'

/**
 * Lateness and agreement are computed from the newest rounds, so that they cost the same in installations of any size.
 */
const newestRounds = 10_000
const newestMs = 3_600_000
const windows: ReadonlyMap<string, number> = new Map([
  ['24h', dayLength],
  ['7d', 7 * dayLength],
])

const count = (about: string) =>
  integer({ required: true, minimum: 0, maximum: Number.MAX_SAFE_INTEGER, about, example: 1 })
const milliseconds = (about: string) => integer({ required: true, nullable: true, minimum: 0, about, example: 12 })
const share = (about: string) => decimal({ required: true, nullable: true, about, example: 0.998 })

const station = object(
  {
    sensor_id: integer({ required: true, example: 1 }),
    name: text({ required: true, example: 'Gdańsk' }),
    rounds: count('Of the newest ones: those that it could tell something in and that had a verdict.'),
    agreement: share('Share of them in which it said what the verdict said. Null: none.'),
    checks: count('Of the days of the window.'),
    unknown_checks: count('Those of them that it could not try.'),
  },
  {},
)

const channel = object(
  {
    notification_channel_id: text({ required: true, example: 'email' }),
    sent: count('Handed over to the gateway or the server of the addressee.'),
    failed: count('Given up.'),
    pending: count('Still to be sent.'),
    other: count('Neither: for example left out, since their service was switched off.'),
    latency_p50: milliseconds('From the verdict to the end of sending, half of those sent. Null: none.'),
    latency_p95: milliseconds('The same, 95 of 100.'),
  },
  {},
)

const answer = object(
  {
    window: text({ required: true, oneOf: ['24h', '7d'], example: '24h' }),
    lateness: object(
      {
        rounds: count('Of the newest ones.'),
        unjudged_rounds: count('Those of them without a verdict: too few stations could tell.'),
        p50: milliseconds(
          'From the moment of the round to the beginning of its last check, half of the rounds. Null: none.',
        ),
        p95: milliseconds('The same, 95 of 100.'),
        maximum: milliseconds('The latest.'),
      },
      { required: true },
    ),
    stations: list(station, { required: true }),
    failures: count('Failures that began in the window, of all services.'),
    false_alarms_corrected: count('Corrections to `ok` that somebody entered in the window.'),
    deliveries: list(channel, { required: true }),
  },
  {},
)

type Row = Readonly<Record<string, unknown>>

/** The newest rounds, whichever process judged them. */
function newest(nowAt: number) {
  return sql`
    select verdict, sensor_ids, results::text[] as results, time_offsets from analyses_hot
    where analysis_id >= ${analysisIdAt(nowAt - newestMs)} and analysis_id < ${analysisIdAt(nowAt + 1)}
    order by analysis_id desc limit ${newestRounds}`
}

async function readLateness({ database, nowAt }: Call): Promise<Row | undefined> {
  const [row] = await database.query<Row>(sql`
    select count(*)::int as rounds, (count(*) filter (where verdict = 'none'))::int as unjudged_rounds,
      round(percentile_cont(0.5) within group (order by late))::int as p50,
      round(percentile_cont(0.95) within group (order by late))::int as p95, max(late)::int as maximum
    from (
      select verdict, greatest(0, (select max(at) from unnest(time_offsets) as at)) as late
      from (${newest(nowAt)}) newest) rounds`)
  return row
}

async function readStations({ database, nowAt }: Call, fromAt: number): Promise<readonly Row[]> {
  const [sensors, said, days] = await Promise.all([
    database.query<{ id: number; name: string }>(sql`select id, name from sensors order by id`),
    database.query<{ sensor_id: number; rounds: number; agreed: number }>(sql`
      select told.sensor_id, count(*)::int as rounds,
        (count(*) filter (where (told.result = 'o') = (verdict = 'ok')))::int as agreed
      from (${newest(nowAt)}) newest cross join lateral unnest(sensor_ids, results) as told (sensor_id, result)
      where told.result in ('o', 'e') and verdict <> 'none' group by 1`),
    database.query<{ sensor_id: number; checks: number; unknown_checks: number }>(sql`
      select sensor_id, sum(ok_checks + error_checks + unknown_checks)::bigint as checks,
        sum(unknown_checks)::bigint as unknown_checks
      from daily_performance where day >= ${Math.floor(fromAt / dayLength)} group by 1`),
  ])
  return sensors.map(({ id, name }) => {
    const { rounds, agreed } = said.find(({ sensor_id }) => sensor_id === id) ?? { rounds: 0, agreed: 0 }
    const { checks, unknown_checks } = days.find(({ sensor_id }) => sensor_id === id) ?? {
      checks: 0,
      unknown_checks: 0,
    }
    const agreement = rounds === 0 ? null : agreed / rounds
    return { sensor_id: id, name, rounds, agreement, checks, unknown_checks }
  })
}

async function readDeliveries({ database }: Call, fromAt: number): Promise<readonly Row[]> {
  return database.query<Row>(sql`
    select notification_channel_id, (count(*) filter (where status = 'sent'))::int as sent,
      (count(*) filter (where status = 'failed'))::int as failed,
      (count(*) filter (where status = 'pending'))::int as pending,
      (count(*) filter (where status not in ('sent', 'failed', 'pending')))::int as other,
      round(percentile_cont(0.5) within group (order by took) filter (where status = 'sent'))::int as latency_p50,
      round(percentile_cont(0.95) within group (order by took) filter (where status = 'sent'))::int as latency_p95
    from (
      select notification_channel_id, status,
        greatest(0, extract(epoch from finished_at - created_at) * 1000)::double precision as took
      from notification_intents where created_at >= ${new Date(fromAt)}) notices
    group by 1 order by 1`)
}

async function countSince({ database }: Call, fromAt: number): Promise<Row> {
  const from = new Date(fromAt)
  const [row] = await database.query<Row>(sql`
    select (select count(*)::int from status_changes where status = 'failure' and start_time >= ${from}) as failures,
      (select count(*)::int from corrections where status = 'ok' and created_at >= ${from}) as false_alarms_corrected`)
  return row ?? refuse('internal_error')
}

/** `GET /system/installation` */
export const installation: Operation = {
  id: 'system.installation',
  method: 'GET',
  path: '/system/installation',
  tag: 'system',
  summary: 'How well the installation itself works',
  about:
    'From what is stored, so of all processes together. `lateness` and `agreement` are of the newest rounds: at most ' +
    `${newestRounds} of the last hour, whatever the window. \`checks\` and \`unknown_checks\` are of the whole UTC days that the window ` +
    'touches; everything else is of the window to the second. Notifications are counted while they are stored.',
  access: 'administrator',
  parameters: [
    {
      name: 'window',
      in: 'query',
      about: 'How far back.',
      schema: { type: 'string', enum: ['24h', '7d'], default: '24h' },
    },
  ],
  answers: { 200: { about: 'The numbers.', schema: answerSchemaOf(answer) } },
  async handle(call) {
    const window = call.query.get('window') ?? '24h'
    const length = windows.get(window)
    if (length === undefined) return refuse('incorrect_value', 'query.window')
    const fromAt = call.nowAt - length
    const [lateness, stations, counts, deliveries] = await Promise.all([
      readLateness(call),
      readStations(call, fromAt),
      countSince(call, fromAt),
      readDeliveries(call, fromAt),
    ])
    return { status: 200, body: { window, lateness, stations, ...counts, deliveries } }
  },
}
