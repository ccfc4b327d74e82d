/** Closed days of the history: what a check weighs before and after packing, and what a list of 24 hours costs then. */
import sql, { type Sql } from 'sql-template-tag'
import { analysisIdAt } from '../src/database/analysis-id.ts'
import type { Database } from '../src/database/connect.ts'
import { type AnalysisRow, checksView, insertAnalyses, recentAnalyses } from '../src/database/history.ts'
import { packClosedDays } from '../src/database/packed/pack-days.ts'
import { rounded } from '../src/database/packed/precision.ts'
import { analysesWithin } from '../src/database/packed/reach.ts'
import { ensurePartitions } from '../src/database/partitions.ts'
import { benchDatabase } from './support/bench-database.ts'
import { printLine } from './support/table.ts'

const day = 86_400_000
const start = Date.UTC(2026, 10, 2)
const services = 40
const sensors = 3
const analysesOfADay = 1440
const repetitions = 60

/** Deterministic: the same history in every run (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** One https service of a day seen from 12, 38 and 110 ms away: log-normal parts, a hundredth of the checks fail. */
function dayOf(serviceId: number): AnalysisRow[] {
  const random = randomFrom(serviceId)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const around = (median: number, spread: number) => median * Math.exp(spread * normal())
  const check = (distance: number) => {
    const dns = random() < 0.9 ? around(0.3, 0.4) : around(15, 0.5)
    const parts = [dns, distance + around(0.4, 0.7), distance * 1.1 + around(2, 0.4), around(0.06, 0.3)]
    const phases = [...parts, distance + around(45, 0.25), around(3, 0.4)]
    const isOk = random() > 0.01
    return { phases, isOk, time: Math.round(phases.reduce((sum, phase) => sum + phase)), delay: Math.abs(normal()) * 3 }
  }
  return Array.from({ length: analysesOfADay }, (_none, minute) => {
    const startAt = start + minute * 60_000 + serviceId * 13 + Math.round(Math.abs(normal()) * 4)
    const checks = [12, 38, 110].map(check)
    const decidedAt = startAt + Math.round(Math.max(...checks.map(({ time, delay }) => time + delay)) + 1)
    const failed = checks.flatMap(({ isOk }, place) => (isOk ? [] : [[String(place + 1), failure] as const]))
    return {
      serviceId,
      analysisId: decidedAt * 100,
      verdict: failed.length > 1 ? 'failure' : 'ok',
      errorTolerance: 51,
      sensorIds: [1, 2, 3],
      results: checks.map(({ isOk }) => (isOk ? 'o' : 'e')),
      timeOffsets: checks.map(({ delay }) => Math.round(startAt + delay - decidedAt)),
      responseTimes: checks.map(({ isOk, time }) => (isOk ? time : -1)),
      dataSizes: checks.map(({ isOk }) => (isOk ? 48_211 + (random() < 0.1 ? Math.round(normal() * 30) : 0) : -1)),
      phases: checks.flatMap(({ phases }) => phases.map((phase) => rounded(Math.round(phase * 1000)))),
      failures: failed.length === 0 ? null : Object.fromEntries(failed),
    }
  })
}

const failure = {
  error_type_id: 21,
  error_message: 'The server answered 503 where 200 was expected.',
  base_url: 'https://shop.example/',
  ip_address: '192.0.2.7',
  status_code: 503,
  response_headers: 'HTTP/1.1 503 Service Unavailable\r\nserver: nginx\r\nretry-after: 30\r\n',
  content_type: 'text/html',
  file_name: null,
  path_step: null,
  facts: {},
  artifacts: [],
}

async function bytesOf(database: Database, parent: string): Promise<number> {
  const [row] = await database.query<{ bytes: number }>(sql`
    select sum(pg_total_relation_size(inhrelid))::bigint as bytes from pg_inherits where inhparent = ${parent}::regclass`)
  return row?.bytes ?? 0
}

async function medianOf(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let turn = 0; turn < repetitions; turn++) {
    const startedAt = performance.now()
    await work()
    times.push(performance.now() - startedAt)
  }
  return times.sort((a, b) => a - b)[repetitions >> 1] ?? 0
}

/** The newest thousand checks of 24 hours with their number, as the API lists them. */
async function list(database: Database, serviceId: number, analyses: Sql): Promise<void> {
  const bounds = sql`service_id = ${serviceId} and analysis_key >= ${analysisIdAt(start)} and analysis_key < ${analysisIdAt(start + day)}`
  const view = checksView({ analyses })
  await database.query(sql`
    select analysis_id, time, sensor_id, result, response_time from (${view}) t where ${bounds}
    order by analysis_key desc, sensor_id limit 1000`)
  await database.query(sql`select count(*) from (${view}) t where ${bounds}`)
}

export async function run(): Promise<void> {
  const bench = await benchDatabase()
  const { database } = bench
  try {
    await ensurePartitions(database, start, 0)
    for (let id = 1; id <= services; id++)
      await database.transaction((transaction) => insertAnalyses(transaction, dayOf(id)))
    await database.execute(sql`vacuum analyze analyses_hot`)
    const checks = services * analysesOfADay * sensors
    const hotBytes = (await bytesOf(database, 'analyses_hot')) / checks
    const hotMs = await medianOf(() => list(database, 7, recentAnalyses))
    const closedAt = start + 3 * day
    const startedAt = process.cpuUsage()
    await packClosedDays(database, { nowAt: closedAt })
    const { user, system } = process.cpuUsage(startedAt)
    await packClosedDays(database, { nowAt: closedAt + day })
    await database.execute(sql`vacuum analyze packed_days`)
    const packedBytes = (await bytesOf(database, 'packed_days')) / checks
    const reach = { serviceIds: [7], fromId: analysisIdAt(start), toId: analysisIdAt(start + day), isBrief: true }
    const packedMs = await medianOf(async () => list(database, 7, await analysesWithin(database, reach)))
    printLine('a row per analysis', [`${hotBytes.toFixed(1)} B/check`, `${hotMs.toFixed(1)} ms`])
    printLine('packed, at most 8 B and 10 ms', [`${packedBytes.toFixed(1)} B/check`, `${packedMs.toFixed(1)} ms`])
    printLine('ratio', [`${(hotBytes / packedBytes).toFixed(1)}×`, `${(packedMs / hotMs).toFixed(2)}×`])
    const perService = (user + system) / 1000 / services
    printLine('packing a service and day', [`${perService.toFixed(1)} CPU-ms`])
  } finally {
    await bench.close()
  }
}
