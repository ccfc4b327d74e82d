import type { Correction, StatusChange } from '../../api/answers.ts'
import { readAll } from '../../api/client.ts'
import { iso } from '../../format/zone.ts'

/** The facts of a service level. */
export interface HistoryFacts {
  readonly changes: readonly StatusChange[]
  readonly corrections: readonly Correction[]
}

/** Corrections that touch a range. Unix milliseconds. */
export function readCorrections(serviceId: number, from: number, to: number, signal?: AbortSignal) {
  const range = `from=${iso(from)}&to=${iso(to)}`
  return readAll(`/corrections?service_id=${serviceId}&${range}&sort=id&embed=permissions`, signal)
}

/** The history and the corrections that touch a range. Unix milliseconds. */
export async function readFacts(
  serviceId: number,
  from: number,
  to: number,
  signal?: AbortSignal,
): Promise<HistoryFacts> {
  const range = `from=${iso(from)}&to=${iso(to)}`
  const [changes, corrections] = await Promise.all([
    readAll(`/services/${serviceId}/history/status_changes?${range}&sort=start_time`, signal),
    readCorrections(serviceId, from, to, signal),
  ])
  return { changes, corrections }
}
