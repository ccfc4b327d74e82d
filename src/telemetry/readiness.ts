import { setTimeout as delay } from 'node:timers/promises'

/** Why a process should get no work now; all that a stranger is told. */
export type Unreadiness = 'starting' | 'draining' | 'database' | 'schema' | 'core'

/** What a process lacks that can serve without it: room for its database to write; sockets, browsers or time for patterns of checks; descriptors of its own. */
export type Lack = 'disk' | 'sockets' | 'browsers' | 'patterns' | 'descriptors'

/** Looks whether something that the process stands on is there. */
export type Look = () => Promise<readonly Unreadiness[]>

/** Milliseconds. Who asks waits no longer, and takes what does not answer for away. */
const patience = 2000

/** Whether this process can serve: it has started, it does not stop, and what it stands on is there. */
export class Readiness {
  readonly #stands: { readonly look: Look; readonly silence: Unreadiness }[] = []
  readonly #lacks = new Map<Lack, () => boolean>()
  #phase: 'starting' | 'started' | 'draining' = 'starting'
  #looking: Promise<readonly Unreadiness[]> | null = null

  /** From now on the process stands on this too. `silence` is the reason when the look takes too long. */
  standOn(look: Look, silence: Unreadiness): void {
    this.#stands.push({ look, silence })
  }

  /** From now on the process says so while it lacks this. */
  lacksWhile(lack: Lack, isLacking: () => boolean): void {
    this.#lacks.set(lack, isLacking)
  }

  started(): void {
    if (this.#phase === 'starting') this.#phase = 'started'
  }

  /** Its last phase: whoever sends work should send it elsewhere. */
  draining(): void {
    this.#phase = 'draining'
  }

  /** Empty: ready. Never rejects. Who asks while somebody else does gets the same answer. */
  unreadiness(): Promise<readonly Unreadiness[]> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null
    })
    return this.#looking
  }

  /** What `/readyz` says. */
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
    // It is aborted a line above, on purpose.
    patienceEnds.catch(() => undefined)
  }
}

/** What `/healthz` and `/readyz` say, as status and body. */
export interface HealthAnswer {
  readonly status: 200 | 503
  readonly body: { readonly status: string; readonly reasons?: readonly (Unreadiness | Lack)[] }
}

export const alive: HealthAnswer = { status: 200, body: { status: 'ok' } }

/** Who lacks something still gets work: what can be read is better read than refused. */
function readinessAnswer(reasons: readonly Unreadiness[], lacks: readonly Lack[]): HealthAnswer {
  if (reasons.length > 0) return { status: 503, body: { status: 'unavailable', reasons } }
  return lacks.length === 0 ? alive : { status: 200, body: { status: 'degraded', reasons: lacks } }
}
