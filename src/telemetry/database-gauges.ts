import { setTimeout as delay } from 'node:timers/promises'
import { readSmsOfAll } from '../database/accounts/sms-days.ts'
import { type Backlog, readBacklog, readDatabaseSize } from '../database/backlog.ts'
import type { Database, PoolUse } from '../database/connect.ts'
import type { Clock } from '../domain/clock.ts'
import type { Metrics } from './metrics.ts'

/** Milliseconds. */
const patience = 3000
const sizePause = 60_000

export interface DatabaseGaugesOptions {
  readonly database: Database
  readonly clock: Clock
  /** The pools of this process, by name. */
  readonly pools: () => Readonly<Record<string, PoolUse>>
  /** True if the database's disk is full. */
  readonly isFull: () => boolean
  /** SMS that all accounts together may send per day; undefined: no limit, and no metric. */
  readonly smsDaily?: number | undefined
}

/** Every process reads the database's own numbers on each scrape; if only one did, its end would take them along. */
export function gaugeDatabase(metrics: Metrics, options: DatabaseGaugesOptions): void {
  const { database, clock, pools, isFull, smsDaily } = options
  let sizeReadAt = Number.NEGATIVE_INFINITY
  metrics.onCollect(async () => {
    showPools(metrics, pools())
    metrics.set('latarnik_database_full', {}, isFull() ? 1 : 0)
    metrics.forget(...fromDatabase)
    try {
      showBacklog(metrics, await soon(readBacklog(database, clock.now())), clock.now())
      if (smsDaily !== undefined) {
        const { kept_back: keptBack } = await soon(readSmsOfAll(database, smsDaily, clock.now()))
        metrics.set('latarnik_sms_kept_back', {}, keptBack)
      }
      metrics.set('latarnik_database_up', {}, 1)
      if (performance.now() - sizeReadAt < sizePause) return
      metrics.set('latarnik_database_size_bytes', {}, await soon(readDatabaseSize(database)))
      sizeReadAt = performance.now()
    } catch {
      metrics.set('latarnik_database_up', {}, 0)
    }
  })
}

const fromDatabase = [
  'latarnik_rounds_overdue',
  'latarnik_deliveries_waiting',
  'latarnik_deliveries_oldest_due_seconds',
  'latarnik_reports_waiting',
  'latarnik_sensor_available',
  'latarnik_sensor_last_seen_timestamp_seconds',
  'latarnik_days_unpacked',
  'latarnik_sms_kept_back',
] as const

const kinds = ['notification', 'letter', 'report', 'periodic_report', 'subscriber_mail', 'subscriber_hook'] as const

function showBacklog(metrics: Metrics, backlog: Backlog, now: number): void {
  const { roundsOverdue, waiting, reports, sensors, daysUnpacked } = backlog
  metrics.set('latarnik_rounds_overdue', {}, roundsOverdue)
  metrics.set('latarnik_days_unpacked', {}, daysUnpacked)
  for (const kind of kinds) {
    const row = waiting.find((one) => one.kind === kind)
    metrics.set('latarnik_deliveries_waiting', { kind, state: 'due' }, row?.due ?? 0)
    metrics.set('latarnik_deliveries_waiting', { kind, state: 'later' }, row?.later ?? 0)
    const dueMs = now - (row?.oldest_due_at ?? now)
    metrics.set('latarnik_deliveries_oldest_due_seconds', { kind }, Math.max(0, dueMs) / 1000)
  }
  metrics.set('latarnik_reports_waiting', { state: 'pending' }, reports.pending)
  metrics.set('latarnik_reports_waiting', { state: 'in_progress' }, reports.in_progress)
  for (const { id, name: sensor, is_available, last_seen_at } of sensors) {
    const labels = { sensor_id: String(id), sensor }
    metrics.set('latarnik_sensor_available', labels, is_available ? 1 : 0)
    if (last_seen_at !== null) {
      metrics.set('latarnik_sensor_last_seen_timestamp_seconds', labels, last_seen_at / 1000)
    }
  }
}

function showPools(metrics: Metrics, pools: Readonly<Record<string, PoolUse>>): void {
  for (const [pool, { total, idle, waiting }] of Object.entries(pools)) {
    metrics.set('latarnik_database_connections', { pool, state: 'in_use' }, total - idle)
    metrics.set('latarnik_database_connections', { pool, state: 'idle' }, idle)
    metrics.set('latarnik_database_waiting', { pool }, waiting)
  }
}

/** A scraper gives up after some seconds; anything that has not answered by then counts as away. */
async function soon<T>(reading: Promise<T>): Promise<T> {
  const over = new AbortController()
  const late = delay(patience, undefined, { signal: over.signal, ref: false }).then(() => {
    throw new Error('the database does not answer')
  })
  try {
    return await Promise.race([reading, late])
  } finally {
    over.abort()
    // The race has decided; the losing promise rejects unheard, on purpose.
    late.catch(() => undefined)
    // The same as above.
    reading.catch(() => undefined)
  }
}
