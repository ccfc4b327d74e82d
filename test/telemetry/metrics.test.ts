import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Transport } from '../../src/channels/delivery.ts'
import { connect } from '../../src/database/connect.ts'
import { dropDay, ensureDays, recentDays } from '../../src/database/partitions.ts'
import { startDeliveryWorkers } from '../../src/notifications/start.ts'
import { countMissedRounds } from '../../src/service-state/missed-rounds.ts'
import { gaugeDatabase } from '../../src/telemetry/database-gauges.ts'
import { exposed, watchedBy } from '../support/exposed.ts'
import { type MonitoringWorld, monitoringWorld, silentLog } from '../support/monitoring.ts'
import { patiently } from '../support/patience.ts'

const day = 86_400_000
let world: MonitoringWorld

beforeAll(async () => {
  world = await monitoringWorld()
})
afterAll(() => world.drop())
afterEach(async () => {
  world.endProcesses()
  await world.clear()
})

test('rounds are counted by what they found and how late they began, once recorded', async () => {
  const { metrics, telemetry } = watchedBy()
  const monitoring = await world.start({ telemetry: telemetry.rounds })
  await world.addService()
  const [first] = world.sensorIds
  await world.pass(monitoring, 60)
  world.stations.answer = ({ sensorId }) => (sensorId === first ? 'unknown' : 'error')
  await world.pass(monitoring, 60)
  const shown = await exposed(metrics)
  expect(Object.fromEntries([...shown].filter(([name]) => /^latarnik_(checks|analyses)_total/.test(name)))).toEqual({
    'latarnik_analyses_total{verdict="ok"}': 2,
    'latarnik_analyses_total{verdict="failure"}': 1,
    'latarnik_checks_total{type="http",result="ok"}': 6,
    'latarnik_checks_total{type="http",result="error"}': 2,
    'latarnik_checks_total{type="http",result="unknown"}': 1,
  })
  expect(shown.get('latarnik_round_lateness_seconds_count{reason="interval"}')).toBe(2)
  expect(shown.get('latarnik_round_lateness_seconds_bucket{le="0.001",reason="interval"}')).toBe(2)
  expect(shown.get('latarnik_round_lateness_seconds_count{reason="forced"}')).toBe(1)
  // Two rounds of three checks, one of them without a result; and the first, which was asked for.
  expect(shown.get('latarnik_check_lateness_seconds_count{reason="interval"}')).toBe(5)
  expect(shown.get('latarnik_check_lateness_seconds_bucket{le="0.001",reason="interval"}')).toBe(5)
  expect(shown.get('latarnik_check_lateness_seconds_count{reason="forced"}')).toBe(3)
  expect(shown.get('latarnik_flush_seconds_count')).toBe(3)
  expect(shown.get('latarnik_flush_analyses_sum')).toBe(3)
  for (const gauge of ['in_line', 'under_way', 'to_record']) expect(shown.get(`latarnik_rounds_${gauge}`)).toBe(0)
})

test('the lag of the event loop is without the pause between two looks at it', async () => {
  const { metrics } = watchedBy()
  // Each scrape begins anew, and two looks give the first value: not a number before.
  const mean = async () => (await exposed(metrics)).get('nodejs_eventloop_lag_mean_seconds') ?? Number.NaN
  await expect.poll(mean, { ...patiently, interval: 500 }).toBeLessThan(0.05)
})

test('a round that waits for its stations, and one that waits for the database, are seen', async () => {
  const { metrics, telemetry } = watchedBy()
  const monitoring = await world.start({ telemetry: telemetry.rounds })
  await world.addService()
  world.stations.answer = () => 'silent'
  world.clock.advance(60_000)
  const asked = world.stations.asked(3)
  void monitoring.drain()
  await asked
  expect((await exposed(metrics)).get('latarnik_rounds_under_way')).toBe(1)
})

test('each missed round is counted, and a transaction that failed as failed', async () => {
  const { metrics, telemetry } = watchedBy()
  const monitoring = await world.start({ telemetry: telemetry.rounds })
  await world.addService()
  await world.pass(monitoring, 60)
  world.clock.advance(600_000)
  await monitoring.drain()
  expect((await exposed(metrics)).get('latarnik_rounds_missed_total')).toBe(10)
  expect(await countMissedRounds(world.database, 0)).toBe(10)
  await world.database.execute(sql`alter table usage_counters rename to lost_counters`)
  try {
    await world.pass(monitoring, 60)
    expect((await exposed(metrics)).get('latarnik_flushes_failed_total')).toBeGreaterThan(0)
  } finally {
    await world.database.execute(sql`alter table lost_counters rename to usage_counters`)
  }
})

test('what waits in the database is seen by every process, and missing while the database is away', async () => {
  const { metrics } = watchedBy()
  const pool = connect({ url: world.url, maximumConnections: 3 })
  gaugeDatabase(metrics, {
    database: pool,
    clock: world.clock,
    pools: () => ({ work: pool.use() }),
    isFull: pool.isFull,
  })
  const monitoring = await world.start()
  await world.addService()
  await world.pass(monitoring, 60)
  world.stations.answer = () => 'error'
  await world.pass(monitoring, 60)
  await monitoring.drain()
  world.clock.advance(5000)
  let shown = await exposed(metrics)
  expect(shown.get('latarnik_database_up')).toBe(1)
  expect(shown.get('latarnik_deliveries_waiting{kind="notification",state="due"}')).toBe(1)
  expect(shown.get('latarnik_deliveries_waiting{kind="letter",state="due"}')).toBe(0)
  expect(shown.get('latarnik_deliveries_oldest_due_seconds{kind="notification"}')).toBeGreaterThanOrEqual(5)
  expect(shown.get('latarnik_reports_waiting{state="pending"}')).toBe(0)
  expect(shown.get('latarnik_rounds_overdue')).toBe(0)
  expect(shown.get('latarnik_days_unpacked')).toBe(0)
  expect(shown.get(`latarnik_sensor_available{sensor_id="${world.spareSensorId}",sensor="Berlin"}`)).toBe(1)
  expect(shown.get('latarnik_database_size_bytes')).toBeGreaterThan(1_000_000)
  world.clock.advance(120_000)
  shown = await exposed(metrics)
  expect(shown.get('latarnik_rounds_overdue')).toBe(1)
  expect(shown.get(`latarnik_sensor_available{sensor_id="${world.spareSensorId}",sensor="Berlin"}`)).toBe(0)
  expect(shown.get('latarnik_database_connections{pool="work",state="idle"}')).toBe(1)
  await pool.close()
  shown = await exposed(metrics)
  expect(shown.get('latarnik_database_up')).toBe(0)
  expect([...shown.keys()].filter((name) => /waiting\{kind|sensor_|overdue|unpacked/.test(name))).toEqual([])
})

test('a day that nobody packs is seen when it should long be packed', async () => {
  const { metrics } = watchedBy()
  gaugeDatabase(metrics, { database: world.database, clock: world.clock, pools: () => ({}), isFull: () => false })
  const unpacked = async () => (await exposed(metrics)).get('latarnik_days_unpacked')
  const today = Math.floor(world.clock.now() / day) * day
  expect(await unpacked()).toBe(0)
  await ensureDays(world.database, recentDays, [today - 2 * day])
  expect(await unpacked()).toBe(0)
  await ensureDays(world.database, recentDays, [today - 3 * day])
  expect(await unpacked()).toBe(1)
  for (const days of [2, 3]) await dropDay(world.database, recentDays, today - days * day)
  expect(await unpacked()).toBe(0)
})

const gateway: Transport = {
  id: 'email',
  notificationChannelIds: ['email'],
  concurrency: 2,
  async deliver(_message, progress) {
    await progress.handOver()
    return { status: 'sent' }
  },
  close: () => undefined,
}

test('deliveries are counted by channel and outcome, with their time since the cause', async () => {
  const { metrics, telemetry } = watchedBy()
  const monitoring = await world.start()
  await world.addService({ channelIds: ['email', 'sms'] })
  await world.pass(monitoring, 60)
  world.stations.answer = () => 'error'
  await world.pass(monitoring, 60)
  const { database, clock } = world
  const options = { database, clock, log: silentLog, publicUrl: '', diagnose: () => null }
  const workers = await startDeliveryWorkers({ ...options, telemetry: telemetry.deliveries }, [gateway])
  await workers.drain()
  await workers.stop()
  const shown = await exposed(metrics)
  const labels = (channel: string) => `kind="notification",channel="${channel}"`
  expect(shown.get(`latarnik_deliveries_total{${labels('email')},outcome="sent"}`)).toBe(1)
  expect(shown.get(`latarnik_deliveries_total{${labels('sms')},outcome="failed"}`)).toBe(1)
  expect(shown.get(`latarnik_delivery_seconds_count{${labels('email')}}`)).toBe(1)
  expect(shown.get(`latarnik_delivery_delay_seconds_count{${labels('email')}}`)).toBe(1)
  expect(shown.has(`latarnik_delivery_delay_seconds_count{${labels('sms')}}`)).toBe(false)
})

test('no label tells of a customer', async () => {
  const { metrics, telemetry } = watchedBy()
  gaugeDatabase(metrics, { database: world.database, clock: world.clock, pools: () => ({}), isFull: () => false })
  const monitoring = await world.start({ telemetry: telemetry.rounds })
  await world.addService()
  world.stations.answer = () => ({ result: 'error', errorMessage: 'the secret is 42' })
  await world.pass(monitoring, 60)
  const { text } = await metrics.expose('')
  expect(text).toContain('latarnik_checks_total{type="http",result="error"} 6')
  expect(text).not.toMatch(/shop|alice|500100200|Home|secret is/i)
})

test('each scraper gets the form that it asks for, also when two ask at once', async () => {
  const { metrics, telemetry } = watchedBy()
  telemetry.rounds.missed(3)
  const open = 'application/openmetrics-text;version=1.0.0;q=0.6,text/plain;version=0.0.4;q=0.5'
  const [first, plain, second] = await Promise.all([metrics.expose(open), metrics.expose('*/*'), metrics.expose(open)])
  for (const { contentType, text } of [first, second]) {
    expect(contentType).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8')
    expect(text).toMatch(/# TYPE latarnik_rounds_missed counter\nlatarnik_rounds_missed_total 3\n/)
    expect(text.endsWith('# EOF\n')).toBe(true)
  }
  expect(plain.contentType).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(plain.text).toMatch(/# TYPE latarnik_rounds_missed_total counter\nlatarnik_rounds_missed_total 3\n/)
  expect(plain.text).toContain('process_cpu_seconds_total')
})

test('labels are told apart whatever order they are given in', async () => {
  const { metrics } = watchedBy()
  metrics.count('latarnik_checks_total', { type: 'a', result: 'b' })
  metrics.count('latarnik_checks_total', { result: 'a', type: 'b' })
  const shown = await exposed(metrics)
  expect([...shown].filter(([name]) => name.startsWith('latarnik_checks_total')).sort()).toEqual([
    ['latarnik_checks_total{type="a",result="b"}', 1],
    ['latarnik_checks_total{type="b",result="a"}', 1],
  ])
})
