/** The monitoring in a process of its own, on the database of the argument, with three stations that answer at once. */
import { connect } from '../../src/database/connect.ts'
import { startMonitoring } from '../../src/monitoring/start.ts'
import { type MonitoringTelemetry, nobodyWatchesRounds } from '../../src/telemetry/port.ts'
import { quietLog } from '../support/bench-database.ts'
import { instantStations } from '../support/monitored-database.ts'

/** Since the last question. */
export interface RoundsSoFar {
  readonly lateMs: readonly number[]
  readonly recorded: number
  readonly missed: number
  readonly transactions: number
  readonly cpuMs: number
  readonly megabytes: number
}

const startedAt = performance.now()
const database = connect({ url: process.argv[2] ?? '', maximumConnections: 5 })
let [lateMs, recorded, missed, transactions]: [number[], number, number, number] = [[], 0, 0, 0]
let cpu = process.cpuUsage()

const telemetry: MonitoringTelemetry = {
  ...nobodyWatchesRounds,
  began: (_claim, late) => void lateMs.push(late),
  missed(count) {
    missed += count
  },
  recorded({ analysed }) {
    recorded += analysed.length
    transactions += 1
  },
}
const monitoring = await startMonitoring({
  ...{ database, stations: instantStations(() => {}), clock: { now: () => Date.now() }, telemetry },
  ...{ log: quietLog, keepArtifact: async () => null, retentionDays: 400, pruneArtifacts: async () => 0 },
})

function soFar(): RoundsSoFar {
  const { user, system } = process.cpuUsage(cpu)
  const told = { lateMs, recorded, missed, transactions, cpuMs: (user + system) / 1000 }
  ;[lateMs, recorded, missed, transactions] = [[], 0, 0, 0]
  cpu = process.cpuUsage()
  return { ...told, megabytes: process.memoryUsage.rss() / 1_048_576 }
}

process.on('message', (question) => {
  if (question === 'so far') return void process.send?.(soFar())
  void monitoring
    .stop()
    .then(() => database.close())
    .then(() => process.disconnect())
})
process.send?.(performance.now() - startedAt)
