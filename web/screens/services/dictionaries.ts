import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Tag } from '../../api/answers.ts'
import { read } from '../../api/client.ts'
import { useTypes } from '../../parts/terms.ts'

/** The names that rows and filters need for their ids. */

/** Names by ids. */
export function useTypeNames(): ReadonlyMap<string, string> {
  const types = useTypes()
  return useMemo(() => new Map(types.map(({ id, name }) => [id, name])), [types])
}

export function useTags(): readonly Pick<Tag, 'id' | 'name' | 'color'>[] {
  const { data = [] } = useQuery({
    queryKey: ['tags', 'names'],
    queryFn: async ({ signal }) => {
      const tags = await read('/tags?fields=id,name,color&limit=1000', signal)
      return tags.toSorted((one, other) => one.name.localeCompare(other.name))
    },
    staleTime: 60_000,
  })
  return data
}
