import { useQuery } from '@tanstack/react-query'
import type { DictionaryName } from '../api/address.ts'
import type { ServiceType, Term } from '../api/answers.ts'
import { read, readPage } from '../api/client.ts'

/** The elements of a dictionary, by name; empty until it is read. */
export function useTerms(dictionary: DictionaryName): readonly Term[] {
  const path = `/dictionaries/${dictionary}?limit=1000&sort=name` as const
  return (
    useQuery({
      queryKey: ['dictionary', path],
      queryFn: async ({ signal }) => (await readPage(path, signal)).rows,
      staleTime: Number.POSITIVE_INFINITY,
    }).data ?? []
  )
}

/** The name of an element by its id; the id itself until the dictionary is read. */
export function useNames(dictionary: DictionaryName): (id: string) => string {
  const terms = useTerms(dictionary)
  return (id) => terms.find((term) => String(term.id) === id)?.name ?? id
}

type NamedType = Pick<ServiceType, 'id' | 'name' | 'family_id' | 'family_name'>

const noTypes: readonly NamedType[] = []

/** The service types in the order in which they are offered. */
export function useTypes(): readonly NamedType[] {
  const { data = noTypes } = useQuery({
    queryKey: ['service_types', 'names'],
    queryFn: ({ signal }) =>
      read('/service_types?fields=id,name,family_id,family_name&sort=position&limit=1000', signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data
}

/** The name of a service type by its id; the id itself until the types are read. */
export function useTypeNames(): (id: string) => string {
  const types = useTypes()
  return (id) => types.find((type) => type.id === id)?.name ?? id
}
