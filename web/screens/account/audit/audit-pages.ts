import type { Page } from '../../../api/client.ts'
import type { Change } from './change.ts'

const second = 1000

/**
 * All records, the newest first, page by page. Each page begins at the second in which the one before ended: records
 * that are added meanwhile move nothing, and no page skips more rows than one second has.
 */
export async function* pagesOf(
  read: (query: URLSearchParams) => Promise<Page<Change>>,
  filters: URLSearchParams,
  size: number,
): AsyncGenerator<readonly Change[]> {
  const known = new Set<number>()
  let [end, offset] = [filters.get('to'), 0]
  for (;;) {
    const query = new URLSearchParams(filters)
    query.set('sort', '-time,-id')
    query.set('limit', String(size))
    if (end !== null) query.set('to', end)
    if (offset > 0) query.set('offset', String(offset))
    const { rows } = await read(query)
    const fresh = rows.filter(({ id }) => !known.has(id))
    if (fresh.length > 0) yield fresh
    const last = rows.at(-1)
    if (last === undefined || rows.length < size) return
    const begins = Math.floor(Date.parse(last.time) / second) * second
    const isOfLast = ({ time }: Change) => Date.parse(time) >= begins && Date.parse(time) < begins + second
    const isSame = end !== null && Date.parse(end) <= begins + second
    const here = rows.filter(isOfLast).length
    offset = isSame ? offset + rows.length : here
    if (!isSame) known.clear()
    for (const row of rows) if (isOfLast(row)) known.add(row.id)
    if (!isSame) end = new Date(begins + second).toISOString()
  }
}
