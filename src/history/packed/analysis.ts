/** One row of `analyses_hot`; `AnalysisRow` explains the arrays. */
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
  /** JSON in the database's own form. */
  readonly failures: string | null
  readonly stepSetId: number | null
  readonly stepTimes: readonly number[] | null
}

/**
 * How much of an analysis to read; each level includes the one before. The levels are the results of its checks, their
 * measures, and everything with phases and steps, which weigh most. Lists of higher levels are empty; failures are
 * always included.
 */
export type Detail = 'results' | 'measures' | 'everything'

type Value = PackedAnalysis[keyof PackedAnalysis]

function isSameValue(a: Value, b: Value): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  if (a.length !== b.length) return false
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false
  return true
}

/**
 * True if both are equal in every member that either has. A general comparison would take as long as packing itself.
 */
export function areSameAnalyses(these: readonly PackedAnalysis[], others: readonly PackedAnalysis[]): boolean {
  if (these.length !== others.length) return false
  const names = new Set([...these.slice(0, 1), ...others.slice(0, 1)].flatMap((one) => Object.keys(one)))
  const keys = [...names] as (keyof PackedAnalysis)[]
  return these.every((one, index) => {
    const other = others[index]
    return other !== undefined && keys.every((key) => isSameValue(one[key], other[key]))
  })
}
