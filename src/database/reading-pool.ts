import pg from 'pg'
import { isDiskFull } from './failures.ts'

type Callback = (error: Error | undefined, client: pg.PoolClient | undefined, done: (release?: unknown) => void) => void

/**
 * Milliseconds for which a caller waits for the only connection before a second one is opened. At rest the looks of
 * workers meet for a moment only; each connection costs the server 5 MB.
 */
const patienceForOnlyOne = 20

/**
 * A pool that goes on reading while the disk of its server is full. Such a server may refuse every new connection, and
 * answers only on those that exist. So one is always kept, and callers wait for it.
 */
export class ReadingPool extends pg.Pool {
  readonly #most: number
  #growsAgain: NodeJS.Timeout | undefined

  constructor(options: pg.PoolConfig & { readonly max: number }) {
    super({ ...options, min: 1 })
    this.#most = options.max
    // One for each caller that waits.
    this.setMaxListeners(0)
  }

  /** For so many milliseconds it opens no connection beside those that it has. */
  keepAsItIs(milliseconds: number): void {
    this.options.max = Math.max(1, this.totalCount)
    clearTimeout(this.#growsAgain)
    this.#growsAgain = setTimeout(() => {
      this.options.max = this.#most
    }, milliseconds).unref()
  }

  /**
   * Ends the idle connections and opens one: what the server remembers for a connection of each statement and table
   * grows to some megabytes. While the disk is full all are kept.
   */
  async renew(): Promise<void> {
    if (this.options.max < this.#most || this.idleCount === 0) return
    const idle = await Promise.all(Array.from({ length: this.idleCount }, () => super.connect()))
    for (const client of idle) client.release(true)
    const fresh = await super.connect()
    fresh.release()
  }

  override connect(): Promise<pg.PoolClient>
  override connect(callback: Callback): void
  override connect(callback?: Callback): Promise<pg.PoolClient> | undefined {
    const connecting = this.#connected()
    if (callback === undefined) return connecting
    connecting.then(
      (client) => callback(undefined, client, (release) => client.release(release as Error | boolean | undefined)),
      (error: Error) => callback(error, undefined, () => undefined),
    )
  }

  async #connected(): Promise<pg.PoolClient> {
    const until = performance.now() + patienceForOnlyOne
    while (this.totalCount === 1 && this.idleCount <= this.waitingCount && performance.now() < until)
      await this.#released(until - performance.now())
    return super.connect().catch((error: unknown) => this.#wait(error))
  }

  /** Resolves when a connection is released, and after so many milliseconds. */
  #released(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        this.off('release', done)
        resolve()
      }
      const timer = setTimeout(done, milliseconds)
      this.on('release', done)
    })
  }

  /** For the next connection that is free, if the disk is why there is no new one. */
  #wait(error: unknown): Promise<pg.PoolClient> {
    if (!isDiskFull(error) || this.totalCount === 0) throw error
    this.keepAsItIs(1000)
    return super.connect()
  }
}
