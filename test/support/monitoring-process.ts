/** A monitoring process of its own that a test may kill: its stations take turns between ok and error. */
import { connect } from '../../src/database/connect.ts'
import { startMonitoring } from '../../src/monitoring/start.ts'
import type { CheckJob, CheckResult } from '../../src/sensor/protocol.ts'

const url = process.argv[2] ?? ''
const rounds = new Map<number, number>()

async function check(job: CheckJob): Promise<CheckResult> {
  const asked = (rounds.get(job.serviceId) ?? 0) + 1
  rounds.set(job.serviceId, asked)
  process.stdout.write(`${job.serviceId}\n`)
  await new Promise((resolve) => setTimeout(resolve, 20 * (job.serviceId % 20)))
  const isOk = Math.ceil(asked / 3) % 2 === 1
  return {
    serviceId: job.serviceId,
    sensorId: job.sensorId,
    result: isOk ? 'ok' : 'error',
    startedAt: job.startAt,
    responseTime: 1,
    dataSize: 1,
    errorTypeId: isOk ? null : 2001,
    errorMessage: isOk ? null : 'The connection was refused.',
    phases: null,
    steps: null,
    evidence: null,
  }
}

const log = {
  info: () => {},
  warn: () => {},
  error: (facts: unknown) => process.stderr.write(`${JSON.stringify(facts)}\n`),
}
await startMonitoring({
  database: connect({ url }),
  stations: { isConnected: () => true, leadMs: () => 0, check, diagnose: async () => ({ isOk: true, lines: [] }) },
  clock: { now: () => Date.now() },
  log,
  keepArtifact: async () => null,
  retentionDays: 400,
  pruneArtifacts: async () => 0,
})
