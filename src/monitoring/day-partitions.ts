import type { Database } from '../database/connect.ts'
import { ensurePartitions } from '../database/partitions.ts'

const dayLength = 86_400_000
const daysAhead = 2

/** Makes sure that there is room for the analyses of a day, asking the database once a day. */
export class DayPartitions {
  readonly #database: Database
  readonly #days = new Set<number>()

  constructor(database: Database) {
    this.#database = database
  }

  /** Unix milliseconds of the analysis. Partitions for the days after it are made ahead. */
  async ensure(at: number): Promise<void> {
    const day = Math.floor(at / dayLength)
    if (this.#days.has(day)) return
    await ensurePartitions(this.#database, at, daysAhead)
    this.#days.add(day)
  }
}
