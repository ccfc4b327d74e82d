import { useQueries } from '@tanstack/react-query'
import type { Query } from '../../api/address.ts'
import { readPage } from '../../api/client.ts'
import { useFormat } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { type Used, usesWords } from './words.ts'

interface UsesProps {
  /** The lists of what uses the object, as the API is asked: `/services?group_id=7`. */
  readonly lists: Readonly<Partial<Record<Used, Query>>>
}

/** How many services, groups and tags use an object, before somebody deletes it. */
export function UsedBy({ lists }: UsesProps) {
  const words = useWords(usesWords)
  const format = useFormat()
  const asked = Object.entries(lists) as [Used, Query][]
  const answers = useQueries({
    queries: asked.map(([, path]) => ({
      queryKey: ['uses', path],
      staleTime: 0,
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
        (await readPage(`${path}&fields=id&limit=1`, signal)).total,
    })),
  })
  // Uses that cannot be counted are not said to be none.
  if (answers.some(({ isError }) => isError)) return null
  const counts = answers.map(({ data }) => data)
  const parts = asked.flatMap(([used], index) => {
    const count = counts[index] ?? 0
    return count === 0 ? [] : [words.kinds[used](format.number(count), count)]
  })
  return (
    <p role="status">
      {counts.includes(undefined) ? words.counting : parts.length === 0 ? words.unused : <b>{words.usedBy(parts)}</b>}
    </p>
  )
}
