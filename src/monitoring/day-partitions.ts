import type { Database } from '../database/connect.ts'
import { ensurePartitions, type PartitionMode } from '../database/partitions.ts'
import { dayLength } from '../domain/calendars/durations.ts'

const daysAhead = 2

/**
 * Ensures that a day has a partition for its analyses. It asks the database once a day, and every time for a day that
 * may be packed by now.
 */
export class DayPartitions {
  readonly #database: Database
  readonly #mode: PartitionMode
  readonly #days = new Set<number>()
  #latest = 0

  constructor(database: Database, mode: PartitionMode) {
    this.#database = database
    this.#mode = mode
  }

  /** Unix milliseconds of the analysis. Partitions for the days after it are made ahead. */
  async ensure(at: number): Promise<void> {
    const day = Math.floor(at / dayLength)
    this.#latest = Math.max(this.#latest, day)
    if (this.#days.has(day) && day >= this.#latest - 1) return
    await ensurePartitions(this.#database, at, daysAhead, this.#mode)
    this.#days.add(day)
  }
}
