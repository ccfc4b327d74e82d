import { setImmediate } from 'node:timers/promises'
import type { Executor } from '../database/connect.ts'
import { analysisIdAt, analysisIdText, analysisTimeOf } from '../domain/judging/analysis-id.ts'
import type { ChartRange } from '../domain/service-level/chart.ts'
import type { AnalysisColumns } from './packed/analysis-columns.ts'
import { allColumnsWithin } from './packed/analysis-range.ts'
import { letters } from './packed/lanes.ts'

export interface SingleCheck {
  readonly analysisId: string
  readonly sensorId: number
  /** When the check began, in Unix milliseconds. */
  readonly at: number
  readonly result: 'ok' | 'error' | 'unknown'
  /** Milliseconds; null if none was measured. */
  readonly responseTime: number | null
}

const resultOf = { o: 'ok', e: 'error', u: 'unknown' } as const

function checksIn(columns: AnalysisColumns, { fromAt, toAt }: ChartRange): SingleCheck[] {
  const [ids, results, times] = [columns.ids(), columns.results(), columns.responseTimes()]
  const offsets = columns.timeOffsets()
  const found: SingleCheck[] = []
  let next = 0
  for (const [place, sensorIds] of columns.sensorLists.entries()) {
    const id = ids[place] ?? 0
    const decidedAt = analysisTimeOf(id)
    for (const sensorId of sensorIds) {
      const check = next++
      if (decidedAt < fromAt || decidedAt >= toAt) continue
      const [letter, time] = [letters[results[check] ?? -1] as keyof typeof resultOf, times[check] ?? -1]
      found.push({
        analysisId: analysisIdText(id),
        sensorId,
        at: decidedAt + (offsets[check] ?? 0),
        result: resultOf[letter],
        responseTime: time < 0 ? null : time,
      })
    }
  }
  return found
}

/** The newest checks of the analyses that were decided in the range, at most `limit`, in the order of their start. */
export async function newestChecks(
  executor: Executor,
  { serviceId, limit, ...range }: ChartRange & { readonly serviceId: number; readonly limit: number },
): Promise<readonly SingleCheck[]> {
  const reach = { serviceIds: [serviceId], fromId: analysisIdAt(range.fromAt), toId: analysisIdAt(range.toAt) }
  let newest: SingleCheck[] = []
  for (const { columns } of await allColumnsWithin(executor, reach)) {
    newest = [...newest, ...checksIn(columns, range)].toSorted((one, other) => one.at - other.at).slice(-limit)
    // Lets other work run between two days.
    await setImmediate()
  }
  return newest
}
