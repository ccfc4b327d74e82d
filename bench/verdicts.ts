/** From a verdict to its webhook, while services fail all the time. */
import sql from 'sql-template-tag'
import { startMonitoring } from '../src/monitoring/start.ts'
import type { CheckResult } from '../src/sensor/protocol.ts'
import { quietLog } from './support/bench-database.ts'
import { instantStations, monitoredDatabase } from './support/monitored-database.ts'
import { notifier, received, startSink } from './webhooks/sink.ts'

const failuresAMinute = 50
const targetP50Ms = 300

const clock = { now: () => Date.now() }

const refused: Partial<CheckResult> = {
  ...{ result: 'error', responseTime: null, errorTypeId: 2001, errorMessage: 'connect ECONNREFUSED 192.0.2.1:443' },
}

/** Milliseconds from each verdict to the arrival of its webhook, in order: so many services fail within a minute. */
async function delaysAfterVerdict(): Promise<number[]> {
  const [bench, sink] = [await monitoredDatabase(failuresAMinute, 60), await startSink()]
  const { database } = bench
  try {
    await database.execute(sql`update services set notification_channel_ids = '{webhook}'`)
    await database.execute(sql`
      insert into notification_addresses (group_id, notification_channel_id, address, settings, destination)
      select id, 'webhook', 'hook', jsonb_build_object('url', ${`http://live.test:${sink.port}/service`}::text), ${`live.test:${sink.port}`}
      from groups`)
    const stations = instantStations(() => {})
    const running = await notifier(bench)
    const monitoring = await startMonitoring({
      ...{ database, clock, log: quietLog, keepArtifact: async () => null, retentionDays: 400 },
      stations: { ...stations, check: async (job) => ({ ...(await stations.check(job)), ...refused }) },
      pruneArtifacts: async () => 0,
    })
    await received(sink, failuresAMinute).finally(() => Promise.all([monitoring.stop(), running.stop()]))
    const rows = await database.query<{ service_id: number; decided_at: number }>(sql`
      select service_id, (facts->>'decidedAt')::bigint as decided_at from notification_intents
      where notification_condition_id = 'failure'`)
    const decided = new Map(rows.map((row) => [row.service_id, row.decided_at]))
    return sink.arrivals
      .map(([at, serviceId]) => at - (decided.get(serviceId) ?? Number.NaN))
      .toSorted((one, other) => one - other)
  } finally {
    sink.close()
    await bench.close()
  }
}

export async function run(): Promise<void> {
  const delays = await delaysAfterVerdict()
  const at = (share: number) => delays[Math.min(delays.length - 1, Math.floor(delays.length * share))] ?? Number.NaN
  const verdict = at(0.5) <= targetP50Ms ? 'met' : 'MISSED'
  console.log(
    `from verdict to webhook, ${failuresAMinute} failures a minute: p50 ${at(0.5)} ms, all ${at(1)} ms (target p50 ${targetP50Ms} ms: ${verdict})`,
  )
}
