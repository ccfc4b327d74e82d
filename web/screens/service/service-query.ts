import { useQuery } from '@tanstack/react-query'
import type { Group, Service, ServiceStatus } from '../../api/answers.ts'
import { read } from '../../api/client.ts'

const everyMs = 5000

export type ShownService = Service & {
  readonly status: ServiceStatus | null
  readonly group: Pick<Group, 'id' | 'name'> | null
  readonly permissions: Readonly<Record<string, boolean>>
}

/** A service with its status and what the reader may do with it, read again every few seconds. */
export function useService(id: number) {
  return useQuery({
    queryKey: ['services', 'one', id],
    queryFn: ({ signal }) => read<ShownService>(`/services/${id}?embed=status,group.id,group.name,permissions`, signal),
    refetchInterval: everyMs,
  })
}
