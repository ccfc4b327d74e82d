import type { TrialCheck, TriedAnalysis, TriedDefinition } from '../../domain/judging/trial.ts'

/** The API's connection to monitoring while a definition is tried. */

export interface TrialListener {
  /** Called for each seat as soon as its check has ended. */
  readonly heard: (check: TrialCheck) => void
  /** Aborted when nobody waits any more. */
  readonly ended: AbortSignal
}

/** A trial that is ready to begin; everything it needs from the database is read. */
export interface ReadyTrial {
  /** Never rejects; ends at the deadline of the checks. Null: the definition has no stations. */
  run(listener: TrialListener): Promise<TriedAnalysis | null>
}

/** Reaches the stations of all processes, local and remote. */
export interface Trials {
  prepare(definition: TriedDefinition): Promise<ReadyTrial>
}
