/** The columns of `analysesView` and `checksView` for analyses in memory; a property test holds both equal. */

import { analysisIdText, analysisTimeOf } from '../domain/judging/analysis-id.ts'
import { type Column, type Columns, lazyColumns } from '../domain/queries/columns.ts'
import type { CheckFailure } from './analyses.ts'
import type { AnalysisColumns } from './packed/analysis-columns.ts'
import { letters } from './packed/lanes.ts'
import { once } from './packed/once.ts'

/** The checks of an analysis are adjacent and share one id. */
function textIds(ids: Float64Array): Column {
  let [last, text]: [number | undefined, string] = [undefined, '']
  return (place) => {
    const id = ids[place] ?? 0
    if (id !== last) text = analysisIdText(id)
    last = id
    return text
  }
}

/** The number of checks of each analysis with the result. */
function countOf({ sensorLists, results }: AnalysisColumns, letter: string): Float64Array {
  const [numbers, wanted] = [results(), letters.indexOf(letter)]
  const counts = new Float64Array(sensorLists.length)
  let next = 0
  for (let place = 0; place < sensorLists.length; place++) {
    let count = 0
    for (const end = next + (sensorLists[place]?.length ?? 0); next < end; next++) if (numbers[next] === wanted) count++
    counts[place] = count
  }
  return counts
}

/** The moments of the ids. */
function timesOf(ids: Float64Array): Float64Array {
  const times = new Float64Array(ids.length)
  for (let place = 0; place < ids.length; place++) times[place] = analysisTimeOf(ids[place] ?? 0)
  return times
}

/** One row per analysis. */
export function analysisRows(analyses: AnalysisColumns, serviceId: number): Columns {
  const { count, ids, verdicts, errorTolerances } = analyses
  return lazyColumns(count, {
    service_id: () => new Float64Array(count).fill(serviceId),
    analysis_key: ids,
    analysis_id: () => textIds(ids()),
    time: () => timesOf(ids()),
    failure: () => (place) => verdicts()[place] === 'failure',
    ok_checks_count: () => countOf(analyses, 'o'),
    error_checks_count: () => countOf(analyses, 'e'),
    unknown_checks_count: () => countOf(analyses, 'u'),
    error_tolerance: errorTolerances,
  })
}

type Failures = Readonly<Record<string, CheckFailure>>

function hasArchive(failure: CheckFailure | undefined): boolean {
  const artifacts = failure?.['artifacts']
  return Array.isArray(artifacts) && artifacts.some((artifact: { id?: unknown } | null) => artifact?.id === 'har')
}

interface Check {
  /** The check's sensor. */
  readonly sensorId: Float64Array
  /** The index of the check's analysis. */
  readonly analysis: Float64Array
}

/** The checks of all analyses. */
function checksOf(sensorLists: AnalysisColumns['sensorLists']): Check {
  let length = 0
  for (const sensorIds of sensorLists) length += sensorIds.length
  const [sensorId, analysis] = [new Float64Array(length), new Float64Array(length)]
  let next = 0
  for (let place = 0; place < sensorLists.length; place++) {
    const sensorIds = sensorLists[place] ?? []
    for (let index = 0; index < sensorIds.length; index++) {
      sensorId[next] = sensorIds[index] ?? 0
      analysis[next++] = place
    }
  }
  return { sensorId, analysis }
}

function taken(values: Float64Array, places: Float64Array): Float64Array {
  const all = new Float64Array(places.length)
  for (let index = 0; index < places.length; index++) all[index] = values[places[index] ?? 0] ?? 0
  return all
}

function sum(some: Float64Array, others: Float64Array): Float64Array {
  const sums = new Float64Array(some.length)
  for (let index = 0; index < some.length; index++) sums[index] = (some[index] ?? 0) + (others[index] ?? 0)
  return sums
}

/** Indexed by the numbers of their letters. */
const results = ['ok', 'error', 'unknown']

/** Missing values are -1 in storage and NaN in columns of numbers. */
function measured(values: Float64Array): Float64Array {
  const own = new Float64Array(values.length)
  for (let place = 0; place < values.length; place++)
    own[place] = values[place] === -1 ? Number.NaN : (values[place] ?? 0)
  return own
}

/** The stored details of checks that were not ok. An analysis's text is parsed when its first check is read. */
function failuresOf(texts: readonly (string | null)[], { sensorId, analysis }: Check) {
  const parsed = new Map<number, Failures>()
  return (place: number): CheckFailure | undefined => {
    const own = analysis[place] ?? 0
    const text = texts[own] ?? null
    if (text === null) return undefined
    const known = parsed.get(own) ?? (JSON.parse(text) as Failures)
    parsed.set(own, known)
    return known[sensorId[place] ?? 0]
  }
}

/** One row per check. */
export function checkRows(analyses: AnalysisColumns, serviceId: number): Columns {
  const checks = checksOf(analyses.sensorLists)
  const { sensorId, analysis } = checks
  const keys = once(() => taken(analyses.ids(), analysis))
  const failures = once(() => failuresOf(analyses.failures(), checks))
  const ofFailure = (pick: (failure: CheckFailure | undefined) => unknown) => () => {
    const [failureAt, none] = [failures(), pick(undefined) ?? null]
    return (place: number) => {
      const failure = failureAt(place)
      return failure === undefined ? none : (pick(failure) ?? null)
    }
  }
  return lazyColumns(sensorId.length, {
    service_id: () => new Float64Array(sensorId.length).fill(serviceId),
    analysis_key: keys,
    analysis_id: () => textIds(keys()),
    sensor_id: () => sensorId,
    time: () => sum(timesOf(keys()), analyses.timeOffsets()),
    result() {
      const numbers = analyses.results()
      return (place) => results[numbers[place] ?? -1] ?? null
    },
    response_time: () => measured(analyses.responseTimes()),
    data_size: () => measured(analyses.dataSizes()),
    error_type_id: ofFailure((failure) => failure?.error_type_id),
    error_message: ofFailure((failure) => failure?.error_message),
    har_available: ofFailure(hasArchive),
    path_step: ofFailure((failure) => failure?.['path_step']),
  })
}
