import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { ServiceType, Tag } from '../../api/answers.ts'
import { read } from '../../api/client.ts'

/** The names that rows and filters need for their ids. */

/** Names by ids, in the order of the names. */
export function useTypeNames(): ReadonlyMap<string, string> {
  const { data } = useQuery({
    queryKey: ['service_types', 'names'],
    queryFn: ({ signal }) =>
      read<Pick<ServiceType, 'id' | 'name'>[]>('/service_types?fields=id,name&sort=name&limit=1000', signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return useMemo(() => new Map((data ?? []).map(({ id, name }) => [id, name])), [data])
}

export function useTags(): readonly Pick<Tag, 'id' | 'name' | 'color'>[] {
  const { data = [] } = useQuery({
    queryKey: ['tags', 'names'],
    queryFn: async ({ signal }) => {
      const tags = await read<Pick<Tag, 'id' | 'name' | 'color'>[]>('/tags?fields=id,name,color&limit=1000', signal)
      return tags.toSorted((one, other) => one.name.localeCompare(other.name))
    },
    staleTime: 60_000,
  })
  return data
}
