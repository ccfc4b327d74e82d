import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { Group, Service } from '../../api/answers.ts'
import { read, readPage } from '../../api/client.ts'
import { iso } from '../../format/zone.ts'
import { readCorrections } from '../../parts/correct/history-facts.ts'
import type { ServiceLevel } from '../../parts/correct/intervals.ts'
import type { Range } from '../../parts/correct/use-preview.ts'

const changesOfPage = 100
/** Columns of the chart at most. */
const steps = 120

export type ShownService = Pick<Service, 'id' | 'name' | 'created_at'> & {
  readonly group: Pick<Group, 'id' | 'name'> | null
  readonly permissions: Readonly<Record<string, boolean>>
}

export function useService(id: number) {
  const fields = 'fields=id,name,created_at&embed=group.id,group.name,permissions'
  return useQuery({
    queryKey: ['services', 'level', id],
    queryFn: ({ signal }) => read(`/services/${id}?${fields}`, signal),
  })
}

export function useLevel(id: number, { from, to }: Range) {
  return useQuery({
    queryKey: ['service_level', id, from, to],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => read(`/services/${id}/history/service_level?from=${iso(from)}&to=${iso(to)}`, signal),
  })
}

/** Seconds in each state of a part of the range. */
export interface Step extends ServiceLevel {
  readonly start_time: string
  readonly end_time: string
}

export function useSteps(id: number, { from, to }: Range) {
  return useQuery({
    queryKey: ['availability', id, from, to],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      read(`/services/${id}/charts/availability?from=${iso(from)}&to=${iso(to)}&limit=${steps}`, signal),
  })
}

/** The history of the range, newest first, page by page. */
export function useChanges(id: number, { from, to }: Range) {
  return useInfiniteQuery({
    queryKey: ['level_changes', id, from, to],
    placeholderData: keepPreviousData,
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      readPage(
        `/services/${id}/history/status_changes?from=${iso(from)}&to=${iso(to)}&sort=-start_time&limit=${changesOfPage}&offset=${pageParam}`,
        signal,
      ),
    getNextPageParam: ({ total }, pages) =>
      pages.length * changesOfPage < total ? pages.length * changesOfPage : undefined,
  })
}

export function useCorrections(id: number, { from, to }: Range) {
  return useQuery({
    queryKey: ['corrections', id, from, to],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => readCorrections(id, from, to, signal),
  })
}

/** Names of accounts; those that the reader may not see are left out. */
export function useNames(ids: readonly number[]) {
  const asked = [...new Set(ids)].toSorted((one, other) => one - other)
  const { data } = useQuery({
    queryKey: ['accounts', 'names', asked],
    enabled: asked.length > 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const path = `/accounts?${asked.map((id) => `id=${id}`).join('&')}&fields=id,name,username&limit=1000` as const
      const accounts = await read(path, signal)
      return new Map(accounts.map(({ id, name, username }) => [id, name || username]))
    },
  })
  return data ?? new Map<number, string>()
}
