import { setImmediate } from 'node:timers/promises'
import type { Executor } from '../database/connect.ts'
import { analysisIdAt, analysisTimeOf } from '../domain/judging/analysis-id.ts'
import type { ChartRange } from '../domain/service-level/chart.ts'
import type { AnalysisColumns } from './packed/analysis-columns.ts'
import { allColumnsWithin } from './packed/analysis-range.ts'
import { letters, phaseCount } from './packed/lanes.ts'

/** The response times of a step's ok checks, and the sums of their phases. */
export interface PhaseTimes {
  /** Milliseconds, in the order of the checks. */
  readonly responseTimes: number[]
  /** Microseconds of dns, connect, tls, sent, first byte, transfer. */
  readonly sums: Float64Array
  /** How many of the checks reached each phase. */
  readonly counts: Uint32Array
}

export interface PhaseReading extends ChartRange {
  readonly serviceId: number
  /** Null: all of them. */
  readonly sensorId: number | null
  /** Milliseconds. */
  readonly step: number
}

const ok = letters.indexOf('o')

function timesFor(steps: Map<number, PhaseTimes>, number: number): PhaseTimes {
  const known = steps.get(number)
  if (known !== undefined) return known
  const made = { responseTimes: [], sums: new Float64Array(phaseCount), counts: new Uint32Array(phaseCount) }
  steps.set(number, made)
  return made
}

function addPhases({ sums, counts }: PhaseTimes, phases: Float64Array, from: number): void {
  for (let part = 0; part < phaseCount; part++) {
    const time = phases[from + part] ?? -1
    if (time < 0) continue
    sums[part] = (sums[part] ?? 0) + time
    counts[part] = (counts[part] ?? 0) + 1
  }
}

function addAnalyses(steps: Map<number, PhaseTimes>, columns: AnalysisColumns, reading: PhaseReading): void {
  const { fromAt, toAt, step, sensorId } = reading
  const [ids, results] = [columns.ids(), columns.results()]
  const [responseTimes, phases] = [columns.responseTimes(), columns.phases()]
  let next = 0
  for (const [place, sensorIds] of columns.sensorLists.entries()) {
    const at = analysisTimeOf(ids[place] ?? 0)
    const isWithin = at >= fromAt && at < toAt
    for (const sensor of sensorIds) {
      const check = next++
      const time = responseTimes[check] ?? -1
      if (!isWithin || results[check] !== ok || time < 0 || (sensorId !== null && sensor !== sensorId)) continue
      const times = timesFor(steps, Math.floor(at / step))
      times.responseTimes.push(time)
      addPhases(times, phases, check * phaseCount)
    }
  }
}

/** By the number of the step since 1970: the phase times of one service's ok checks. */
export async function phaseTimesOf(
  executor: Executor,
  reading: PhaseReading,
): Promise<ReadonlyMap<number, PhaseTimes>> {
  const steps = new Map<number, PhaseTimes>()
  const { serviceId, fromAt, toAt } = reading
  const reach = { serviceIds: [serviceId], fromId: analysisIdAt(fromAt), toId: analysisIdAt(toAt) }
  const parts = await allColumnsWithin(executor, reach)
  for (const [index, { columns }] of parts.entries()) {
    // Lets other work run between two days.
    if (index > 0) await setImmediate()
    addAnalyses(steps, columns, reading)
  }
  return steps
}
