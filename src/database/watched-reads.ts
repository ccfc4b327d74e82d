import type pg from 'pg'
import { breakOff } from './silence.ts'

/** Watches statements that may wait for a machine behind their server. */
export interface ReadWatch {
  /** True if the statement may wait for such a machine. All others pass by. */
  concerns(text: string): boolean
  /** Rejects if a machine that the statement needs does not answer. */
  admit(statement: Asked): Promise<void>
  /** Calls `giveUp` as soon as such a machine is found. Returns the function to call when the statement ends. */
  attend(statement: Asked, giveUp: (fault: Error) => void): () => void
}

interface Asked {
  readonly text: string
  readonly values: readonly unknown[]
}

/** Connections that are left to all other statements, while machines are silent that nobody has found yet. */
const keptFree = 3
/** Milliseconds, as a pool waits for a connection. */
const longestWait = 5000

/** Lets so many run at once. */
class Turns {
  #free: number
  readonly #waiting = new Set<() => void>()

  constructor(most: number) {
    this.#free = most
  }

  async take(): Promise<void> {
    if (this.#free > 0) this.#free--
    else await this.#wait()
  }

  giveBack(): void {
    const [next] = this.#waiting
    if (next === undefined) this.#free++
    else next()
  }

  #wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer)
        this.#waiting.delete(enter)
      }
      const enter = () => {
        leave()
        resolve()
      }
      const timer = setTimeout(() => {
        leave()
        reject(new Error('timeout exceeded when trying to connect'))
      }, longestWait)
      this.#waiting.add(enter)
    })
  }
}

/** The statements of one pool: some of its connections are always left to those that wait for its server alone. */
export class WatchedReads {
  readonly #watch: ReadWatch
  readonly #turns: Turns

  constructor(watch: ReadWatch, connections: number) {
    this.#watch = watch
    this.#turns = new Turns(Math.max(1, connections - keptFree))
  }

  async onPool(pool: pg.Pool, statement: pg.QueryConfig & Asked): Promise<pg.QueryResult> {
    if (!this.#watch.concerns(statement.text)) return pool.query(statement)
    await this.#turns.take()
    try {
      await this.#watch.admit(statement)
      const client = await pool.connect()
      let failed: unknown
      try {
        return await this.#attended(client, statement)
      } catch (error) {
        failed = error
        throw error
      } finally {
        // Like the pool's own statements: one that failed ends its connection.
        client.release(failed instanceof Error ? failed : failed !== undefined)
      }
    } finally {
      this.#turns.giveBack()
    }
  }

  /** Within a transaction. */
  async onClient(client: pg.ClientBase, statement: pg.QueryConfig & Asked): Promise<pg.QueryResult> {
    if (!this.#watch.concerns(statement.text)) return client.query(statement)
    await this.#watch.admit(statement)
    return this.#attended(client, statement)
  }

  async #attended(client: pg.ClientBase, statement: pg.QueryConfig & Asked): Promise<pg.QueryResult> {
    const ended = this.#watch.attend(statement, (fault) => breakOff(client, fault))
    try {
      return await client.query(statement)
    } finally {
      ended()
    }
  }
}
