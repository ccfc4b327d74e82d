import { fold } from '../domain/queries/condition.ts'
import type { Definition, Definitions, Moved } from './definitions.ts'
import { compare } from './differences.ts'
import { deletionOrder, type Ending, endingsOf } from './endings.ts'
import type { FileFault } from './fault.ts'
import { FaultyConfiguration } from './fault.ts'
import type { Fingerprints } from './fingerprints.ts'
import type { Installation, Installed } from './installation.ts'
import type { Making } from './making.ts'
import { type Model, mapReferences } from './model.ts'
import { type Named, refuseCircles, resolverOf } from './references.ts'
import { secretName } from './values.ts'

/** The change of one object. Objects that stay as they are have none. */
export type Change = Making | Ending

export function isEnding(change: Change): change is Ending {
  return !('definition' in change)
}

export interface Plan {
  readonly mark: string
  readonly changes: readonly Change[]
  readonly unchanged: readonly Kept[]
  /** Objects with the mark that no file has any more. */
  readonly left: readonly Installed[]
  readonly notes: readonly string[]
}

/** An object that is as its definition wants it. */
export interface Kept {
  readonly definition: Definition
  readonly current: Installed
  readonly values: Readonly<Record<string, unknown>>
}

export interface Planning {
  readonly model: Model
  readonly definitions: Definitions
  readonly installation: Installation
  readonly fingerprints: Fingerprints
  /** Delete what no file has any more. */
  readonly isPruning: boolean
}

/** Compares the definitions with the installation; throws all faults at once. Nothing is sent. */
export function planOf(planning: Planning): Plan {
  const { definitions, installation, isPruning, model } = planning
  const faults: FileFault[] = [...refuseCircles(definitions)]
  const moves = movesOf(definitions, installation)
  const found = new Map<Definition, Installed>()
  const notes: string[] = [...definitions.notes]
  for (const definition of definitions.all) {
    const current = currentOf(definition, installation, moves, faults)
    if (current !== undefined) found.set(definition, current)
    else if (definition.adopt !== null)
      notes.push(`${definition.pointer}: there is no object ${definition.adopt} to adopt; it is made anew.`)
  }
  const kept = new Set([...found.values()].map(({ kind, id }) => `${kind.name} ${id}`))
  const isLeft = ({ kind, id }: Installed) => !kept.has(`${kind.name} ${id}`)
  const isLeaving = (object: Installed) => isPruning && isLeft(object)
  const resolve = resolverOf({ definitions, installation, found, isLeaving, faults })
  const renamed = renamingOf(found)
  const decided = definitions.all.map((definition) => {
    const current = found.get(definition)
    return decide(definition, current === undefined ? null : renamed(current), { ...planning, resolve, faults })
  })
  if (faults.length > 0) throw new FaultyConfiguration(faults)
  const left = deletionOrder(installation.managed.filter(isLeft), model)
  const changes = decided.flatMap(({ change }) => (change === null ? [] : [change]))
  return {
    mark: definitions.mark,
    changes: [...changes, ...(isPruning ? endingsOf(left, { model, installation, changes }) : [])],
    unchanged: decided.flatMap(({ change, kept: same }) => (change === null && same !== null ? [same] : [])),
    left,
    notes,
  }
}

/** Old keys by the new one, for each kind and the parts below its objects. */
function movesOf({ moved }: Definitions, installation: Installation): (definition: Definition) => string | null {
  const isOpen = ({ kind, from, to }: Moved) =>
    installation.find(kind.name, from) !== undefined && installation.find(kind.name, to) === undefined
  const open = new Map(moved.filter(isOpen).map(({ kind, from, to }) => [`${kind.name} ${to}`, from]))
  return ({ kind, key }) => {
    const own = open.get(`${kind.name} ${key}`)
    if (own !== undefined || kind.within == null) return own ?? null
    const slash = key.lastIndexOf('/')
    const above = open.get(`${kind.within.resource} ${key.slice(0, slash)}`)
    return above === undefined ? null : `${above}${key.slice(slash)}`
  }
}

function currentOf(
  definition: Definition,
  installation: Installation,
  moves: (definition: Definition) => string | null,
  faults: FileFault[],
): Installed | undefined {
  const { kind, key, adopt, values, pointer } = definition
  const managed = installation.find(kind.name, key)
  if (managed !== undefined) return managed
  const old = moves(definition)
  if (old !== null) return installation.find(kind.name, old)
  const adopted = installation.adopted(definition)
  if (adopted === undefined) return undefined
  const complain = (message: string) =>
    faults.push({ place: definition.positionOf(['adopt']), pointer: `${pointer}.adopt`, message })
  const { managed_by: by } = adopted.row
  if (by !== null && by !== undefined)
    complain(`${adopt} is managed already, by ${by} as ${adopted.row['managed_key']}.`)
  const title = values[kind.title]
  // A number of another installation may be anything there; a word such as my_default_group is meant.
  const isOther = typeof adopt === 'number' && title !== undefined && title !== adopted.row[kind.title]
  if (isOther)
    complain(
      `The ${kind.singular} ${adopt} is ${JSON.stringify(adopted.row[kind.title])}, not ${JSON.stringify(title)}: take \`adopt\` out, or rename it first.`,
    )
  return adopted
}

/**
 * Objects as they will be once those that they name by a name of their own have their new names: the API renames tags
 * wherever they are, and nothing else changes then.
 */
function renamingOf(found: ReadonlyMap<Definition, Installed>): (current: Installed) => Installed {
  const renamed = new Map<string, unknown>()
  for (const [{ kind, values }, { row }] of found) {
    const name = values[kind.title]
    if (name !== undefined && name !== row[kind.title])
      renamed.set(oldName(kind.name, kind.title, row[kind.title]), name)
  }
  if (renamed.size === 0) return (current) => current
  return (current) => {
    const row = mapReferences(current.kind, current.row, (name, { to, by, isCopied }) =>
      by === undefined || isCopied ? name : (renamed.get(oldName(to, by, name)) ?? name),
    )
    return { ...current, row }
  }
}

function oldName(kind: string, member: string, name: unknown): string {
  return `${kind} ${member} ${fold(String(name))}`
}

interface Deciding extends Planning {
  readonly resolve: (definition: Definition) => Named
  readonly faults: FileFault[]
}

function decide(definition: Definition, current: Installed | null, { resolve, faults, fingerprints }: Deciding) {
  const { values, needs } = resolve(definition)
  const differences = compare({ definition, values, current, fingerprints })
  const fault = (path: string, message: string) =>
    faults.push({ place: definition.positionOf(path.split('.')), pointer: `${definition.pointer}.${path}`, message })
  for (const [path, name] of definition.unset) {
    if (current?.setSecrets.includes(secretName(path)) !== true) fault(path, `${name} is not set.`)
  }
  const isAdopted = current !== null && current.key === null
  const movedFrom = current !== null && current.key !== null && current.key !== definition.key ? current.key : null
  const change = { definition, current, values, differences, isAdopted, movedFrom, needs }
  if (current === null) return { change: { ...change, action: 'create' } as const, kept: null }
  for (const { path, field } of differences) {
    if (field.immutable === true)
      fault(
        path,
        `${path} of a ${definition.kind.singular} cannot be changed. Give the new one another key; \`--prune\` deletes the old one.`,
      )
  }
  if (differences.length === 0 && !isAdopted && movedFrom === null)
    return { change: null, kept: { definition, current, values } }
  return { change: { ...change, action: 'update' } as const, kept: null }
}
