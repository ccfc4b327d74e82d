/**
 * Closed days of the history: the size of a check before and after packing, the cost of packing, and the cost of
 * 24-hour lists through the API. Lists are read from rows and from packed days in turns, so that other work on the
 * machine affects both alike. Nothing is cached between two readings: each unpacks its day anew.
 */
import sql from 'sql-template-tag'
import type { Database } from '../src/database/connect.ts'
import { ensurePartitions } from '../src/database/partitions.ts'
import { insertAnalyses } from '../src/history/analyses.ts'
import { handover, packClosedDays } from '../src/history/packed/pack-days.ts'
import { analysesOfADay, dayOf, sensors } from './packed/day.ts'
import type { BenchDatabase } from './support/bench-database.ts'
import { monitoredDatabase } from './support/monitored-database.ts'
import { type ServedApi, serveApi } from './support/served-api.ts'
import { printLine } from './support/table.ts'

const day = 86_400_000
/** The start of the packed day; the one before it stays in rows. */
const start = Math.floor(Date.now() / day) * day - 3 * day
const rowsStart = start - day
const services = 40
/** The program compiles what runs often; lists are read by one that has run for a while. */
const warmUps = 60
const rounds = 4
const readingsOfRound = 10

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

interface Measured {
  readonly times: number[]
  cpu: number
}

async function measureRound({ serverCpu }: BenchDatabase, work: () => Promise<unknown>, into: Measured): Promise<void> {
  const [before, used] = [await serverCpu(), process.cpuUsage()]
  for (let turn = 0; turn < readingsOfRound; turn++) {
    const startedAt = performance.now()
    await work()
    into.times.push(performance.now() - startedAt)
  }
  const { user, system } = process.cpuUsage(used)
  into.cpu += (user + system) / 1000 + ((await serverCpu()) ?? 0) - (before ?? 0)
}

function costOf({ times, cpu }: Measured): Cost {
  const sorted = times.toSorted((a, b) => a - b)
  return { median: sorted[sorted.length >> 1] ?? 0, cpu: cpu / times.length }
}

interface Case {
  readonly name: string
  /** Read one after the other. */
  readonly paths: (startOfDay: number) => readonly string[]
}

function pages(list: string, rows: number): readonly string[] {
  return Array.from({ length: Math.ceil(rows / 1000) }, (_none, page) => `${list}&limit=1000&offset=${page * 1000}`)
}

function casesOf(serviceId: number): readonly Case[] {
  const range = (at: number) => `from=${at / 1000}&to=${(at + day) / 1000}`
  const base = `services/${serviceId}/history`
  const analyses = (at: number) => `${base}/analyses?${range(at)}`
  const checks = (at: number) => `${base}/checks?${range(at)}`
  return [
    { name: 'the service itself', paths: () => [`services/${serviceId}`] },
    { name: 'analyses, 10 of 1440', paths: (at) => [analyses(at)] },
    { name: 'analyses, 1000 of 1440', paths: (at) => [`${analyses(at)}&limit=1000`] },
    { name: 'analyses, all in 2 pages', paths: (at) => pages(analyses(at), analysesOfADay) },
    { name: 'checks, 10 of 4320', paths: (at) => [checks(at)] },
    { name: 'checks, newest 10', paths: (at) => [`${checks(at)}&sort=-time`] },
    { name: 'checks, slowest 10', paths: (at) => [`${checks(at)}&sort=-response_time`] },
    { name: 'checks, 1000 of 4320', paths: (at) => [`${checks(at)}&limit=1000`] },
    { name: 'checks, all in 5 pages', paths: (at) => pages(checks(at), analysesOfADay * sensors) },
    { name: 'checks that failed', paths: (at) => [`${checks(at)}&result=error&limit=1000`] },
    { name: 'performance chart', paths: (at) => [`services/${serviceId}/charts/performance?${range(at)}`] },
  ]
}

async function printCosts(bench: BenchDatabase, api: ServedApi, cases: readonly Case[]): Promise<void> {
  printLine('24 hours, ms', ['rows', 'CPU', 'packed', 'CPU', 'ratio', 'of CPU'])
  for (const { name, paths } of cases) {
    const read = (startOfDay: number) => async () => {
      for (const path of paths(startOfDay)) await api.read(path)
    }
    const [fromRows, fromPacked] = [read(rowsStart), read(start)]
    const [rows, packed]: [Measured, Measured] = [
      { times: [], cpu: 0 },
      { times: [], cpu: 0 },
    ]
    for (let turn = 0; turn < warmUps; turn++) for (const work of [fromRows, fromPacked]) await work()
    for (let round = 0; round < rounds; round++) {
      await measureRound(bench, fromRows, rows)
      await measureRound(bench, fromPacked, packed)
    }
    const [before, after] = [costOf(rows), costOf(packed)]
    const numbers = [before.median, before.cpu, after.median, after.cpu].map((value) => value.toFixed(1))
    const ratios = [after.median / before.median, after.cpu / before.cpu].map((ratio) => `${ratio.toFixed(2)}×`)
    printLine(name, [...numbers, ...ratios])
  }
}

async function writeDay(database: Database, ids: readonly number[], startOfDay: number): Promise<void> {
  await ensurePartitions(database, startOfDay, 0)
  for (const id of ids) await database.transaction((transaction) => insertAnalyses(transaction, dayOf(id, startOfDay)))
  await database.execute(sql`vacuum analyze analyses_hot`)
}

/** Of this process and of the database, milliseconds. */
async function packDays(bench: BenchDatabase): Promise<readonly [own: number, server: number]> {
  const [startedAt, serverBefore] = [process.cpuUsage(), await bench.serverCpu()]
  await packClosedDays(bench.database, { nowAt: Date.now() })
  const { user, system } = process.cpuUsage(startedAt)
  const server = ((await bench.serverCpu()) ?? 0) - (serverBefore ?? 0)
  await packClosedDays(bench.database, { nowAt: Date.now() + handover })
  await bench.database.execute(sql`vacuum analyze packed_days`)
  return [(user + system) / 1000, server]
}

export async function run(): Promise<void> {
  const bench = await monitoredDatabase(services, 60)
  const { database } = bench
  const api = await serveApi(database)
  try {
    const rows = await database.query<{ id: number }>(sql`select id from services order by id`)
    const ids = rows.map(({ id }) => id)
    await writeDay(database, ids, start)
    const checks = services * analysesOfADay * sensors
    const hotBytes = (await bytesOf(database, 'analyses_hot')) / checks
    const cpu = await packDays(bench)
    const packedBytes = (await bytesOf(database, 'packed_days')) / checks
    printLine('bytes a check, rows and packed', [hotBytes.toFixed(1), packedBytes.toFixed(1)])
    printLine(
      'packing a service-day, CPU-ms',
      cpu.map((ms) => (ms / services).toFixed(1)),
    )
    await writeDay(database, ids, rowsStart)
    await printCosts(bench, api, casesOf(ids[7] ?? 0))
  } finally {
    await api.close()
    await bench.close()
  }
}
