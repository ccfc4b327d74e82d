/** The whole pipeline without the probe: claim, ask three stations that answer at once, judge, store. */
import { setTimeout as pause } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { type AnalysisRow, insertAnalyses } from '../src/history/analyses.ts'
import { startMonitoring } from '../src/monitoring/start.ts'
import { measureRounds } from '../src/telemetry/measure.ts'
import { Metrics } from '../src/telemetry/metrics.ts'
import { type BenchDatabase, quietLog } from './support/bench-database.ts'
import { metricsRatio } from './support/metrics-ratio.ts'
import { instantStations, monitoredDatabase } from './support/monitored-database.ts'

const services = 5000
const intervalSeconds = 10
const warmUpSeconds = 6
const measuredSeconds = 15
/** As many analyses as one flush holds at this rate. */
const flushSize = 125
const target = 0.5

interface Cost {
  readonly analyses: number
  /** CPU milliseconds per analysis. */
  readonly node: number
  readonly server: number | null
}

/** The work's cost for this process and the database's, per analysis. */
async function costOf(bench: BenchDatabase, work: () => Promise<number>): Promise<Cost> {
  const [serverBefore, before] = [await bench.serverCpu(), process.cpuUsage()]
  const analyses = await work()
  const used = process.cpuUsage(before)
  const serverAfter = await bench.serverCpu()
  const server = serverBefore === null || serverAfter === null ? null : (serverAfter - serverBefore) / analyses
  return { analyses, node: (used.user + used.system) / 1000 / analyses, server }
}

async function storedAnalyses(bench: BenchDatabase): Promise<number> {
  const [row] = await bench.database.query<{ count: number }>(sql`select count(*) as count from analyses_hot`)
  return row?.count ?? 0
}

async function pipeline(bench: BenchDatabase): Promise<Cost> {
  const monitoring = await startMonitoring({
    database: bench.database,
    stations: instantStations(() => {}),
    clock: { now: () => Date.now() },
    log: quietLog,
    keepArtifact: async () => null,
    retentionDays: 400,
    pruneArtifacts: async () => 0,
  })
  await pause(warmUpSeconds * 1000)
  const before = await storedAnalyses(bench)
  const cost = await costOf(bench, async () => {
    await pause(measuredSeconds * 1000)
    return (await storedAnalyses(bench)) - before
  })
  await monitoring.stop()
  return cost
}

function bareRow(serviceId: number, analysisId: number): AnalysisRow {
  return {
    ...{ serviceId, analysisId, verdict: 'ok', errorTolerance: 51, failures: null },
    ...{ sensorIds: [1, 2, 3], results: ['o', 'o', 'o'], timeOffsets: [-2, -2, -2] },
    ...{ responseTimes: [87, 87, 87], dataSizes: [5120, 5120, 5120] },
    phases: Array.from({ length: 3 }, () => [1200, 10_300, -1, 200, 60_100, 15_400]).flat(),
  }
}

/** The same rows inserted by a bare loop, in flushes of the same size. */
async function bareLoop(bench: BenchDatabase, analyses: number): Promise<Cost> {
  const start = (Date.now() + 3_600_000) * 100
  return costOf(bench, async () => {
    for (let first = 0; first < analyses; first += flushSize) {
      const rows = Array.from({ length: flushSize }, (_, index) =>
        bareRow((first + index) % services, start + first + index),
      )
      await bench.database.transaction((transaction) => insertAnalyses(transaction, rows))
    }
    return Math.ceil(analyses / flushSize) * flushSize
  })
}

/**
 * The cost of telemetry per analysis, without anything else; the difference of two pipelines would drown in their
 * noise.
 */
function costOfTelling(metrics: Metrics): number {
  const rounds = measureRounds(metrics)
  const claim = { serviceId: 1, dueAt: 0, reason: 'interval' } as const
  const check = { sensorId: 1, result: 'ok', startedAt: 0, responseTime: 87, errorTypeId: null } as const
  const analysis = { typeId: 'http', analysisId: 1, decidedAt: 0, verdict: 'ok', checks: [check, check, check] }
  const analysed = Array.from({ length: flushSize }, () => ({ claim, analysis }))
  const flushes = 2000
  const before = process.cpuUsage()
  for (let flush = 0; flush < flushes; flush++) {
    for (const one of analysed) rounds.began(one.claim, 1)
    rounds.recorded({ analysed, notices: new Map(), beganAt: 0, durationMs: 12 })
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / (flushes * flushSize)
}

/** CPU milliseconds a second of a process that does nothing else but watch its own loop. */
async function costOfWatching(): Promise<number> {
  const seconds = 5
  const before = process.cpuUsage()
  await pause(seconds * 1000)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / seconds
}

async function costOfScrape(metrics: Metrics): Promise<number> {
  const scrapes = 20
  const before = process.cpuUsage()
  for (let scrape = 0; scrape < scrapes; scrape++) await metrics.expose('')
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / scrapes
}

export async function run(): Promise<void> {
  const bench = await monitoredDatabase(services, intervalSeconds)
  try {
    const whole = await pipeline(bench)
    const bare = await bareLoop(bench, whole.analyses)
    const metrics = new Metrics()
    const told = costOfTelling(metrics)
    const watching = await costOfWatching()
    const scrape = await costOfScrape(metrics)
    const { ratio, least, greatest } = await metricsRatio(bench)
    const shown = (cost: number | null) => (cost === null ? 'unknown' : `${cost.toFixed(3)} ms`)
    console.log(`pipeline, 3 stations: ${whole.analyses} analyses in ${measuredSeconds} s`)
    console.log(
      `  node       ${shown(whole.node)} CPU per analysis (target ${target} ms); bare inserts ${shown(bare.node)}`,
    )
    console.log(`  PostgreSQL ${shown(whole.server)} CPU per analysis; bare inserts ${shown(bare.server)}`)
    console.log(`  ratio to the bare inserting loop: ${(whole.node / bare.node).toFixed(1)}×`)
    const share = (cost: number) => `${((cost / whole.node) * 100).toFixed(1)} %`
    console.log(`  metrics    ${(told * 1000).toFixed(1)} µs CPU per analysis, ${share(told)} of the pipeline’s`)
    console.log(
      `             ${watching.toFixed(1)} ms a second for watching the process, ${scrape.toFixed(1)} ms a scrape`,
    )
    console.log(
      `             the pipeline with them, scraped every 10 s, against it without: ${ratio.toFixed(3)}× its CPU (${least.toFixed(2)}–${greatest.toFixed(2)} of single pairs)`,
    )
  } finally {
    await bench.close()
  }
}
