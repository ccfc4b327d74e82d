import type { ArtifactOrigin } from '../database/artifacts/store.ts'
import type { ArtifactTypeId } from '../domain/dictionaries.ts'
import { keptSizes, type MissingArtifact } from '../domain/judging/evidence.ts'
import type { CheckArtifact, CheckEvidence } from '../sensor/protocol.ts'
import type { Timers } from '../turns/timers.ts'
import type { Log } from './outage.ts'

/** Milliseconds. */
const patience = 5000
const pauseAfterFailure = 30_000

/** Keeps a file of a failed check and returns the key under which it is found again; null when it is not kept. */
export type KeepArtifact = (bytes: Uint8Array, origin: ArtifactOrigin) => Promise<string | null>

/** A file of a failed check as the history knows it. */
export interface KeptArtifact {
  readonly id: ArtifactTypeId
  /** Where its bytes are kept. */
  readonly key: string
  readonly content_type: string
  /** Bytes that are kept. */
  readonly size: number
  /** There was more of it. */
  readonly is_truncated: boolean
}

export interface KeptEvidence {
  readonly artifacts: readonly KeptArtifact[]
  readonly missing: readonly MissingArtifact[]
}

/** By sensor. */
export type KeptArtifacts = ReadonlyMap<number, KeptEvidence>

export interface EvidenceParts {
  readonly keepArtifact: KeepArtifact
  readonly timers: Timers
  readonly log: Log
  /** Called for everything that is not kept. */
  readonly onMissing?: (artifact: MissingArtifact) => void
}

/**
 * Stores the files of failed checks within the limits. A store that is full, away or hanging spoils no analysis and
 * delays none for long. It is logged once, lost files are counted, and after a pause one artifact tries again.
 */
export class EvidenceKeeper {
  readonly #parts: EvidenceParts
  /** The first failure since the store last worked; monotonic milliseconds. */
  #awaySince: number | null = null
  #tryAgainAt = 0
  #lost = 0

  constructor(parts: EvidenceParts) {
    this.#parts = parts
  }

  async keep({ artifacts, facts, missing = [] }: CheckEvidence, origin: ArtifactOrigin): Promise<KeptEvidence> {
    const sizes = keptSizes(artifacts.map(({ typeId, bytes }) => ({ typeId, size: bytes.length })))
    const outcomes = await Promise.all(
      artifacts.map(async (artifact): Promise<KeptArtifact | MissingArtifact> => {
        const { typeId: id, contentType, bytes } = artifact
        const size = sizes.get(id) ?? null
        if (size === null) return { id, reason: 'too_large' }
        const key = await this.#store(artifact, size, origin)
        if (key === null) return { id, reason: 'not_stored' }
        const is_truncated = size < bytes.length || facts[`${id}_is_cut`] === true
        return { id, key, content_type: contentType, size, is_truncated }
      }),
    )
    const lacking = [...missing, ...outcomes.filter((outcome) => 'reason' in outcome)]
    for (const artifact of lacking) this.#parts.onMissing?.(artifact)
    return { artifacts: outcomes.filter((outcome) => 'key' in outcome), missing: lacking }
  }

  async #store({ typeId, bytes }: CheckArtifact, size: number, origin: ArtifactOrigin): Promise<string | null> {
    const { keepArtifact, timers } = this.#parts
    if (this.#awaySince !== null) {
      if (timers.monotonic() < this.#tryAgainAt) return this.#lose()
      // The next artifact waits for the outcome of this one.
      this.#tryAgainAt = timers.monotonic() + pauseAfterFailure
    }
    try {
      const key = await this.#inTime(keepArtifact(bytes.subarray(0, size), origin))
      this.#works()
      return key
    } catch (error) {
      return this.#failed(error, typeId)
    }
  }

  /**
   * If the process slept through the limit, perhaps with the whole machine, it has not really waited: the store gets
   * the time once more.
   */
  #inTime<Value>(work: Promise<Value>): Promise<Value> {
    const { timers } = this.#parts
    return new Promise((resolve, reject) => {
      const beganAt = timers.monotonic()
      const giveUp = () => reject(new Error(`The store did not answer in ${patience} ms`))
      let cancel = timers.after(patience, () => {
        const heldMs = timers.monotonic() - beganAt - patience
        if (heldMs < patience) giveUp()
        else cancel = timers.after(patience, giveUp)
      })
      work.then(resolve, reject).finally(() => cancel())
    })
  }

  #failed(error: unknown, typeId: string): null {
    const { timers, log } = this.#parts
    this.#tryAgainAt = timers.monotonic() + pauseAfterFailure
    if (this.#awaySince === null) {
      this.#awaySince = timers.monotonic()
      log.error({ err: error, artifact_type_id: typeId }, 'Evidence cannot be kept; analyses go on without it')
    }
    return this.#lose()
  }

  #lose(): null {
    this.#lost += 1
    return null
  }

  #works(): void {
    if (this.#awaySince === null) return
    const seconds = Math.round((this.#parts.timers.monotonic() - this.#awaySince) / 1000)
    this.#parts.log.info({ seconds, lost: this.#lost }, 'Evidence is kept again')
    this.#awaySince = null
    this.#lost = 0
  }
}
