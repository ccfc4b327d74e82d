/** Notices: how many mails one process sends to a fast server, and how soon the first one leaves after a verdict. */
import sql from 'sql-template-tag'
import { usualConnections } from '../src/channels/email/mail.ts'
import { smtpServer } from '../src/channels/email/smtp.ts'
import { startMonitoring } from '../src/monitoring/start.ts'
import { startNotifier } from '../src/notifications/start.ts'
import type { CheckResult } from '../src/sensor/protocol.ts'
import { failureNotice } from '../test/support/notices.ts'
import { type Sink, startSink } from './notices/sink.ts'
import { type BenchDatabase, benchDatabase, quietLog } from './support/bench-database.ts'
import { instantStations, monitoredDatabase } from './support/monitored-database.ts'

const notices = 10_000
const targetSeconds = 30
const failingServices = 50
const targetDelayMs = 1000

const clock = { now: () => Date.now() }

function notifier(bench: BenchDatabase, sink: Sink) {
  return startNotifier({
    ...{ database: bench.database, clock, log: quietLog, publicUrl: 'http://127.0.0.1:8080' },
    mail: { smtpUrl: sink.url, from: 'Latarnik <latarnik@example.com>', outboxDirectory: '' },
    diagnose: () => ({ name: 'Connection refused', diagnosis: 'Nobody listens on the port.' }),
  })
}

/** As many as an outage of a hundred services brings, each told to a hundred addresses. */
async function writeNotices(bench: BenchDatabase): Promise<void> {
  const now = Date.now()
  await bench.database.execute(sql`
    with distribution as (insert into distributions (name) values ('Notices') returning id),
    package as (
      insert into packages (distribution_id, name, minimum_interval, available_notification_channel_ids, available_service_types)
      select id, 'notices', 1, '{email}', '[]' from distribution returning id, distribution_id),
    account as (
      insert into accounts (distribution_id, package_id, username, name)
      select distribution_id, id, 'notices', 'Notices' from package returning id)
    insert into notification_intents (service_id, event_id, address_id, account_id, group_id, notification_channel_id,
      notification_condition_id, address, facts, created_at, next_attempt_at)
    select service, 'failure:1', address, account.id, 1, 'email', 'failure', 'reader' || address || '@example.com',
      jsonb_set(${JSON.stringify(failureNotice())}::jsonb, '{service,id}', to_jsonb(service)),
      ${new Date(now)}, ${new Date(now)}
    from account, generate_series(1, ${notices / 100}) service, generate_series(1, 100) address`)
  await bench.database.execute(sql`analyze notification_intents`)
}

interface Cost {
  readonly seconds: number
  /** CPU milliseconds of this process per mail. */
  readonly cpu: number
}

async function costOf(work: () => Promise<void>): Promise<Cost> {
  const [start, before] = [performance.now(), process.cpuUsage()]
  await work()
  const used = process.cpuUsage(before)
  return { seconds: (performance.now() - start) / 1000, cpu: (used.user + used.system) / 1000 / notices }
}

async function manyNotices(sink: Sink): Promise<Cost> {
  const bench = await benchDatabase()
  try {
    await writeNotices(bench)
    const cost = await costOf(async () => {
      const running = await notifier(bench, sink)
      await sink.received(notices).finally(() => running.stop())
    })
    const [left] = await bench.database.query<{ count: number }>(
      sql`select count(*) as count from notification_intents where status <> 'sent' or attempts <> 1`,
    )
    if (left?.count !== 0 || sink.arrivals.length !== notices) throw new Error('a notice was lost or sent twice')
    return cost
  } finally {
    await bench.close()
  }
}

/** The same mails over as many connections, already composed, and nothing put on record. */
async function bareMails(sink: Sink): Promise<Cost> {
  const sender = smtpServer(sink.url)
  const raw = Buffer.from(`X-Latarnik-Service: 1\r\nSubject: x\r\n\r\n${'x'.repeat(70).concat('\r\n').repeat(40)}`)
  const mail = { key: 'k', decidedAt: 0, from: 'latarnik@example.com', to: 'reader@example.com', raw }
  const agreed = { handOver: async () => undefined }
  const expected = sink.arrivals.length + notices
  const cost = await costOf(async () => {
    let left = notices
    const one = async () => {
      while (left > 0) {
        left -= 1
        await sender.send(mail, agreed)
      }
    }
    await Promise.all(Array.from({ length: usualConnections }, one))
    await sink.received(expected)
  })
  sender.close()
  return cost
}

const refused: Partial<CheckResult> = {
  ...{ result: 'error', responseTime: null, errorTypeId: 2001, errorMessage: 'connect ECONNREFUSED 192.0.2.1:443' },
}

/** Milliseconds from each verdict to the arrival of its mail, in order. */
async function delaysAfterVerdict(sink: Sink): Promise<number[]> {
  const bench = await monitoredDatabase(failingServices, 10)
  const { database } = bench
  try {
    await database.execute(sql`
      insert into notification_addresses (group_id, notification_channel_id, address)
      select id, 'email', 'reader@example.com' from groups`)
    const expected = sink.arrivals.length + failingServices
    const stations = instantStations(() => {})
    const running = await notifier(bench, sink)
    const monitoring = await startMonitoring({
      ...{ database, clock, log: quietLog, keepArtifact: async () => null, retentionDays: 400 },
      stations: { ...stations, check: async (job) => ({ ...(await stations.check(job)), ...refused }) },
      pruneArtifacts: async () => 0,
    })
    await sink.received(expected).finally(() => Promise.all([monitoring.stop(), running.stop()]))
    const rows = await database.query<{ service_id: number; decided_at: number }>(sql`
      select service_id, (facts->>'decidedAt')::bigint as decided_at from notification_intents
      where notification_condition_id = 'failure'`)
    const decided = new Map(rows.map((row) => [row.service_id, row.decided_at]))
    return sink.arrivals
      .slice(expected - failingServices, expected)
      .map(({ serviceId, at }) => at - (decided.get(serviceId) ?? Number.NaN))
      .toSorted((one, other) => one - other)
  } finally {
    await bench.close()
  }
}

function verdict(isMet: boolean): string {
  return isMet ? 'met' : 'MISSED'
}

export async function run(): Promise<void> {
  const sink = await startSink()
  try {
    const many = await manyNotices(sink)
    const bare = await bareMails(sink)
    console.log(`${notices} notices by mail, one process, ${usualConnections} connections:`)
    console.log(
      `  ${many.seconds.toFixed(1)} s (target ${targetSeconds} s: ${verdict(many.seconds <= targetSeconds)}), ${many.cpu.toFixed(2)} ms CPU each`,
    )
    console.log(`  bare mails ${bare.seconds.toFixed(1)} s, ${bare.cpu.toFixed(2)} ms CPU each`)
    console.log(`  ratio to the bare mails: ${(many.seconds / bare.seconds).toFixed(1)}× the time`)
    const delays = await delaysAfterVerdict(sink)
    const [middle, last] = [delays[Math.floor(delays.length / 2)] ?? Number.NaN, delays.at(-1) ?? Number.NaN]
    console.log(
      `from verdict to mail, ${failingServices} services: half within ${middle} ms, all within ${last} ms (target ${targetDelayMs} ms: ${verdict(last <= targetDelayMs)})`,
    )
  } finally {
    sink.close()
  }
}
