import type { Query } from '../../api/address.ts'
import type { Correction, StatusChange } from '../../api/answers.ts'
import { readPage } from '../../api/client.ts'
import { iso } from '../../format/zone.ts'

const rowsOfPage = 1000

/** The facts of a service level. */
export interface HistoryFacts {
  readonly changes: readonly StatusChange[]
  readonly corrections: readonly Correction[]
}

/** Every row of a list; `path` already has parameters. */
async function readAll<Row>(path: Query, signal?: AbortSignal): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (;;) {
    const page = await readPage<Row>(`${path}&limit=${rowsOfPage}&offset=${rows.length}`, signal)
    rows.push(...page.rows)
    if (page.rows.length < rowsOfPage) return rows
  }
}

/** Corrections that touch a range. Unix milliseconds. */
export function readCorrections(serviceId: number, from: number, to: number, signal?: AbortSignal) {
  const range = `from=${iso(from)}&to=${iso(to)}`
  return readAll<Correction>(`/corrections?service_id=${serviceId}&${range}&sort=id&embed=permissions`, signal)
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
    readAll<StatusChange>(`/services/${serviceId}/history/status_changes?${range}&sort=start_time`, signal),
    readCorrections(serviceId, from, to, signal),
  ])
  return { changes, corrections }
}
