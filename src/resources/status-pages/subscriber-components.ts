import type { TableRow } from './subscriber-table.ts'

/** The components of a page, found by their ids and names. */
export interface KnownComponents {
  readonly ids: ReadonlySet<number>
  /** Names in small letters, with the ids of all that have them. */
  readonly byName: ReadonlyMap<string, readonly number[]>
}

type Chosen =
  | { readonly ids: readonly number[] }
  | {
      readonly field: 'component_ids' | 'components'
      readonly detail: 'component_of_page' | 'component_named_twice'
    }

const nameKey = (name: string) => name.trim().toLowerCase()

export function knownComponents(
  components: readonly { readonly id: number; readonly name: string }[],
): KnownComponents {
  const byName = new Map<string, number[]>()
  for (const { id, name } of components) byName.set(nameKey(name), [...(byName.get(nameKey(name)) ?? []), id])
  return { ids: new Set(components.map(({ id }) => id)), byName }
}

/** The components that a row of a table names, by ids if it has any; none: all. */
export function chosenComponents(
  { componentIds, components }: Pick<TableRow, 'componentIds' | 'components'>,
  known: KnownComponents,
): Chosen {
  const ids = componentIds.split(/[\s,;|]+/).filter((id) => id !== '')
  if (ids.length > 0) {
    const chosen = [...new Set(ids.map(Number))]
    const isKnown = chosen.every((id) => known.ids.has(id))
    return isKnown ? { ids: chosen } : { field: 'component_ids', detail: 'component_of_page' }
  }
  const names = components.split(';').map(nameKey)
  const found = names.filter((name) => name !== '').map((name) => known.byName.get(name) ?? [])
  if (found.some((same) => same.length === 0)) return { field: 'components', detail: 'component_of_page' }
  if (found.some((same) => same.length > 1)) return { field: 'components', detail: 'component_named_twice' }
  return { ids: [...new Set(found.flat())] }
}
