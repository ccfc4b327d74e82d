import type { Language } from '../wording/language.ts'
import type { Api } from './api.ts'
import { applyPlan, type ChangeOutcome } from './apply.ts'
import { type Definitions, readDefinitions } from './definitions.ts'
import type { SourceFile } from './files.ts'
import { fingerprintsWith } from './fingerprints.ts'
import { type Installation, readInstallation } from './installation.ts'
import type { Sources } from './interpolate.ts'
import type { Model } from './model.ts'
import { type Change, type Plan, planOf } from './plan.ts'
import { settle } from './settle.ts'

/** From files to a plan, and from a plan to changes. Everything that applies files goes this way. */

export interface Project {
  readonly model: Model
  readonly api: Api
  readonly files: readonly SourceFile[]
  readonly sources: Sources
  readonly language: Language
  /** In place of that of the files. */
  readonly mark?: string | undefined
  readonly isPruning: boolean
}

export interface Planned {
  readonly plan: Plan
  readonly definitions: Definitions
  readonly installation: Installation
  /** Makes the changes; tells how each ended. */
  apply(
    ended: (change: Change, outcome: ChangeOutcome) => void,
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<Change, ChangeOutcome>>
}

export async function plan(project: Project): Promise<Planned> {
  const { model, api, isPruning } = project
  const definitions = readDefinitions(project.files, project)
  const installation = await readInstallation(api, { model, definitions, isPruning })
  const fingerprints = fingerprintsWith(installation.managed.map(({ state }) => state))
  const made = planOf({ model, definitions, installation, fingerprints, isPruning })
  return {
    ...{ plan: made, definitions, installation },
    async apply(ended, signal) {
      const outcomes = await applyPlan(made, {
        api,
        model,
        fingerprints,
        ended,
        ...(signal === undefined ? {} : { signal }),
      })
      await settle({ api, model, plan: made, outcomes })
      return outcomes
    },
  }
}
