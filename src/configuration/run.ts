import type { Language } from '../wording/language.ts'
import type { Api } from './api.ts'
import { applyPlan, type ChangeOutcome } from './apply.ts'
import { type Definitions, readDefinitions } from './definitions.ts'
import { FaultyConfiguration } from './fault.ts'
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

/** A file that was cut to nothing, or a pipe of a program that failed, must not delete the objects that it had. */
function refuseEmpty(files: readonly SourceFile[]): void {
  const faults = files
    .filter(({ text }) => text.trim() === '')
    .map(({ path }) => ({
      place: { file: path, line: 1, column: 1 },
      pointer: '',
      message: 'The file is empty, which would delete what it had. Remove it, or write `version: 1`.',
    }))
  if (faults.length > 0) throw new FaultyConfiguration(faults)
}

export async function plan(project: Project): Promise<Planned> {
  const { model, api, isPruning } = project
  if (isPruning) refuseEmpty(project.files)
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
