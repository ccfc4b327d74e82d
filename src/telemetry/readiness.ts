import { setTimeout as delay } from 'node:timers/promises'

/** Why a process should get no work now; strangers learn nothing more. */
export type Unreadiness = 'starting' | 'draining' | 'database' | 'schema' | 'core'

/**
 * A shortage with which a process can still serve: disk space of its database; sockets, browsers or time for patterns
 * of checks; its own descriptors.
 */
export type Lack = 'disk' | 'sockets' | 'browsers' | 'patterns' | 'descriptors'

/** Checks one thing that the process depends on. */
export type ReadinessCheck = () => Promise<readonly Unreadiness[]>

/** Milliseconds. A check that takes longer counts as failed. */
const patience = 2000

/** Whether this process can serve: it has started, is not stopping, and its dependencies are available. */
export class Readiness {
  readonly #stands: { readonly look: ReadinessCheck; readonly silence: Unreadiness }[] = []
  readonly #lacks = new Map<Lack, () => boolean>()
  #phase: 'starting' | 'started' | 'draining' = 'starting'
  #looking: Promise<readonly Unreadiness[]> | null = null

  /** Adds a dependency of the process. `silence` is the reason if its check takes too long. */
  standOn(look: ReadinessCheck, silence: Unreadiness): void {
    this.#stands.push({ look, silence })
  }

  /** Adds a shortage that the process reports while it lasts. */
  lacksWhile(lack: Lack, isLacking: () => boolean): void {
    this.#lacks.set(lack, isLacking)
  }

  started(): void {
    if (this.#phase === 'starting') this.#phase = 'started'
  }

  /** The last phase: senders of work should send it elsewhere. */
  draining(): void {
    this.#phase = 'draining'
  }

  /** Empty: ready. Never rejects. Parallel callers get the same answer. */
  unreadiness(): Promise<readonly Unreadiness[]> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null
    })
    return this.#looking
  }

  /** The answer of `/readyz`. */
  async answer(): Promise<HealthAnswer> {
    const reasons = await this.unreadiness()
    const lacking = [...this.#lacks].filter(([, isLacking]) => isLacking()).map(([lack]) => lack)
    return readinessAnswer(reasons, lacking)
  }

  async #look(): Promise<readonly Unreadiness[]> {
    const reasons = await Promise.all(this.#stands.map(({ look, silence }) => within(look(), silence)))
    const phase = this.#phase === 'started' ? [] : [this.#phase]
    return [...new Set([...phase, ...reasons.flat()])]
  }
}

async function within(looking: Promise<readonly Unreadiness[]>, silence: Unreadiness): Promise<readonly Unreadiness[]> {
  const over = new AbortController()
  const patienceEnds = delay(patience, [silence], { signal: over.signal, ref: false })
  try {
    return await Promise.race([looking, patienceEnds])
  } catch {
    return [silence]
  } finally {
    over.abort()
    // It was aborted one line above, on purpose.
    patienceEnds.catch(() => undefined)
  }
}

/** The status and body of `/healthz` and `/readyz`. */
export interface HealthAnswer {
  readonly status: 200 | 503
  readonly body: { readonly status: string; readonly reasons?: readonly (Unreadiness | Lack)[] }
}

export const alive: HealthAnswer = { status: 200, body: { status: 'ok' } }

/** A process with a shortage still gets work, because reading is better than refusing. */
function readinessAnswer(reasons: readonly Unreadiness[], lacks: readonly Lack[]): HealthAnswer {
  if (reasons.length > 0) return { status: 503, body: { status: 'unavailable', reasons } }
  return lacks.length === 0 ? alive : { status: 200, body: { status: 'degraded', reasons: lacks } }
}
