import { meantHint } from '../domain/input/nearest-name.ts'
import type { Definition, Definitions } from './definitions.ts'
import type { FileFault } from './fault.ts'
import type { Installation, Installed } from './installation.ts'
import { mapReferences, type Path } from './model.ts'

/** Names of objects in files, and the numbers that the API has for them. */

/** Faults that say which name was probably meant: a file may have thousands of wrong names, and of right ones. */
const mostHints = 20

/** An object that will be made first. Its number is put in then. */
export interface Pending {
  readonly pending: Definition
}

export interface Named {
  /** With a number for each name, or the object that is still to be made. */
  readonly values: Readonly<Record<string, unknown>>
  readonly needs: readonly Definition[]
}

export function isPending(value: unknown): value is Pending {
  return typeof value === 'object' && value !== null && 'pending' in value
}

/** The key that a name in a definition means: parts name each other within their object. */
function fullKey(definition: Definition, to: string, name: string): string {
  const slash = definition.key.lastIndexOf('/')
  const isSibling = definition.kind.siblings.has(to) && slash > 0 && !name.includes('/')
  return isSibling ? `${definition.key.slice(0, slash)}/${name}` : name
}

function definitionsByKey({ all }: Definitions): ReadonlyMap<string, Definition> {
  return new Map(all.map((definition) => [`${definition.kind.name} ${definition.key}`, definition]))
}

function keysOf({ all }: Definitions, kind: string): readonly string[] {
  return all.filter((definition) => definition.kind.name === kind).map(({ key }) => key)
}

/** `tags żółw` → the definition that gives this name: some references go by names, and keys are only of files. */
function definitionsByName({ all }: Definitions): ReadonlyMap<string, Definition> {
  return new Map(
    all.flatMap((definition) => {
      const name = definition.values['name']
      return typeof name === 'string' ? [[`${definition.kind.name} ${name.toLowerCase()}`, definition] as const] : []
    }),
  )
}

function above(definition: Definition, byKey: ReadonlyMap<string, Definition>): Definition | undefined {
  const { kind, key } = definition
  return kind.within == null ? undefined : byKey.get(`${kind.within.resource} ${key.slice(0, key.lastIndexOf('/'))}`)
}

interface Resolving {
  readonly definitions: Definitions
  readonly installation: Installation
  readonly found: ReadonlyMap<Definition, Installed>
  /** Objects that pruning would take away. */
  readonly isLeaving: (object: Installed) => boolean
  readonly faults: FileFault[]
}

export function resolverOf({
  definitions,
  installation,
  found,
  isLeaving,
  faults,
}: Resolving): (definition: Definition) => Named {
  const byKey = definitionsByKey(definitions)
  const byName = definitionsByName(definitions)
  return (definition) => {
    const { kind } = definition
    const needs: Definition[] = []
    const complain = (path: Path, message: string) =>
      faults.push({ place: definition.positionOf(path), pointer: [definition.pointer, ...path].join('.'), message })
    const numberOf = (to: string, name: string, path: Path): unknown => {
      const key = fullKey(definition, to, name)
      const target = byKey.get(`${to} ${key}`)
      if (target !== undefined) {
        needs.push(target)
        return found.get(target)?.id ?? ({ pending: target } satisfies Pending)
      }
      const installed = installation.find(to, key)
      if (installed === undefined) {
        const meant = faults.length < mostHints ? meantHint(key, keysOf(definitions, to)) : ''
        complain(path, `There is no ${to.replaceAll('_', ' ')} ${name}: no file defines it.${meant}`)
      } else if (isLeaving(installed))
        complain(path, `No file defines ${name}, so pruning would take it away. Is a file missing?`)
      return installed?.id ?? null
    }
    const values = mapReferences(kind, definition.values, (name, { to, by, isOpen }, path) => {
      if (typeof name === 'number') return name
      const written = String(name)
      // A tag that a service names would be made along with the service, and then be there already.
      const named = byKey.get(`${to} ${written}`) ?? byName.get(`${to} ${written.toLowerCase()}`)
      if (by !== undefined) return nameOf(named, by, needs) ?? written
      if (isOpen !== true) return numberOf(to, written, path)
      const id = installation.sensors.idOf(written)
      if (id === undefined) complain(path, `There is no station ${written}, or several have this name.`)
      return id ?? null
    })
    const parent = above(definition, byKey)
    if (parent !== undefined) needs.push(parent)
    const whole =
      kind.within == null || parent === undefined ? values : { ...values, ...placeIn(kind.within.field, parent, found) }
    return { values: whole, needs }
  }
}

function placeIn(field: string, parent: Definition, found: ReadonlyMap<Definition, Installed>) {
  return { [field]: found.get(parent)?.id ?? ({ pending: parent } satisfies Pending) }
}

/** The member by which the API names the object. */
function nameOf(target: Definition | undefined, by: string, needs: Definition[]): unknown {
  if (target === undefined) return undefined
  needs.push(target)
  return target.values[by]
}

/** Definitions that need each other cannot be made in any order. */
export function refuseCircles(definitions: Definitions): readonly FileFault[] {
  const byKey = definitionsByKey(definitions)
  const needs = new Map(definitions.all.map((definition) => [definition, namedBy(definition, byKey)]))
  const state = new Map<Definition, 'open' | 'done'>()
  const faults: FileFault[] = []
  // Without recursion: a file may have a chain of any length.
  const visit = (first: Definition): void => {
    const way = [{ definition: first, next: 0 }]
    state.set(first, 'open')
    for (let here = way.at(-1); here !== undefined; here = way.at(-1)) {
      const { definition } = here
      const next = needs.get(definition)?.[here.next]
      here.next += 1
      if (next === undefined) {
        state.set(definition, 'done')
        way.pop()
      } else if (state.get(next) === 'open') {
        const { pointer } = definition
        faults.push({
          place: definition.positionOf([]),
          pointer,
          message: `It needs ${next.pointer}, which needs it.`,
        })
      } else if (state.get(next) === undefined) {
        state.set(next, 'open')
        way.push({ definition: next, next: 0 })
      }
    }
  }
  for (const definition of definitions.all) if (!state.has(definition)) visit(definition)
  return faults
}

function namedBy(definition: Definition, byKey: ReadonlyMap<string, Definition>): readonly Definition[] {
  const named: Definition[] = []
  mapReferences(definition.kind, definition.values, (name, { to }) => {
    const key = fullKey(definition, to, String(name))
    const target = byKey.get(`${to} ${key}`)
    if (target !== undefined && typeof name === 'string') named.push(target)
    return name
  })
  return named
}
