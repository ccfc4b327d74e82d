import type { Configuration, ConfiguredReference } from '../rest/configuration.ts'
import type { Registry, Resource } from '../rest/declare.ts'
import type { Field, Fields } from '../rest/fields.ts'

/** The kinds of objects that files of configuration as code hold: derived from the declarations of the API alone. */

export interface Kind {
  /** The name of the resource, and of the map in a file: `services`. */
  readonly name: string
  /** Below `/v3`. */
  readonly path: string
  readonly about: string
  readonly singular: string
  readonly configuration: Configuration
  /** The members that a file may give an object, in their order. */
  readonly members: Fields
  /** The field by which people know an object. */
  readonly title: string
  /** Rows tell whose they are. */
  readonly hasOwner: boolean
  /** Rows tell which secrets they have. */
  readonly hasSecrets: boolean
  readonly canRemove: boolean
  /** The fields that name what takes an object of this kind along when it is deleted. */
  readonly holders: readonly ParentField[]
  readonly variants: Resource['variants']
  /** The kinds whose objects stand inside an object of this kind, by the member that holds them. */
  readonly parts: Readonly<Record<string, Kind>>
  /** For parts: the kinds with parts of the same object, which name each other by the last part of their keys. */
  readonly siblings: ReadonlySet<string>
  /** Null for kinds of their own. */
  readonly within: Configuration['within'] | null
}

export interface ParentField {
  readonly field: string
  /** The member of the holder that the field has; null: its number. */
  readonly by: string | null
  /** The kind of the object that it names. */
  readonly to: string
  /** Lists can be asked for the objects of one holder. */
  readonly canFilter: boolean
}

export interface Model {
  /** In the order in which they are made: each kind after those that its objects name, parts after their objects. */
  readonly all: readonly Kind[]
  /** The kinds with a map of their own in a file. */
  readonly kinds: readonly Kind[]
  get(name: string): Kind | undefined
}

/** Fields that say whose an object is, and how it is managed. */
const ofAccount = ['owner_id', 'managed_key', 'managed_by', 'managed_state']

function isMember(name: string, field: Field, { within, left = [] }: Configuration): boolean {
  const isLeft = ofAccount.includes(name) || left.includes(name) || name === within?.field
  return !(isLeft || field.readOnly || field.internal || field.embedOnly || field.deprecated)
}

interface Declared {
  readonly resource: Resource
  readonly configuration: Configuration
}

function kindOf({ resource, configuration }: Declared, declared: readonly Declared[]): Kind {
  const { name, path, about, singular, fields, operations, variants } = resource
  const members = Object.entries(fields).filter(([member, field]) => isMember(member, field, configuration))
  const owner = fields['owner_id']
  return {
    ...{ name, path, about, singular, configuration, variants },
    parts: partsOf(name, declared),
    siblings: siblingsOf(configuration, declared),
    members: Object.fromEntries(members),
    title: configuration.title ?? 'name',
    hasOwner: owner !== undefined && owner.internal !== true,
    hasSecrets: fields['set_secrets'] !== undefined,
    holders: holdersOf(resource, configuration),
    canRemove: operations.includes('remove'),
    within: configuration.within ?? null,
  }
}

function partsOf(name: string, declared: readonly Declared[]): Readonly<Record<string, Kind>> {
  const parts = declared.flatMap((one) => {
    const { within } = one.configuration
    return within?.resource === name ? [[within.member, kindOf(one, declared)] as const] : []
  })
  return Object.fromEntries(parts)
}

function siblingsOf({ within }: Configuration, declared: readonly Declared[]): ReadonlySet<string> {
  const siblings = declared.filter(({ configuration }) => configuration.within?.resource === within?.resource)
  return new Set(within === undefined ? [] : siblings.map(({ resource }) => resource.name))
}

function holdersOf({ fields }: Resource, configuration: Configuration): readonly ParentField[] {
  const { within, ownerOf, heldBy = [], references = {} } = configuration
  const named = [...new Set([...(ownerOf === undefined ? [] : [ownerOf.field]), ...heldBy])]
    .filter((field) => field !== within?.field)
    .flatMap((field) => {
      const { to, by = null } = references[field] ?? {}
      return to === undefined ? [] : [{ field, to, by }]
    })
  const above = within === undefined ? [] : [{ field: within.field, to: within.resource, by: null }]
  return [...above, ...named].map((holder) => ({ ...holder, canFilter: fields[holder.field]?.filter === true }))
}

/** Throws if kinds name each other in a circle. */
function inOrder(kinds: readonly Kind[]): readonly Kind[] {
  const done: Kind[] = []
  const names = new Set(kinds.map(({ name }) => name))
  while (done.length < kinds.length) {
    const isDone = (name: string) => !names.has(name) || done.some((kind) => kind.name === name)
    const next = kinds.find((kind) => !done.includes(kind) && namedBy(kind).every(isDone))
    if (next === undefined) throw new Error('The kinds of configuration as code name each other in a circle.')
    done.push(next)
  }
  return done
}

function namedBy({ name, configuration: { references = {}, within } }: Kind): readonly string[] {
  const targets = Object.values(references).map(({ to }) => to)
  return [...targets, ...(within === undefined ? [] : [within.resource])].filter((target) => target !== name)
}

export function modelOf(registry: Registry): Model {
  const declared = registry.all.flatMap((resource) =>
    resource.configuration === null ? [] : [{ resource, configuration: resource.configuration }],
  )
  const every = declared.map((one) => kindOf(one, declared))
  const all = inOrder(every)
  const byName = new Map(all.map((kind) => [kind.name, kind]))
  return {
    all,
    kinds: every.filter(({ within }) => within === null),
    get: (name) => byName.get(name),
  }
}

/** Changes every name of another object in the members, wherever it stands. Nulls stay. */
export function mapReferences(
  kind: Kind,
  values: Readonly<Record<string, unknown>>,
  change: (name: unknown, reference: ConfiguredReference, path: Path) => unknown,
): Readonly<Record<string, unknown>> {
  let mapped: unknown = values
  for (const [path, reference] of Object.entries(kind.configuration.references ?? {})) {
    mapped = mapAt(mapped, path.split('.'), (name, at) => change(name, reference, at), [])
  }
  return mapped as Readonly<Record<string, unknown>>
}

export type Path = readonly (string | number)[]

function mapAt(
  value: unknown,
  way: readonly string[],
  change: (name: unknown, at: Path) => unknown,
  at: Path,
): unknown {
  if (value === null || value === undefined) return value
  if (Array.isArray(value)) return value.map((element: unknown, index) => mapAt(element, way, change, [...at, index]))
  const [head, ...rest] = way
  if (head === undefined) return change(value, at)
  if (typeof value !== 'object' || !Object.hasOwn(value, head)) return value
  const members = value as Readonly<Record<string, unknown>>
  return { ...members, [head]: mapAt(members[head], rest, change, [...at, head]) }
}
