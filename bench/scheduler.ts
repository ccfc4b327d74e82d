/** How late rounds start with many services on the real clock. */
import { setTimeout as pause } from 'node:timers/promises'
import { nextOnGrid } from '../src/domain/judging/schedule.ts'
import { startMonitoring } from '../src/monitoring/start.ts'
import { quietLog } from './support/bench-database.ts'
import { instantStations, monitoredDatabase } from './support/monitored-database.ts'

const services = 10_000
const intervalSeconds = 60
const measuredSeconds = 62
const targetP99 = 20

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Milliseconds since the grid point that the round stands for: the last one, or one just ahead. */
function latenessOf(serviceId: number, now: number): number {
  return now - nextOnGrid(serviceId, intervalSeconds, now - (intervalSeconds / 2) * 1000)
}

export async function run(): Promise<void> {
  const bench = await monitoredDatabase(services, intervalSeconds)
  const lateness: number[] = []
  const monitoring = await startMonitoring({
    database: bench.database,
    stations: instantStations(({ serviceId }) => lateness.push(latenessOf(serviceId, Date.now()))),
    clock: { now: () => Date.now() },
    log: quietLog,
    keepArtifact: async () => null,
    retentionDays: 400,
    pruneArtifacts: async () => 0,
  })
  const before = process.cpuUsage()
  await pause(measuredSeconds * 1000)
  const used = process.cpuUsage(before)
  await monitoring.stop()
  await bench.close()
  const sorted = lateness.toSorted((one, other) => one - other)
  const [p50, p99, max] = [percentile(sorted, 0.5), percentile(sorted, 0.99), percentile(sorted, 1)]
  console.log(`scheduler, ${services} services × ${intervalSeconds} s, ${sorted.length / 3} rounds:`)
  console.log(
    `  late by p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms (target ${targetP99}), max ${max.toFixed(1)} ms`,
  )
  console.log(`  ${((used.user + used.system) / 10_000 / measuredSeconds).toFixed(1)} % of a core in node`)
}
