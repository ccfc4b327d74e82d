import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { ServiceType, Tag } from '../../api/answers.ts'
import { read } from '../../api/client.ts'

/** The names that rows and filters need for their ids. */

type NamedType = Pick<ServiceType, 'id' | 'name' | 'family_id' | 'family_name'>

/** In the order in which they are offered. */
export function useTypes(): readonly NamedType[] {
  const { data = noTypes } = useQuery({
    queryKey: ['service_types', 'names'],
    queryFn: ({ signal }) =>
      read('/service_types?fields=id,name,family_id,family_name&sort=position&limit=1000', signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data
}

const noTypes: readonly NamedType[] = []

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
