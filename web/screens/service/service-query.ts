import { useQuery } from '@tanstack/react-query'
import type { AnswerAt } from '../../api/answers.ts'
import { read } from '../../api/client.ts'

const everyMs = 5000

const embedded = 'embed=status,group.id,group.name,permissions'
export type ShownService = AnswerAt<'GET', `/services/${number}?${typeof embedded}`>

/** A service with its status and what the reader may do with it, read again every few seconds. */
export function useService(id: number) {
  return useQuery({
    queryKey: ['services', 'one', id],
    queryFn: ({ signal }) => read(`/services/${id}?${embedded}`, signal),
    refetchInterval: everyMs,
  })
}
