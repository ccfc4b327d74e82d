import { useMemo } from 'react'
import { useSearchParams } from 'wouter'
import type { RowAt } from '../../api/answers.ts'

/** Failures first, then what is degraded, then by name. */
const usualSort = 'status.summary,-status.is_degraded,name'
/** Parameters of the console itself; the rest of the address belongs to the reader. */
const reserved = new Set(['fields', 'embed', 'limit', 'offset'])
const fields =
  'id,name,address,type_id,group_id,interval,is_active,is_archived,owner_id,tags,query_name,port,expires_at,managed_by,managed_key'

export const rowsOfPage = 100

/**
 * The list in the address bar, in the grammar of the API's lists. Every filter, search and order of `GET /services` may
 * be there, so each view is a link.
 */
export interface ListAddress {
  /** The conditions and the search, without the order. */
  readonly conditions: URLSearchParams
  readonly sort: string
  readonly isFiltered: boolean
  /** Replaces a parameter; none takes it away. */
  readonly set: (name: string, ...values: readonly string[]) => void
  readonly setAll: (values: Readonly<Record<string, readonly string[]>>) => void
  readonly reset: () => void
}

export function useListAddress(): ListAddress {
  const [search, setSearch] = useSearchParams()
  const text = search.toString()
  return useMemo(() => {
    const asked = new URLSearchParams(text)
    const sort = asked.get('sort') ?? usualSort
    const conditions = new URLSearchParams([...asked].filter(([name]) => name !== 'sort' && !reserved.has(name)))
    return {
      conditions,
      sort,
      isFiltered: conditions.size > 0,
      // Typing does not fill the history.
      set: (name, ...values) =>
        setSearch((before) => replaced(before, { [name]: values }), { replace: name === 'query' }),
      setAll: (values) => setSearch((before) => replaced(before, values)),
      reset: () => setSearch(new URLSearchParams()),
    }
  }, [text, setSearch])
}

function replaced(before: URLSearchParams, all: Readonly<Record<string, readonly string[]>>): URLSearchParams {
  const after = new URLSearchParams(before)
  for (const [name, values] of Object.entries(all)) {
    after.delete(name)
    for (const value of values) after.append(name, value)
  }
  return after
}

/** Conditions as the API gets them: what is archived shows only when asked for. */
export function conditionsAsked(conditions: URLSearchParams): URLSearchParams {
  const asked = new URLSearchParams(conditions)
  if (!asked.has('is_archived')) asked.set('is_archived', 'false')
  return asked
}

export function pagePath(
  { conditions, sort }: Pick<ListAddress, 'conditions' | 'sort'>,
  page: number,
  rows = rowsOfPage,
) {
  const asked = conditionsAsked(conditions)
  asked.set('sort', sort)
  asked.set('limit', String(rows))
  asked.set('offset', String(page * rowsOfPage))
  return `/services?${asked}&fields=${fields}&embed=status,group.id,group.name` as const
}

/** A service as the list reads it. */
export type ListedService = RowAt<ReturnType<typeof pagePath>>
