import { useQuery } from '@tanstack/react-query'
import type { ServiceStatus } from '../../api/answers.ts'
import { read, readPage } from '../../api/client.ts'
import { usePace } from '../../live/live.ts'

const everyMs = 15_000
const idsAsked = 100
const mostOfLevel = 200
const levels = 10

/** A service of a tree of dependencies. */
export interface Relative {
  readonly id: number
  readonly name: string
  readonly parent_ids: readonly number[]
  readonly status: Pick<ServiceStatus, 'summary' | 'is_degraded'> | null
}

const shown = 'fields=id,name,parent_ids&embed=status.summary,status.is_degraded'

/** Services by their numbers, as far as the reader sees them. */
export function useRelatives(ids: readonly number[]) {
  return useQuery({
    queryKey: ['services', 'relatives', ...ids],
    queryFn: ({ signal }) =>
      read(`/services?${ids.map((id) => `id=${id}`).join('&')}&${shown}&limit=${idsAsked}`, signal),
    enabled: ids.length > 0,
    refetchInterval: usePace(everyMs),
  })
}

export interface Dependents {
  readonly services: readonly Relative[]
  /** True if there are more than were read. */
  readonly isCut: boolean
}

/** Everything that depends on a service, nearest first: one request for each level. */
async function readDependents(id: number, signal: AbortSignal): Promise<Dependents> {
  const found = new Map<number, Relative>()
  let wanted = [id]
  let isCut = false
  for (let level = 0; level < levels && wanted.length > 0; level++) {
    const parents = wanted.slice(0, idsAsked).map((parent) => `parent_ids=${parent}`)
    const path = `/services?${parents.join('&')}&${shown}&sort=name&limit=${mostOfLevel}` as const
    const { rows, total } = await readPage(path, signal)
    isCut ||= total > rows.length || wanted.length > idsAsked
    const fresh = rows.filter((row) => !found.has(row.id))
    for (const row of fresh) found.set(row.id, row)
    wanted = fresh.map((row) => row.id)
  }
  return { services: [...found.values()], isCut }
}

export function useDependents(id: number) {
  return useQuery({
    queryKey: ['services', 'dependents', id],
    queryFn: ({ signal }) => readDependents(id, signal),
    refetchInterval: usePace(everyMs),
  })
}

/** The name of a service; undefined while it is read, null if the reader may not see it. */
export function useServiceName(id: number): string | null | undefined {
  const { data, error } = useQuery({
    queryKey: ['services', 'name', id],
    queryFn: ({ signal }) => read(`/services?id=${id}&fields=id,name`, signal),
    staleTime: 60_000,
  })
  if (data === undefined) return error === null ? undefined : null
  return data[0]?.name ?? null
}
