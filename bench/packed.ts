/**
 * Closed days of the history: what a check weighs before and after packing, what packing costs, and what lists of 24 hours cost through
 * the API from rows and from packed days.
 */
import sql from 'sql-template-tag'
import type { Database } from '../src/database/connect.ts'
import { insertAnalyses } from '../src/database/history.ts'
import { handover, packClosedDays } from '../src/database/packed/pack-days.ts'
import { ensurePartitions } from '../src/database/partitions.ts'
import { analysesOfADay, dayOf, sensors } from './packed/day.ts'
import type { BenchDatabase } from './support/bench-database.ts'
import { monitoredDatabase } from './support/monitored-database.ts'
import { type ServedApi, serveApi } from './support/served-api.ts'
import { printLine } from './support/table.ts'

const day = 86_400_000
const start = Math.floor(Date.now() / day) * day - 3 * day
const services = 40
const warmUps = 15
const repetitions = 25

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
    for (const { id } of ids) await database.transaction((transaction) => insertAnalyses(transaction, dayOf(id, start)))
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
