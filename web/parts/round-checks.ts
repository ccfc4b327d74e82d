import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Check, Sensor } from '../api/answers.ts'
import { read } from '../api/client.ts'

export type ShownCheck = Check & { readonly sensor: Sensor | null }

/** The checks of a round, with what their errors mean. */
export function roundChecks(serviceId: number, analysisId: string | undefined) {
  return queryOptions({
    queryKey: ['checks', serviceId, analysisId],
    enabled: analysisId !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) =>
      read(`/services/${serviceId}/history/analyses/${analysisId}/checks?embed=sensor,error_type&limit=1000`, signal),
  })
}

export function useChecks(serviceId: number, analysisId: string | undefined) {
  return useQuery(roundChecks(serviceId, analysisId))
}

/** Whether it is a check of a domain, which the installation made by itself. */
export function isOfRegistry({ sensor_id, error_type }: ShownCheck): boolean {
  return sensor_id === null && error_type?.category_id === 'domain'
}

/** Whether stations made the checks. That of a heartbeat is the judgement of its own reports. */
export function areOfStations(checks: readonly ShownCheck[]): boolean {
  return checks.some(({ sensor_id }) => sensor_id !== null)
}
