/** One row of `analyses_hot`; of the arrays see `AnalysisRow`. */
export interface PackedAnalysis {
  readonly analysisId: number
  readonly verdict: string
  readonly errorTolerance: number
  readonly sensorIds: readonly number[]
  readonly results: readonly string[]
  readonly timeOffsets: readonly number[]
  readonly responseTimes: readonly number[]
  readonly dataSizes: readonly number[]
  readonly phases: readonly number[]
  /** JSON as the database writes it. */
  readonly failures: string | null
  readonly stepSetId: number | null
  readonly stepTimes: readonly number[] | null
}

/**
 * How much of an analysis is wanted, each with what stands before it: the results of its checks, their measures, everything with
 * phases and steps, which weigh most. Lists that are not wanted are empty; failures are always there.
 */
export type Detail = 'results' | 'measures' | 'everything'

type Value = PackedAnalysis[keyof PackedAnalysis]

function isSameValue(a: Value, b: Value): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  if (a.length !== b.length) return false
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false
  return true
}

/** Whether both are the same in everything that either has. A general comparison takes as long as packing itself. */
export function areSameAnalyses(these: readonly PackedAnalysis[], others: readonly PackedAnalysis[]): boolean {
  if (these.length !== others.length) return false
  const names = new Set([...these.slice(0, 1), ...others.slice(0, 1)].flatMap((one) => Object.keys(one)))
  const keys = [...names] as (keyof PackedAnalysis)[]
  return these.every((one, index) => {
    const other = others[index]
    return other !== undefined && keys.every((key) => isSameValue(one[key], other[key]))
  })
}
