/**
 * Reads over long times and many services through the API with 10,000 services present, compared with the bare
 * statements that they need.
 */
import sql, { type Sql } from 'sql-template-tag'
import type { Database } from '../src/database/connect.ts'
import { ensurePartitions } from '../src/database/partitions.ts'
import { monitoredDatabase } from './support/monitored-database.ts'
import { serveApi } from './support/served-api.ts'
import { printLine } from './support/table.ts'

const services = 10_000
/** Services whose sums stand between those of the measured one, as hour after hour writes them. */
const neighbours = 40
const days = 400
/** Days with every single analysis, at both ends of the history. */
const fullDays = 15
const changesPerService = 30
/** As long as a program runs that is asked now and then: its code is compiled. */
const warmUpMilliseconds = 1500
const repetitions = 100

const day = 86_400_000
const clock = { now: () => Date.now() }

async function fill(database: Database, serviceId: number, startAt: number): Promise<void> {
  const start = sql`${new Date(startAt)}::timestamptz`
  for (let at = startAt; at < clock.now(); at += 20 * day) await ensurePartitions(database, at, 20)
  await database.execute(sql`update services set created_at = ${start}`)
  await database.execute(sql`
    insert into status_changes (service_id, change_id, status, start_time, end_time)
    select id, extract(epoch from ${start} + number * piece)::bigint * 100000, (array['ok', 'failure', 'paused'])[1 + number % 3],
      ${start} + number * piece, case when number < ${changesPerService - 1}::int then ${start} + (number + 1) * piece end
    from services, generate_series(0, ${changesPerService - 1}::int) number,
      (select interval '1 day' * ${days}::int / ${changesPerService}::int as piece) pieces`)
  const measured = sql`180, 12000, 3, 1, 180, 40, 900`
  await database.execute(sql`
    insert into hourly_performance (hour, service_id, ok_checks, response_time_sum, error_checks, unknown_checks, timed_checks,
      response_time_minimum, response_time_maximum)
    select hour, ${serviceId}::int + neighbour, ${measured} from generate_series(${startAt / 3_600_000}::int,
      ${Math.floor(clock.now() / 3_600_000)}::int) hour, generate_series(0, ${neighbours}::int) neighbour order by 1, 2`)
  await database.execute(sql`
    insert into daily_performance (day, service_id, sensor_id, ok_checks, response_time_sum, error_checks, unknown_checks,
      timed_checks, response_time_minimum, response_time_maximum)
    select day, ${serviceId}::int + neighbour, sensor, ${measured} from generate_series(${startAt / day}::int,
      ${Math.floor(clock.now() / day)}::int) day, generate_series(0, ${neighbours}::int) neighbour,
      generate_series(1, 3) sensor order by 1, 2`)
  await fillAnalyses(database, serviceId, startAt)
  await database.execute(sql`analyze`)
}

async function fillAnalyses(database: Database, serviceId: number, startAt: number): Promise<void> {
  for (const firstAt of [startAt, Math.floor(clock.now() / day) * day - (fullDays - 1) * day]) {
    await database.execute(sql`
      insert into analyses_hot (service_id, analysis_id, verdict, error_tolerance, sensor_ids, results, time_offsets,
        response_times, data_sizes, phases)
      select ${serviceId}, (${firstAt}::bigint + number * 60000) * 100, 'ok', 51, '{1,2,3}', '{o,o,e}', '{-90,-80,-70}',
        '{90,80,-1}', '{5120,5120,-1}', array_fill(1000, array[18])
      from generate_series(0, ${fullDays * 1440 - 1}::int) number`)
  }
}

/** One state from the first noon to the last midnight, beside the others: only its checks are counted. */
async function addLongState(database: Database, serviceId: number, startAt: number): Promise<number> {
  const [at, end] = [startAt + day / 2 + 1, Math.floor(clock.now() / day) * day]
  await database.execute(sql`
    insert into status_changes (service_id, change_id, status, start_time, end_time)
    values (${serviceId}, ${at * 100}, 'ok', ${new Date(at)}, ${new Date(end)})`)
  return at * 100
}

/** Milliseconds. The fastest tells what the work costs where other programs use the machine too. */
interface Times {
  readonly median: number
  readonly fastest: number
}

async function timesOf(work: () => Promise<unknown>): Promise<Times> {
  const warmAt = performance.now() + warmUpMilliseconds
  while (performance.now() < warmAt) await work()
  const times: number[] = []
  for (let index = 0; index < repetitions; index++) {
    const startedAt = performance.now()
    await work()
    times.push(performance.now() - startedAt)
  }
  times.sort((a, b) => a - b)
  return { median: times[repetitions >> 1] ?? 0, fastest: times[0] ?? 0 }
}

interface Case {
  readonly name: string
  readonly path: string
  readonly statements: readonly Sql[]
  /** Milliseconds; null for none. */
  readonly target: number | null
}

interface Measured {
  readonly serviceId: number
  readonly accountId: number
  readonly startAt: number
  readonly changeId: number
}

function casesOf({ serviceId, accountId, startAt, changeId }: Measured): readonly Case[] {
  const of = sql`where service_id = ${serviceId}`
  const changes = sql`select status, start_time, end_time from status_changes ${of} order by start_time`
  const corrections = sql`select id, status, start_time, end_time from corrections ${of}`
  const daily = sql`
    select day, sum(ok_checks), sum(error_checks), sum(response_time_sum), min(response_time_minimum), max(response_time_maximum)
    from daily_performance ${of} group by day order by day`
  const hourly = sql`
    select hour / 2, sum(ok_checks), sum(error_checks), sum(response_time_sum), min(response_time_minimum), max(response_time_maximum)
    from hourly_performance ${of} and hour >= ${Math.floor(clock.now() / 3_600_000) - 720} group by 1 order by 1`
  const sensors = sql`
    select sensor_id, sum(ok_checks), sum(error_checks), sum(unknown_checks) from daily_performance ${of} group by sensor_id`
  const raw = (from: number) => sql`
    select sensor_id, count(*) from analyses_hot, unnest(sensor_ids, results) as c (sensor_id, result) ${of}
      and analysis_id >= ${from * 100} group by sensor_id`
  const service = `services/${serviceId}`
  const ofAccount = sql`from status_changes join services on services.id = service_id where owner_id = ${accountId}`
  const lastOfAccount = sql`
    select change_id, service_id, status, start_time ${ofAccount} order by change_id desc, service_id limit 10`
  const [year, whole] = [`from=-${365 * 86_400}`, `from=${startAt / 1000 + 40_000}`]
  const now = clock.now()
  return [
    {
      name: 'service level, a year',
      path: `${service}/history/service_level?${year}`,
      statements: [changes, corrections],
      target: 5,
    },
    { name: 'performance, 400 days', path: `${service}/charts/performance?${whole}`, statements: [daily], target: 50 },
    {
      name: 'performance, 30 days',
      path: `${service}/charts/performance?from=-2592000`,
      statements: [hourly],
      target: 50,
    },
    { name: 'performance, 1 day', path: `${service}/charts/performance`, statements: [raw(now - day)], target: 50 },
    {
      name: 'performance, 83 h of analyses',
      path: `${service}/charts/performance?from=-299000`,
      statements: [raw(now - 3.46 * day)],
      target: 50,
    },
    {
      name: 'availability, 400 days',
      path: `${service}/charts/availability?${whole}`,
      statements: [changes, corrections],
      target: 50,
    },
    {
      name: 'checks of a state of 399 days',
      path: `${service}/history/status_changes/${changeId}/stats`,
      statements: [sensors],
      target: null,
    },
    { name: 'same, analyses of 15 days', path: '', statements: [raw(now - fullDays * day)], target: null },
    {
      name: 'last changes of all services',
      path: 'accounts/my_account/logs/status_changes?sort=-start_time',
      statements: [lastOfAccount, sql`select count(*) ${ofAccount}`],
      target: null,
    },
  ]
}

export async function run(): Promise<void> {
  const bench = await monitoredDatabase(services, 60)
  const { database } = bench
  const startAt = Math.floor(clock.now() / day) * day - (days - 1) * day
  const [first] = await database.query<{ id: number; account: number }>(
    sql`select min(id) + 5000 as id, min(owner_id) as account from services`,
  )
  const { id: serviceId, account: accountId } = first ?? { id: 0, account: 0 }
  const api = await serveApi(database)
  try {
    await fill(database, serviceId, startAt)
    const changeId = await addLongState(database, serviceId, startAt)
    console.log(`  ${services} services, ${days} days; milliseconds, median and fastest of ${repetitions}`)
    printLine('', ['API', '', 'SQL', '', 'ratio', 'target'])
    for (const { name, path, statements, target } of casesOf({ serviceId, accountId, startAt, changeId })) {
      const bare = await timesOf(async () => {
        for (const statement of statements) await database.query(statement)
      })
      const whole = path === '' ? null : await timesOf(() => api.read(path))
      printLine(name, [...shown(whole), ...shown(bare), whole === null ? '' : ratio(whole, bare), String(target ?? '')])
    }
  } finally {
    await api.close()
    await bench.close()
  }
}

function shown(times: Times | null): string[] {
  return times === null ? ['', ''] : [times.median.toFixed(1), times.fastest.toFixed(1)]
}

function ratio(api: Times, bare: Times): string {
  return `${(api.median / bare.median).toFixed(1)}×`
}
