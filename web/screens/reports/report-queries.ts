import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { Report, RowAt } from '../../api/answers.ts'
import { read, readPage, send } from '../../api/client.ts'
import { saveFile } from '../../parts/save-file.ts'

const rowsOfPage = 30
const workingMs = 1000
const idleMs = 30_000

const embedded = 'embed=permissions,template.id,template.name'
export type ShownPlan = RowAt<'/report_templates?embed=permissions'>
export type ShownReport = RowAt<`/reports?${typeof embedded}`>

function nextOf(total: number, pages: number): number | undefined {
  return pages * rowsOfPage < total ? pages * rowsOfPage : undefined
}

export function isWorking({ status }: Pick<Report, 'status'>): boolean {
  return status === 'pending' || status === 'in_progress'
}

export function usePlans() {
  return useInfiniteQuery({
    queryKey: ['report_templates'],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      readPage(`/report_templates?embed=permissions&sort=name&limit=${rowsOfPage}&offset=${pageParam}`, signal),
    getNextPageParam: ({ total }, pages) => nextOf(total, pages.length),
  })
}

/** Newest first; while one is being made they are read again each second. */
export function useReports(planId: string | null) {
  const filter = planId === null ? '' : `&template_id=${encodeURIComponent(planId)}`
  return useInfiniteQuery({
    queryKey: ['reports', planId],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      readPage(`/reports?${embedded}&sort=-id&limit=${rowsOfPage}&offset=${pageParam}${filter}`, signal),
    getNextPageParam: ({ total }, pages) => nextOf(total, pages.length),
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ rows }) => rows.some(isWorking)) === true ? workingMs : idleMs,
  })
}

export function useReport(id: number) {
  return useQuery({
    queryKey: ['reports', 'one', id],
    queryFn: ({ signal }) => read(`/reports/${id}?${embedded}`, signal),
    refetchInterval: ({ state }) => (state.data !== undefined && isWorking(state.data) ? workingMs : false),
  })
}

export function useDocument(id: number, isThere: boolean) {
  return useQuery({
    queryKey: ['reports', 'json', id],
    enabled: isThere,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => read(`/reports/${id}/json`, signal),
  })
}

/** When the first service was added, in Unix milliseconds: before it there is nothing to report. Null: none. */
export function useFirstService() {
  return useQuery({
    queryKey: ['services', 'first'],
    queryFn: async ({ signal }) => {
      const [first] = await read('/services?sort=created_at&limit=1&fields=created_at', signal)
      return first === undefined ? null : Date.parse(first.created_at)
    },
  })
}

/** Whether the reader may make plans. */
export function useMayPlan() {
  return useQuery({
    queryKey: ['accounts', 'permissions'],
    queryFn: async ({ signal }) =>
      (await read('/accounts/my_account/permissions', signal))['create_report_templates'] === true,
  })
}

export function useTerms(name: 'report_sections' | 'reporting_plans') {
  return useQuery({
    queryKey: ['dictionaries', name],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => read(`/dictionaries/${name}?limit=1000`, signal),
  })
}

/** Names of services that a plan selects one by one. */
export function useServiceNames(ids: readonly number[]) {
  return useQuery({
    queryKey: ['services', 'names', ids],
    enabled: ids.length > 0,
    queryFn: async ({ signal }) => {
      const names = new Map<number, string>()
      for (let at = 0; at < ids.length; at += 200) {
        const part = ids.slice(at, at + 200).map((id) => `id=${id}`)
        const path = `/services?${part.join('&')}&fields=id,name&limit=200` as const
        for (const { id, name } of await read(path, signal)) names.set(id, name)
      }
      return names
    },
  })
}

/** Saves the document of a report as a file. */
export async function savePdf({ id, name }: Pick<Report, 'id' | 'name'>): Promise<void> {
  saveFile(await (await send(`/reports/${id}/pdf`)).blob(), `${name}.pdf`)
}
