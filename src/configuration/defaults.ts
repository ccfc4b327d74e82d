import type { Definition } from './definitions.ts'
import type { Making } from './making.ts'
import { isPending } from './references.ts'

/** A number, or the definition of an object that is still to be made. */
export function placeOf(name: unknown): unknown {
  return isPending(name) ? name.pending : name
}

/**
 * The objects that decide a default of a new one. It waits for them, so that it gets what they offer, and is made even
 * if they are refused.
 */
export function defaultsAmong(making: readonly Making[]): (change: Making) => readonly Definition[] {
  const deciding = new Set(making.flatMap(({ definition }) => definition.kind.configuration.defaultFrom?.kind ?? []))
  const decisive = making.filter(({ definition }) => deciding.has(definition.kind.name))
  return ({ definition, current, values }) => {
    const { defaultFrom } = definition.kind.configuration
    if (defaultFrom === undefined || current !== null || values[defaultFrom.member] !== undefined) return []
    const { kind, by } = defaultFrom
    const own = placeOf(values[by])
    return decisive.flatMap((other) => {
      if (other.definition.kind.name !== kind) return []
      const place = placeOf(other.values[by])
      // One that is left out is a default too, whose number only the API knows.
      return place === own || place === undefined || own === undefined ? [other.definition] : []
    })
  }
}
