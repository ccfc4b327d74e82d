import pg from 'pg'

/** Milliseconds. */
const turn = 1000
/** A statement that takes longer causes a test whether the server still answers. */
const usualPatience = 5000

/**
 * Ends the connections of a pool whose server is silent: it is frozen, or its machine vanished. The system would wait a
 * quarter of an hour. A server that is busy with one statement still answers others.
 */
export class SilenceWatch {
  readonly #urlOf: (client: pg.ClientBase) => string
  readonly #patience: number
  readonly #busySince = new Map<pg.ClientBase, number>()
  readonly #timer: NodeJS.Timeout
  #isAsking = false

  /** `urlOf` tells the address of a connection's server. */
  constructor(urlOf: (client: pg.ClientBase) => string, patience = usualPatience) {
    this.#urlOf = urlOf
    this.#patience = patience
    this.#timer = setInterval(() => void this.#look(), Math.min(turn, patience))
    this.#timer.unref()
  }

  watch(pool: pg.Pool): void {
    pool.on('acquire', (client) => this.attend(client))
    pool.on('release', (_error, client) => this.forget(client))
    pool.on('remove', (client) => this.forget(client))
  }

  /** From now on an answer of this connection is waited for. */
  attend(client: pg.ClientBase): void {
    this.#busySince.set(client, performance.now())
  }

  forget(client: pg.ClientBase): void {
    this.#busySince.delete(client)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  async #look(): Promise<void> {
    const now = performance.now()
    const waiting = [...this.#busySince].filter(([, since]) => now - since >= this.#patience)
    if (waiting.length === 0 || this.#isAsking) return
    this.#isAsking = true
    const urls = [...new Set(waiting.map(([client]) => this.#urlOf(client)))]
    const answers = await Promise.all(urls.map(async (url) => [url, await this.#speaks(url)] as const))
    this.#isAsking = false
    const speaks = new Map(answers)
    for (const [client, since] of waiting) {
      if (speaks.get(this.#urlOf(client)) === false && this.#busySince.get(client) === since) breakOff(client)
    }
  }

  /** Any answer will do, even a refusal. */
  async #speaks(url: string): Promise<boolean> {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: this.#patience })
    // The query below rejects with the same error; without a listener the program would end.
    client.on('error', () => undefined)
    try {
      await client.connect()
      return true
    } catch (error) {
      return !(error instanceof Error && /timeout expired/.test(error.message))
    } finally {
      // The answer is known already; a dead connection needs no goodbye.
      void client.end().catch(() => undefined)
    }
  }
}

/** Milliseconds in which a server can answer the goodbye of a connection that ends. */
const goodbyeLimit = 2000

/** Closes a connection that is about to end and whose server does not answer its goodbye. */
export function endSoon(client: pg.ClientBase): void {
  const timer = setTimeout(() => breakOff(client), goodbyeLimit)
  timer.unref()
  client.once('end', () => clearTimeout(timer))
}

/** The socket below the driver, which its types do not show. */
interface Wired {
  readonly connection: { readonly stream: { destroy(error: Error): void } }
}

function silenceError(): Error {
  return Object.assign(new Error('The database server says nothing any more'), { code: 'ETIMEDOUT' })
}

/** Ends a connection without a word; what waits on it fails with the fault. */
export function breakOff(client: pg.ClientBase, fault = silenceError()): void {
  ;(client as pg.ClientBase & Wired).connection.stream.destroy(fault)
}
