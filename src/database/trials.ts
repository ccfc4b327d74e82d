import type { Verdict } from '../domain/analysis.ts'
import type { TrialCheck, TriedDefinition } from '../domain/trial.ts'

/** What the API asks of monitoring when a definition is tried. */

export interface TrialListener {
  /** Called once for each seat as soon as its check has ended. */
  readonly heard: (check: TrialCheck) => void
  /** Nobody waits any more. */
  readonly ended: AbortSignal
}

/** A trial that can begin: everything of the database is read. */
export interface ReadyTrial {
  /** Never rejects; ends at the deadline of the checks. Null: the definition has no stations. */
  run(listener: TrialListener): Promise<{
    readonly verdict: Verdict
    readonly errorTolerance: number
    readonly checks: readonly TrialCheck[]
  } | null>
}

/** Reaches the stations of all processes, near and far. */
export interface Trials {
  prepare(definition: TriedDefinition): Promise<ReadyTrial>
}
