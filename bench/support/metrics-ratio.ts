import { setTimeout as pause } from 'node:timers/promises'
import { startMonitoring } from '../../src/monitoring/start.ts'
import { measureRounds } from '../../src/telemetry/measure.ts'
import { Metrics } from '../../src/telemetry/metrics.ts'
import { type MonitoringTelemetry, nobodyWatchesRounds } from '../../src/telemetry/port.ts'
import { type BenchDatabase, quietLog } from './bench-database.ts'
import { instantStations } from './monitored-database.ts'

const warmUpSeconds = 6
/** The interval of the services: each slice has as many rounds as any other, wherever it begins. */
const sliceSeconds = 10
/** Each has a slice with metrics and one without, in turning order. */
const pairs = 4

export interface MetricsRatio {
  /**
   * CPU of an analysis with metrics, each slice scraped once, divided by that without: over all pairs, and the smallest
   * and largest pair.
   */
  readonly ratio: number
  readonly least: number
  readonly greatest: number
}

/** The cost of metrics for the pipeline as a ratio, from one run in which they are switched on and off. */
export async function metricsRatio(bench: BenchDatabase): Promise<MetricsRatio> {
  const metrics = new Metrics()
  const watching = switched(measureRounds(metrics))
  const monitoring = await startMonitoring({
    ...{ database: bench.database, stations: instantStations(() => {}), clock: { now: () => Date.now() } },
    ...{ log: quietLog, keepArtifact: async () => null, retentionDays: 400, pruneArtifacts: async () => 0 },
    telemetry: watching.telemetry,
  })
  await pause(warmUpSeconds * 1000)
  const costs: { on: number; off: number }[] = []
  for (let pair = 0; pair < pairs; pair++) {
    const cost = { on: 0, off: 0 }
    for (const state of pair % 2 === 0 ? (['on', 'off'] as const) : (['off', 'on'] as const)) {
      watching.turn(state === 'on')
      cost[state] = await costOfSlice(watching.recorded, state === 'on' ? metrics : null)
    }
    costs.push(cost)
  }
  await monitoring.stop()
  const sum = (state: 'on' | 'off') => costs.reduce((total, cost) => total + cost[state], 0)
  const ratios = costs.map(({ on, off }) => on / off)
  return { ratio: sum('on') / sum('off'), least: Math.min(...ratios), greatest: Math.max(...ratios) }
}

/** CPU microseconds of an analysis. */
async function costOfSlice(recorded: () => number, scraped: Metrics | null): Promise<number> {
  const [before, beforeCpu] = [recorded(), process.cpuUsage()]
  await scraped?.expose('')
  await pause(sliceSeconds * 1000)
  const { user, system } = process.cpuUsage(beforeCpu)
  return (user + system) / (recorded() - before)
}

function switched(measured: MonitoringTelemetry) {
  let [isOn, recorded] = [false, 0]
  const current = () => (isOn ? measured : nobodyWatchesRounds)
  const telemetry: MonitoringTelemetry = {
    watch: (gauges) => measured.watch(gauges),
    claimed: (claims) => current().claimed(claims),
    began: (claim, lateMs) => current().began(claim, lateMs),
    missed: (count) => current().missed(count),
    recorded(flush) {
      recorded += flush.analysed.length
      current().recorded(flush)
    },
    notRecorded: () => current().notRecorded(),
    evidenceMissing: (artifact) => current().evidenceMissing(artifact),
  }
  return {
    telemetry,
    recorded: () => recorded,
    turn(on: boolean) {
      isOn = on
    },
  }
}
