/**
 * Closed days of the history: what a check weighs before and after packing, what packing costs, and what lists of 24 hours cost through
 * the API from rows and from packed days.
 */
import sql from 'sql-template-tag'
import type { Database } from '../src/database/connect.ts'
import { type AnalysisRow, insertAnalyses } from '../src/database/history.ts'
import { handover, packClosedDays } from '../src/database/packed/pack-days.ts'
import { rounded } from '../src/database/packed/precision.ts'
import { ensurePartitions } from '../src/database/partitions.ts'
import type { BenchDatabase } from './support/bench-database.ts'
import { monitoredDatabase } from './support/monitored-database.ts'
import { type ServedApi, serveApi } from './support/served-api.ts'
import { printLine } from './support/table.ts'

const day = 86_400_000
const start = Math.floor(Date.now() / day) * day - 3 * day
const services = 40
const sensors = 3
const analysesOfADay = 1440
const warmUps = 40
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

/** Milliseconds of one reading. */
interface Cost {
  readonly median: number
  /** Of this process, client included, and of the database. */
  readonly cpu: number
}

async function costOf({ serverCpu }: BenchDatabase, work: () => Promise<unknown>): Promise<Cost> {
  for (let turn = 0; turn < warmUps; turn++) await work()
  const times: number[] = []
  const [before, used] = [await serverCpu(), process.cpuUsage()]
  for (let turn = 0; turn < repetitions; turn++) {
    const startedAt = performance.now()
    await work()
    times.push(performance.now() - startedAt)
  }
  const { user, system } = process.cpuUsage(used)
  const cpu = (user + system) / 1000 + ((await serverCpu()) ?? 0) - (before ?? 0)
  return { median: times.sort((a, b) => a - b)[repetitions >> 1] ?? 0, cpu: cpu / repetitions }
}

interface Case {
  readonly name: string
  /** Read one after the other. */
  readonly paths: readonly string[]
}

function casesOf(serviceId: number): readonly Case[] {
  const range = `from=${start / 1000}&to=${(start + day) / 1000}`
  const base = `services/${serviceId}/history`
  const pages = (list: string, rows: number) =>
    Array.from({ length: Math.ceil(rows / 1000) }, (_none, page) => `${list}&limit=1000&offset=${page * 1000}`)
  const [analyses, checks] = [`${base}/analyses?${range}`, `${base}/checks?${range}`]
  return [
    { name: 'analyses, 10 of 1440', paths: [analyses] },
    { name: 'analyses, 1000 of 1440', paths: [`${analyses}&limit=1000`] },
    { name: 'analyses, all in 2 pages', paths: pages(analyses, analysesOfADay) },
    { name: 'checks, 10 of 4320', paths: [checks] },
    { name: 'checks, newest 10', paths: [`${checks}&sort=-time`] },
    { name: 'checks, 1000 of 4320', paths: [`${checks}&limit=1000`] },
    { name: 'checks, all in 5 pages', paths: pages(checks, analysesOfADay * sensors) },
    { name: 'checks that failed', paths: [`${checks}&result=error&limit=1000`] },
    { name: 'performance chart', paths: [`services/${serviceId}/charts/performance?${range}`] },
  ]
}

async function costsOf(bench: BenchDatabase, api: ServedApi, cases: readonly Case[]): Promise<Cost[]> {
  const costs: Cost[] = []
  for (const { paths } of cases) {
    const cost = await costOf(bench, async () => {
      for (const path of paths) await api.read(path)
    })
    costs.push(cost)
  }
  return costs
}

function printCosts(cases: readonly Case[], rows: readonly Cost[], packed: readonly Cost[]): void {
  printLine('24 hours, ms', ['rows', 'CPU', 'packed', 'CPU', 'ratio'])
  for (const [index, { name }] of cases.entries()) {
    const [before, after] = [rows[index], packed[index]]
    if (before === undefined || after === undefined) continue
    const numbers = [before.median, before.cpu, after.median, after.cpu].map((value) => value.toFixed(1))
    printLine(name, [...numbers, `${(after.median / before.median).toFixed(2)}×`])
  }
}

export async function run(): Promise<void> {
  const bench = await monitoredDatabase(services, 60)
  const { database } = bench
  const api = await serveApi(database)
  try {
    const ids = await database.query<{ id: number }>(sql`select id from services order by id`)
    await ensurePartitions(database, start, 0)
    for (const { id } of ids) await database.transaction((transaction) => insertAnalyses(transaction, dayOf(id)))
    await database.execute(sql`vacuum analyze analyses_hot`)
    const checks = services * analysesOfADay * sensors
    const hotBytes = (await bytesOf(database, 'analyses_hot')) / checks
    const cases = casesOf(ids[7]?.id ?? 0)
    const rows = await costsOf(bench, api, cases)
    const [startedAt, serverBefore] = [process.cpuUsage(), await bench.serverCpu()]
    await packClosedDays(database, { nowAt: Date.now() })
    const { user, system } = process.cpuUsage(startedAt)
    const serverMs = ((await bench.serverCpu()) ?? 0) - (serverBefore ?? 0)
    await packClosedDays(database, { nowAt: Date.now() + handover })
    await database.execute(sql`vacuum analyze packed_days`)
    const packedBytes = (await bytesOf(database, 'packed_days')) / checks
    printLine('bytes a check, rows and packed', [hotBytes.toFixed(1), packedBytes.toFixed(1)])
    const perService = [(user + system) / 1000, serverMs].map((ms) => (ms / services).toFixed(1))
    printLine('packing a service-day, CPU-ms', perService)
    printCosts(cases, rows, await costsOf(bench, api, cases))
  } finally {
    await api.close()
    await bench.close()
  }
}
