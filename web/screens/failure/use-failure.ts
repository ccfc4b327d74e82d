import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Analysis, Check, RowAt } from '../../api/answers.ts'
import { read, readPage } from '../../api/client.ts'
import { usePace } from '../../live/live.ts'
import { newestFirst, type Told } from '../../parts/addresses/told.ts'

const everyMs = 10_000
/** Columns of the matrix. */
export const roundsOfPage = 30
/** A round is kept with the moment of its verdict; its checks began up to this much earlier. */
const longestRoundMs = 300_000
/** Rounds before the first failed one, so that it is seen how it began. */
const roundsBefore = 3

const embedded = 'embed=permissions,last_good_screenshot,acknowledged_by.name,acknowledged_by.username'
export type ShownChange = RowAt<`/services/${number}/history/status_changes?${typeof embedded}`>

/** The failure itself, or of a round the failure that it lies in; null: it lies in none. */
export function useChange(serviceId: number, changeId: string | undefined, analysis: Analysis | undefined) {
  const at = analysis?.time
  return useQuery({
    queryKey: ['status_change', serviceId, changeId ?? at],
    enabled: changeId !== undefined || at !== undefined,
    refetchInterval: usePace(everyMs),
    queryFn: async ({ signal }): Promise<ShownChange | null> => {
      const path = `/services/${serviceId}/history/status_changes` as const
      if (changeId !== undefined) return read(`${path}/${changeId}?${embedded}`, signal)
      const from = new Date(at ?? '')
      const range = `from=${from.toISOString()}&to=${new Date(from.getTime() + 1000).toISOString()}`
      const [found] = await read(`${path}?${range}&status=failure&${embedded}`, signal)
      return found ?? null
    },
  })
}

export function useAnalysis(serviceId: number, analysisId: string | undefined) {
  return useQuery({
    queryKey: ['analysis', serviceId, analysisId],
    enabled: analysisId !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => read(`/services/${serviceId}/history/analyses/${analysisId}`, signal),
  })
}

/** Rounds around a failure, page by page. `from`, `to`: RFC 3339, `to` null while it goes on. */
export function useRounds(
  serviceId: number,
  range: { readonly from: string; readonly to: string | null; readonly interval: number } | null,
  page: number,
) {
  return useQuery({
    queryKey: ['rounds', serviceId, range, page],
    enabled: range !== null,
    placeholderData: keepPreviousData,
    refetchInterval: range?.to === null ? everyMs : false,
    queryFn: async ({ signal }) => {
      const margin = roundsBefore * (range?.interval ?? 60) * 1000
      const from = new Date(Date.parse(range?.from ?? '') - margin).toISOString()
      const to = range?.to == null ? '' : `&to=${new Date(Date.parse(range.to) + margin).toISOString()}`
      const paging = `sort=time&limit=${roundsOfPage}&offset=${page * roundsOfPage}`
      const analyses = await readPage(`/services/${serviceId}/history/analyses?from=${from}${to}&${paging}`, signal)
      const [first, last] = [analyses.rows[0], analyses.rows.at(-1)]
      if (first === undefined || last === undefined) return { analyses, checks: [] }
      const start = new Date(Date.parse(first.time) - longestRoundMs).toISOString()
      const end = new Date(Date.parse(last.time) + 1000).toISOString()
      const shown = new Set(analyses.rows.map(({ analysis_id: id }) => id))
      // The newest come first, so that checks of earlier rounds cannot push those that are shown out of the page.
      const checks = await read(
        `/services/${serviceId}/history/checks?from=${start}&to=${end}&sort=-time&limit=1000&embed=sensor`,
        signal,
      )
      return { analyses, checks: checks.filter(({ analysis_id: id }) => shown.has(id)) }
    },
  })
}

/** The stored evidence of one station's check. */
export function useEvidence(check: Pick<Check, 'service_id' | 'analysis_id' | 'sensor_id'>) {
  const path = checkPath(check)
  return useQuery({
    queryKey: ['evidence', path],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const [details, artifacts] = await Promise.all([
        read(`${path}/details`, signal),
        read(`${path}/artifacts`, signal),
      ])
      return { details, artifacts }
    },
  })
}

export function checkPath({
  service_id,
  analysis_id,
  sensor_id,
}: Pick<Check, 'service_id' | 'analysis_id' | 'sensor_id'>) {
  return `/services/${service_id}/history/analyses/${analysis_id}/checks/${sensor_id ?? 0}` as const
}

/** The notifications of a failure and their deliveries: those of groups, of contacts and of escalations. */
export function useNotices(ownerId: number | undefined, serviceId: number, change: ShownChange | null | undefined) {
  return useQuery({
    queryKey: ['notices', ownerId, change?.change_id],
    enabled: ownerId !== undefined && change != null,
    refetchInterval: usePace(everyMs),
    queryFn: async ({ signal }): Promise<readonly Told[]> => {
      // The end of a failure is notified a moment after it.
      const end = change?.end_time == null ? '' : `&to=${new Date(Date.parse(change.end_time) + 60_000).toISOString()}`
      const logs = `/accounts/${ownerId ?? 0}/logs` as const
      const rows = `service_id=${serviceId}&from=${change?.start_time}${end}&sort=time&limit=200` as const
      const [groups, contacts] = await Promise.all([
        read(`${logs}/notifications?${rows}`, signal),
        read(`${logs}/contact_notifications?${rows}&embed=contact`, signal),
      ])
      return newestFirst(groups, contacts).toReversed()
    },
  })
}
