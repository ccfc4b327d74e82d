import type { Database } from '../database/connect.ts'
import { recordLosses, recordReturns, type SensorRow } from '../database/services/sensors.ts'
import type { Clock } from '../domain/clock.ts'
import type { AdministratorContact } from '../domain/notification/letter.ts'
import type { Timers } from '../turns/timers.ts'
import type { Log } from './outage.ts'
import type { SensorDirectory } from './stations.ts'

/** Milliseconds of silence after which a sensor is lost. */
const silence = 30_000
/** Milliseconds between two looks after which nothing is known of the time between them. */
const longestBlink = 25_000

export interface SensorWatchParts {
  readonly database: Database
  readonly sensors: Pick<SensorDirectory, 'rows' | 'connectedIds'>
  readonly clock: Clock
  readonly timers: Timers
  readonly log: Log
  readonly administratorContact: AdministratorContact
}

interface Seen {
  readonly seenAt: number | null
  /** By the clock that never steps. */
  readonly since: number
}

/**
 * Finds sensors that no process hears any more, and those that return. Only silence that this process has observed
 * itself counts: neither a change of the clock nor time without observation makes a sensor lost.
 */
export class SensorWatch {
  readonly #parts: SensorWatchParts
  #seen: ReadonlyMap<number, Seen> = new Map()
  #lookedAt = Number.NEGATIVE_INFINITY

  constructor(parts: SensorWatchParts) {
    this.#parts = parts
  }

  /** To call after the sensors were read. */
  async look(): Promise<void> {
    const { database, sensors, clock, timers, log, administratorContact: contact } = this.#parts
    const now = timers.monotonic()
    const before = now - this.#lookedAt > longestBlink ? new Map<number, Seen>() : this.#seen
    const connected = new Set(sensors.connectedIds())
    const rows = sensors.rows()
    const isHeard = (row: SensorRow) => {
      const known = before.get(row.id)
      return connected.has(row.id) || (known !== undefined && known.seenAt !== row.last_seen_at)
    }
    this.#seen = new Map(
      rows.map((row) => {
        const known = before.get(row.id)
        const since = known === undefined || isHeard(row) ? now : known.since
        return [row.id, { seenAt: row.last_seen_at, since }]
      }),
    )
    this.#lookedAt = now
    const isSilent = ({ id }: SensorRow) => now - (this.#seen.get(id)?.since ?? now) >= silence
    const silent = rows.filter((row) => row.lost_at === null && row.last_seen_at !== null && isSilent(row))
    const heard = rows.filter((row) => row.lost_at !== null && isHeard(row))
    const lost = silent.length === 0 ? [] : await recordLosses(database, silent, contact, clock.now())
    const back = heard.length === 0 ? [] : await recordReturns(database, heard, contact, clock.now())
    for (const { id, name } of lost) log.warn({ sensor_id: id, name }, 'A sensor is lost')
    for (const { id, name } of back) log.info({ sensor_id: id, name }, 'A sensor is back')
  }
}
