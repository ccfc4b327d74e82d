import { useQuery } from '@tanstack/react-query'
import type { DictionaryName } from '../api/address.ts'
import type { Term } from '../api/answers.ts'
import { readPage } from '../api/client.ts'

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
