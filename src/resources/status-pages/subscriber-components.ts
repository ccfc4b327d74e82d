import type { TableRow } from './subscriber-table.ts'

export interface NamedComponent {
  readonly id: number
  readonly name: string
}

type Chosen =
  | { readonly ids: readonly number[] }
  | {
      readonly field: 'component_ids' | 'components'
      readonly detail: 'component_of_page' | 'component_named_twice'
    }

/** The components that a row of a table names, by ids if it has any; none: all. */
export function chosenComponents(
  { componentIds, components }: Pick<TableRow, 'componentIds' | 'components'>,
  known: readonly NamedComponent[],
): Chosen {
  const ids = componentIds.split(/[\s,;|]+/).filter((id) => id !== '')
  if (ids.length > 0) return byIds(ids, known)
  const names = components
    .split(';')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '')
  const found = names.map((name) => known.filter((one) => one.name.trim().toLowerCase() === name))
  if (found.some((same) => same.length === 0)) return { field: 'components', detail: 'component_of_page' }
  if (found.some((same) => same.length > 1)) return { field: 'components', detail: 'component_named_twice' }
  return { ids: [...new Set(found.flat().map(({ id }) => id))] }
}

function byIds(ids: readonly string[], known: readonly NamedComponent[]): Chosen {
  const chosen = new Set(ids.map(Number))
  const own = known.filter(({ id }) => chosen.has(id)).map(({ id }) => id)
  return own.length === chosen.size ? { ids: own } : { field: 'component_ids', detail: 'component_of_page' }
}
