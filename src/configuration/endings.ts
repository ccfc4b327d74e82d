import { adoptedPath } from '../domain/configuration/managed-key.ts'
import { fold } from '../domain/queries/condition.ts'
import type { Child, Installation, Installed } from './installation.ts'
import type { Making } from './making.ts'
import { type Kind, type Model, mapReferences, type ParentField } from './model.ts'

/** The ends of objects that have the mark and are in no file any more. */

/** Objects of one kind below another. */
export interface Below {
  readonly kind: Kind
  readonly ids: readonly number[]
}

export interface Ending {
  /** An adopted object is released: it loses its mark. One that holds others that stay, stays with its mark. */
  readonly action: 'delete' | 'release' | 'stay'
  readonly current: Installed
  /** The parts that keep it, or, of a deleted one, the parts that go with it and have no line of their own. */
  readonly below: readonly Below[]
  /** This configuration made some of what keeps it. */
  readonly holdsOwn: boolean
}

const nameOf = (kind: string, id: unknown) => `${kind} ${id}`

/** Each before those that it names, as they can be deleted. */
export function deletionOrder(left: readonly Installed[], model: Model): readonly Installed[] {
  const order = new Map(model.all.map(({ name }, index) => [name, index]))
  const place = ({ kind }: Installed) => order.get(kind.name) ?? 0
  const byName = new Map(left.map((object) => [nameOf(object.kind.name, object.id), object]))
  const done = new Set<Installed>()
  const visit = (object: Installed, open: ReadonlySet<Installed>): void => {
    if (done.has(object) || open.has(object)) return
    for (const named of siblingsNamedBy(object, byName)) visit(named, new Set([...open, object]))
    done.add(object)
  }
  for (const object of left.toSorted((one, other) => place(one) - place(other))) visit(object, new Set())
  return [...done].toReversed()
}

function siblingsNamedBy({ kind, row }: Installed, byName: ReadonlyMap<string, Installed>): readonly Installed[] {
  const named: Installed[] = []
  mapReferences(kind, row, (id, { to, by }) => {
    const target = to === kind.name && by === undefined ? byName.get(nameOf(to, id)) : undefined
    if (target !== undefined) named.push(target)
    return id
  })
  return named
}

interface Leaving {
  readonly model: Model
  readonly installation: Installation
  /** The changes of this plan, which may move something away, or to it. */
  readonly changes: readonly Making[]
}

/** In the order in which they end. Nothing goes with what is above it unless it is itself deleted. */
export function endingsOf(left: readonly Installed[], leaving: Leaving): readonly Ending[] {
  const children = childrenAfter(leaving)
  const gone = new Set<string>()
  return deletionOrder(left, leaving.model).map((current): Ending => {
    const name = nameOf(current.kind.name, current.id)
    if (current.state[adoptedPath] !== undefined) return { action: 'release', current, below: [], holdsOwn: false }
    const staying = (children.get(name) ?? []).filter(({ kind, id }) => !gone.has(nameOf(kind.name, id)))
    const keeping = staying.filter(({ kind }) => kind.configuration.goesAlong !== true)
    if (keeping.length > 0)
      return { action: 'stay', current, below: belowOf(keeping), holdsOwn: keeping.some(({ isOwn }) => isOwn) }
    gone.add(name)
    return { action: 'delete', current, below: belowOf(staying), holdsOwn: false }
  })
}

function belowOf(children: readonly Child[]): readonly Below[] {
  const kinds = [...new Set(children.map(({ kind }) => kind))]
  return kinds.map((kind) => ({ kind, ids: children.filter((child) => child.kind === kind).map(({ id }) => id) }))
}

/** The numbers of holders, of which a tag is known by its name. Only objects with the mark can go. */
function holderIds({ managed }: Installation) {
  return ({ to, by }: ParentField, value: unknown): number | undefined => {
    if (by === null || typeof value !== 'string') return typeof value === 'number' ? value : undefined
    return managed.find(({ kind, row }) => kind.name === to && fold(String(row[by])) === fold(value))?.id
  }
}

/** By what holds them, as they are once the changes are made. */
function childrenAfter({ installation, changes }: Leaving): ReadonlyMap<string, readonly Child[]> {
  const changed = new Map(
    changes.flatMap((change) => {
      const { current, definition } = change
      return current === null ? [] : [[nameOf(definition.kind.name, current.id), change] as const]
    }),
  )
  const found = new Map<string, Child[]>()
  const idOf = holderIds(installation)
  const add = (holder: ParentField, value: unknown, child: Child) => {
    const id = idOf(holder, value)
    if (id === undefined) return
    const name = nameOf(holder.to, id)
    found.set(name, [...(found.get(name) ?? []), child])
  }
  for (const child of installation.children) {
    const values = changed.get(nameOf(child.kind.name, child.id))?.values ?? {}
    for (const holder of child.kind.holders) {
      const { field } = holder
      add(holder, Object.hasOwn(values, field) ? values[field] : child.row[field], child)
    }
  }
  for (const { current, definition, values } of changes) {
    if (current !== null) continue
    const { kind } = definition
    for (const holder of kind.holders) add(holder, values[holder.field], { kind, id: 0, row: {}, isOwn: true })
  }
  return found
}
