import { adoptedPath, type ManagedState } from '../domain/configuration/managed-key.ts'
import { type Api, type ApiReply, problemsIn } from './api.ts'
import { defaultsAmong } from './defaults.ts'
import type { Definition } from './definitions.ts'
import { entryOf, secretsOf, shownValue } from './differences.ts'
import type { Ending } from './endings.ts'
import type { FileFault } from './fault.ts'
import type { Fingerprints } from './fingerprints.ts'
import { fieldsOf, holdsNothing, type Installed } from './installation.ts'
import type { Making } from './making.ts'
import type { Model } from './model.ts'
import { mapValues } from './pending.ts'
import { type Change, isEnding, type Plan } from './plan.ts'
import { pathOfField } from './read-object.ts'
import { isEqual, type Leaf, leavesOf, membersOf } from './values.ts'

/** How a change ended. Each is whole or not made at all. */
export type ChangeOutcome =
  | { readonly result: 'done' }
  | { readonly result: 'refused'; readonly faults: readonly FileFault[] }
  /** Somebody changed the object since the plan was made. */
  | { readonly result: 'conflict' }
  /** An object that it needs could not be made. */
  | { readonly result: 'skipped'; readonly because: string }
  /** It holds objects that would be deleted with it. */
  | { readonly result: 'held' }
  /** An object that was adopted, or cannot be deleted, lost its mark instead. */
  | { readonly result: 'released' }

export interface Applying {
  readonly api: Api
  readonly model: Model
  readonly fingerprints: Fingerprints
  /** Called as each change ends. */
  readonly ended: (change: Change, outcome: ChangeOutcome) => void
  /** No change begins after it; those under way end. */
  readonly signal?: AbortSignal
}

/** Changes under way at once. */
const width = 8

/** Makes the changes of a plan, each after those that it needs, and tells how each ended. */
export async function applyPlan(plan: Plan, applying: Applying): Promise<ReadonlyMap<Change, ChangeOutcome>> {
  const outcomes = new Map<Change, ChangeOutcome>()
  const end = (change: Change, outcome: ChangeOutcome): void => {
    outcomes.set(change, outcome)
    applying.ended(change, outcome)
  }
  const making = plan.changes.flatMap((change) => (isEnding(change) ? [] : [change]))
  const ids = new Map<Definition, number>()
  for (const { definition, current } of making) if (current !== null) ids.set(definition, current.id)
  await inOrder(making, applying.signal, async (change) => {
    const missing = change.needs.find((need) => isMissing(need, making, ids))
    if (missing !== undefined) return end(change, { result: 'skipped', because: missing.pointer })
    end(change, await make(change, ids, plan.mark, applying))
  })
  // One after the other: what is named, or above, goes last.
  const made = new Set(making.map(({ definition }) => definition.kind.name))
  for (const change of plan.changes) {
    if (!isEnding(change) || applying.signal?.aborted === true) continue
    end(change, await finish(change, made, applying))
  }
  return outcomes
}

function isMissing(need: Definition, making: readonly Making[], ids: ReadonlyMap<Definition, number>): boolean {
  return !ids.has(need) && making.some(({ definition }) => definition === need)
}

/** Runs each once those that it needs have ended, some at once. */
async function inOrder(
  making: readonly Making[],
  signal: AbortSignal | undefined,
  run: (change: Making) => Promise<void>,
): Promise<void> {
  const defaults = defaultsAmong(making)
  const byDefinition = new Map(making.map((change) => [change.definition, change]))
  const waiting = new Map<Making, number>()
  const needing = new Map<Making, Making[]>()
  for (const change of making) {
    const needs = [...new Set([...change.needs, ...defaults(change)])].flatMap((need) => byDefinition.get(need) ?? [])
    waiting.set(change, needs.length)
    for (const need of needs) needing.set(need, [...(needing.get(need) ?? []), change])
  }
  const ready = making.filter((change) => waiting.get(change) === 0)
  const running = new Set<Promise<void>>()
  const begin = (change: Making): void => {
    const work = run(change).then(() => {
      running.delete(work)
      for (const next of needing.get(change) ?? []) {
        const left = (waiting.get(next) ?? 0) - 1
        waiting.set(next, left)
        if (left === 0) ready.push(next)
      }
    })
    running.add(work)
  }
  while (signal?.aborted !== true && (ready.length > 0 || running.size > 0)) {
    for (let next = running.size < width ? ready.shift() : undefined; next !== undefined; ) {
      begin(next)
      next = running.size < width ? ready.shift() : undefined
    }
    // When one breaks off, nothing more is begun; those under way end, so that each is told.
    await Promise.race(running).catch(async (error: unknown) => {
      await Promise.allSettled(running)
      throw error
    })
  }
  await Promise.all(running)
}

/** The entries of what is written now; the others stay. */
function stateOf(change: Making, leaves: readonly Leaf[], { fingerprints }: Applying): ManagedState {
  const { definition, current } = change
  const secrets = secretsOf(definition, current)
  const paths = new Set(leaves.map(({ path }) => path))
  const kept = Object.entries(current?.state ?? {}).filter(
    ([path]) => path === adoptedPath || paths.has(path) || definition.unset.has(path),
  )
  const changed = new Set(change.differences.map(({ path }) => path))
  const made = leaves.flatMap((leaf): [string, string][] => {
    const { path, field, value } = leaf
    if (secrets.includes(path)) return value === null || value === '' ? [] : [[path, fingerprints.of(String(value))]]
    const isKept = !changed.has(path) && current !== null && current.state[path] !== undefined
    return isKept ? [] : [[path, entryOf(field, value, value)]]
  })
  const origin = change.isAdopted ? { [adoptedPath]: 'yes' } : {}
  return { ...Object.fromEntries(kept), ...Object.fromEntries(made), ...origin }
}

function bodyOf(change: Making, ids: ReadonlyMap<Definition, number>, mark: string, applying: Applying) {
  const { definition, current, differences, isAdopted, movedFrom } = change
  const { kind, key } = definition
  const numbered = (value: unknown) => mapValues(value, (pending) => ids.get(pending) ?? null)
  const named = differences.map((difference) => ({ ...difference, value: numbered(difference.value) }))
  const isNamed = current === null || isAdopted || movedFrom !== null
  const all = leavesOf(kind, numbered(change.values) as Readonly<Record<string, unknown>>)
  const above =
    kind.within == null || current !== null ? {} : { [kind.within.field]: numbered(change.values[kind.within.field]) }
  return {
    ...membersOf(named),
    ...above,
    ...(isNamed ? { managed_key: key, managed_by: mark } : {}),
    managed_state: stateOf(change, all, applying),
  }
}

async function make(
  change: Making,
  ids: Map<Definition, number>,
  mark: string,
  applying: Applying,
): Promise<ChangeOutcome> {
  const { definition, current } = change
  const { kind } = definition
  const body = bodyOf(change, ids, mark, applying)
  if (current === null) {
    const reply = await applying.api.send({ method: 'POST', path: kind.path, body })
    if (reply.status !== 201) return refusal(definition, reply)
    ids.set(definition, Number((reply.body as { id: number }).id))
    return { result: 'done' }
  }
  const etag = await versionOf(current, change.differences, applying.api)
  if (etag === null) return { result: 'conflict' }
  const reply = await applying.api.send({ method: 'PUT', path: `${kind.path}/${current.id}`, body, ifMatch: etag })
  if (reply.status === 412 || reply.status === 404) return { result: 'conflict' }
  return reply.status === 204 ? { result: 'done' } : refusal(definition, reply)
}

/** The version of an object whose leaves are still as the plan saw them; null: somebody changed them meanwhile. */
async function versionOf(
  current: Installed,
  leaves: readonly Pick<Leaf, 'path' | 'member' | 'field'>[],
  api: Api,
): Promise<string | null> {
  const { kind, id } = current
  const reply = await api.send({ method: 'GET', path: `${kind.path}/${id}` })
  if (reply.status !== 200) return null
  const now: Installed = { ...current, row: reply.body as Installed['row'] }
  const isSame = leaves.every((leaf) => isEqual(leaf.field, shownValue(now, leaf), shownValue(current, leaf)))
  return isSame ? reply.etag : null
}

function finish({ action, current }: Ending, made: ReadonlySet<string>, applying: Applying): Promise<ChangeOutcome> {
  if (action === 'stay') return Promise.resolve({ result: 'held' })
  return action === 'release' ? release(current, applying) : remove(current, made, applying)
}

async function release(current: Installed, { api }: Applying): Promise<ChangeOutcome> {
  const { kind, id } = current
  const released = { managed_key: null, managed_by: null, managed_state: null }
  const reply = await api.send({ method: 'PUT', path: `${kind.path}/${id}`, body: released })
  if (reply.status === 204) return { result: 'released' }
  if (reply.status === 404) return { result: 'done' }
  return endingRefusal(current, reply)
}

/** An object that ends has no place in a file any more. */
function endingRefusal({ kind, key }: Installed, reply: ApiReply): ChangeOutcome {
  const [problem] = problemsIn(reply)
  const pointer = `${kind.name}.${key}`
  return { result: 'refused', faults: [{ place: null, pointer, message: problem?.message ?? '' }] }
}

/** The names of others in an object change when this run renames those: that is nobody else's change. */
function leavesToCompare({ kind, row }: Installed, made: ReadonlySet<string>): readonly Leaf[] {
  const { references = {} } = kind.configuration
  return leavesOf(kind, row).filter(({ path }) => {
    const reference = references[path]
    return reference?.by === undefined || !made.has(reference.to)
  })
}

async function remove(current: Installed, made: ReadonlySet<string>, applying: Applying): Promise<ChangeOutcome> {
  const { api, model } = applying
  const { kind, id } = current
  const path = `${kind.path}/${id}`
  const etag = await versionOf(current, leavesToCompare(current, made), api)
  if (etag === null) {
    // Somebody deleted it meanwhile.
    const isGone = (await api.send({ method: 'GET', path: `${path}?fields=${fieldsOf(kind)}` })).status === 404
    return isGone ? { result: 'done' } : { result: 'conflict' }
  }
  // Somebody may have put something there since the plan, and a deletion may have been refused.
  if (!(await holdsNothing(api, current, model))) return { result: 'held' }
  const reply = await api.send({ method: 'DELETE', path, ifMatch: etag })
  if (reply.status === 204 || reply.status === 404) return { result: 'done' }
  if (reply.status === 412) return { result: 'conflict' }
  const [problem] = problemsIn(reply)
  if (problem?.error === 'default_group_cannot_be_deleted') return release(current, applying)
  return endingRefusal(current, reply)
}

/** The API's problems at the places of the file that they are about. */
function refusal(definition: Definition, reply: ApiReply): ChangeOutcome {
  const faults = problemsIn(reply).map(({ field, message }) => {
    const path = pathOfField(field)
    return { place: definition.positionOf(path), pointer: [definition.pointer, ...path].join('.'), message }
  })
  return { result: 'refused', faults }
}
