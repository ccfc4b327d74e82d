import type { Database } from '../database/connect.ts'
import type { Clock } from '../domain/clock.ts'
import { type Figures, readFigures, type Window } from './figures.ts'

/** Milliseconds for which figures are shown before they are counted anew. */
const freshness = 60_000

export interface Shown {
  /** Unix milliseconds. */
  readonly at: number
  readonly figures: Readonly<Record<Window, Figures>>
}

export interface KeptFiguresParts {
  readonly database: Database
  readonly clock: Clock
  readonly onFault: (error: unknown) => void
}

/** The figures of both windows, counted at most once a minute however many visitors ask. */
export class KeptFigures {
  readonly #parts: KeptFiguresParts
  #shown: Shown | null = null
  #triedAt = Number.NEGATIVE_INFINITY
  #counting: Promise<void> | null = null

  constructor(parts: KeptFiguresParts) {
    this.#parts = parts
  }

  /** The newest figures, or the last ones while the database is away; null: there are none yet. */
  async find(): Promise<Shown | null> {
    if (Math.abs(this.#parts.clock.now() - this.#triedAt) >= freshness) this.#count()
    await this.#counting
    return this.#shown
  }

  isStale({ at }: Shown): boolean {
    return this.#triedAt !== at
  }

  #count(): void {
    if (this.#counting !== null) return
    const at = this.#parts.clock.now()
    this.#triedAt = at
    this.#counting = this.#read(at).finally(() => {
      this.#counting = null
    })
  }

  async #read(at: number): Promise<void> {
    const { database, onFault } = this.#parts
    try {
      const figures = { '24h': await readFigures(database, '24h', at), '7d': await readFigures(database, '7d', at) }
      this.#shown = { at, figures }
    } catch (error) {
      onFault(error)
    }
  }
}
