import type { Database } from '../database/connect.ts'
import { ensurePartitions, type PartitionMode } from '../database/partitions.ts'

const dayLength = 86_400_000
const daysAhead = 2

/** Makes sure that there is room for the analyses of a day, asking the database once a day. */
export class DayPartitions {
  readonly #database: Database
  readonly #mode: PartitionMode
  readonly #days = new Set<number>()

  constructor(database: Database, mode: PartitionMode) {
    this.#database = database
    this.#mode = mode
  }

  /** Unix milliseconds of the analysis. Partitions for the days after it are made ahead. */
  async ensure(at: number): Promise<void> {
    const day = Math.floor(at / dayLength)
    if (this.#days.has(day)) return
    await ensurePartitions(this.#database, at, daysAhead, this.#mode)
    this.#days.add(day)
  }
}
