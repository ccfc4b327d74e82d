import { isDeepStrictEqual } from 'node:util'
import { adoptedPath, type ManagedState } from '../domain/configuration/managed-key.ts'
import type { Api } from './api.ts'
import type { ChangeOutcome } from './apply.ts'
import type { Definition } from './definitions.ts'
import { entryOf, secretsOf, shownValue } from './differences.ts'
import { type Installed, readManaged } from './installation.ts'
import type { Kind, Model } from './model.ts'
import { mapValues } from './pending.ts'
import { type Change, isEnding, type Plan } from './plan.ts'
import { isEqual, leavesOf } from './values.ts'

interface Settling {
  readonly api: Api
  readonly model: Model
  readonly plan: Plan
  readonly outcomes: ReadonlyMap<Change, ChangeOutcome>
}

interface Settled {
  readonly definition: Definition
  readonly values: Readonly<Record<string, unknown>>
  /** Leaves that were written just now. */
  readonly written: ReadonlySet<string>
}

/**
 * After changes: notes where the API shows a value in other words than the files have it, so that this is no change at
 * the next time, and what of the files was so already. Writes digests alone, and mostly none.
 */
export async function settle({ api, model, plan, outcomes }: Settling): Promise<void> {
  const settled = settledOf(plan, outcomes)
  const kinds = new Set(settled.map(({ definition }) => definition.kind.name))
  const installed = await readKinds(
    api,
    model.all.filter(({ name }) => kinds.has(name)),
    plan.mark,
  )
  for (const one of settled) {
    const { kind, key } = one.definition
    const object = installed.get(`${kind.name} ${key}`)
    if (object === undefined) continue
    const state = stateOf(one, object, installed)
    if (isDeepStrictEqual(state, object.state)) continue
    // Somebody may have changed or deleted it meanwhile: then the next plan tells.
    await api.send({ method: 'PUT', path: `${kind.path}/${object.id}`, body: { managed_state: state } })
  }
}

function settledOf({ changes, unchanged }: Plan, outcomes: ReadonlyMap<Change, ChangeOutcome>): readonly Settled[] {
  const done = changes.flatMap((change): readonly Settled[] => {
    if (isEnding(change) || outcomes.get(change)?.result !== 'done') return []
    const { definition, values, differences } = change
    return [{ definition, values, written: new Set(differences.map(({ path }) => path)) }]
  })
  return [...done, ...unchanged.map(({ definition, values }) => ({ definition, values, written: new Set<string>() }))]
}

async function readKinds(api: Api, kinds: readonly Kind[], mark: string): Promise<ReadonlyMap<string, Installed>> {
  const found = new Map<string, Installed>()
  for (const kind of kinds) {
    for (const object of await readManaged(api, kind, mark)) found.set(`${kind.name} ${object.key}`, object)
  }
  return found
}

function stateOf(
  { definition, values, written }: Settled,
  object: Installed,
  installed: ReadonlyMap<string, Installed>,
): ManagedState {
  const numbered = mapValues(values, ({ kind, key }) => installed.get(`${kind.name} ${key}`)?.id ?? null)
  const secrets = secretsOf(definition, object)
  const leaves = leavesOf(definition.kind, numbered as Readonly<Record<string, unknown>>)
  const entries = leaves.flatMap((leaf): [string, string][] => {
    const { path, field, value } = leaf
    const known = object.state[path]
    const shown = shownValue(object, leaf)
    const isKept = secrets.includes(path) || !(written.has(path) || isEqual(field, value, shown))
    const entry = isKept ? known : entryOf(field, value, shown)
    return entry === undefined ? [] : [[path, entry]]
  })
  const unset = [...definition.unset.keys()].flatMap((path): [string, string][] => {
    const known = object.state[path]
    return known === undefined ? [] : [[path, known]]
  })
  const { adopt } = definition
  // An earlier version kept no such entry.
  const isAdopted = object.state[adoptedPath] !== undefined || adopt === object.id || typeof adopt === 'string'
  const origin = isAdopted ? { [adoptedPath]: 'yes' } : {}
  return { ...origin, ...Object.fromEntries([...entries, ...unset]) }
}
