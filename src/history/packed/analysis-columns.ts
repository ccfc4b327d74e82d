import type { Detail, PackedAnalysis } from './analysis.ts'
import { letters, numberOf, phaseCount } from './lanes.ts'
import { once } from './once.ts'

export type Steps = Pick<PackedAnalysis, 'stepSetId' | 'stepTimes'>

/** The checks of one analysis after the other, each in the order of its sensors. `AnalysisRow` explains the numbers. */
export interface CheckColumns {
  /** One list per analysis. */
  readonly sensorLists: readonly (readonly number[])[]
  /** Numbers of `letters`. */
  readonly results: () => Float64Array
  readonly timeOffsets: () => Float64Array
  readonly responseTimes: () => Float64Array
  readonly dataSizes: () => Float64Array
  /** Six per check. */
  readonly phases: () => Float64Array
}

/** Analyses of one service as columns; each is built when it is first needed. */
export interface AnalysisColumns extends CheckColumns {
  readonly count: number
  readonly ids: () => Float64Array
  readonly verdicts: () => readonly string[]
  readonly errorTolerances: () => Float64Array
  readonly failures: () => readonly (string | null)[]
  readonly steps: () => readonly Steps[]
}

export function columnsOfAnalyses(analyses: readonly PackedAnalysis[]): AnalysisColumns {
  const numbers = (pick: (analysis: PackedAnalysis) => readonly number[]) =>
    once(() => Float64Array.from(analyses.flatMap(pick)))
  return {
    count: analyses.length,
    ids: numbers(({ analysisId }) => [analysisId]),
    verdicts: once(() => analyses.map(({ verdict }) => verdict)),
    errorTolerances: numbers(({ errorTolerance }) => [errorTolerance]),
    failures: once(() => analyses.map(({ failures }) => failures)),
    steps: () => analyses,
    sensorLists: analyses.map(({ sensorIds }) => sensorIds),
    results: numbers(({ results }) => results.map(numberOf)),
    timeOffsets: numbers(({ timeOffsets }) => timeOffsets),
    responseTimes: numbers(({ responseTimes }) => responseTimes),
    dataSizes: numbers(({ dataSizes }) => dataSizes),
    phases: numbers(({ phases }) => phases),
  }
}

/** Allocates the final length first: a growing list takes five times the memory of a few numbers. */
function sliced(values: ArrayLike<number>, from: number, to: number): number[] {
  const part = new Array<number>(to - from)
  for (let place = from; place < to; place++) part[place - from] = values[place] ?? 0
  return part
}

function lettersOf(results: Float64Array, from: number, to: number): string[] {
  const part = new Array<string>(to - from)
  for (let place = from; place < to; place++) part[place - from] = letters[results[place] ?? -1] ?? ''
  return part
}

/** The analyses one by one, in the requested detail. */
export function analysesOf(columns: AnalysisColumns, detail: Detail): PackedAnalysis[] {
  const [ids, verdicts, tolerances, failures] = [
    columns.ids(),
    columns.verdicts(),
    columns.errorTolerances(),
    columns.failures(),
  ]
  const results = columns.results()
  const [hasMeasures, hasAll] = [detail !== 'results', detail === 'everything']
  const measures = hasMeasures ? [columns.timeOffsets(), columns.responseTimes(), columns.dataSizes()] : []
  const [timeOffsets = [], responseTimes = [], dataSizes = []] = measures
  const [phases, steps] = hasAll ? [columns.phases(), columns.steps()] : [[], []]
  let to = 0
  return columns.sensorLists.map((sensorIds, index) => {
    const from = to
    to += sensorIds.length
    const end = hasMeasures ? to : from
    return {
      analysisId: ids[index] ?? 0,
      verdict: verdicts[index] ?? '',
      errorTolerance: tolerances[index] ?? 0,
      sensorIds,
      results: lettersOf(results, from, to),
      timeOffsets: sliced(timeOffsets, from, end),
      responseTimes: sliced(responseTimes, from, end),
      dataSizes: sliced(dataSizes, from, end),
      phases: sliced(phases, from * phaseCount, (hasAll ? to : from) * phaseCount),
      failures: failures[index] ?? null,
      stepSetId: steps[index]?.stepSetId ?? null,
      stepTimes: steps[index]?.stepTimes ?? null,
    }
  })
}
