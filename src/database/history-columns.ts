/** What `analysesView` and `checksView` say in SQL, of analyses in memory; a property test holds the two equal. */
import { type Column, type Columns, lazyColumns } from '../domain/columns.ts'
import { analysisTimeOf } from './analysis-id.ts'
import type { CheckFailure } from './history.ts'
import type { AnalysisColumns } from './packed/analysis-columns.ts'
import { once } from './packed/once.ts'

const idLength = 15

function idOf(analysisId: number): string {
  return String(analysisId).padStart(idLength, '0')
}

/** How many checks of each analysis have the result. */
function countOf({ sensorLists, results }: AnalysisColumns, letter: string): Column {
  const letters = results()
  let next = 0
  const counts = sensorLists.map(({ length }) => {
    let count = 0
    for (const end = next + length; next < end; next++) if (letters[next] === letter) count++
    return count
  })
  return (place) => counts[place]
}

/** A row for each analysis. */
export function analysisRows(analyses: AnalysisColumns, serviceId: number): Columns {
  const ids = analyses.ids()
  const idAt = (place: number) => ids[place] ?? 0
  return lazyColumns(analyses.count, {
    service_id: () => () => serviceId,
    analysis_key: () => idAt,
    analysis_id: () => (place) => idOf(idAt(place)),
    time: () => (place) => analysisTimeOf(idAt(place)),
    failure: () => (place) => analyses.verdicts()[place] === 'failure',
    ok_checks_count: () => countOf(analyses, 'o'),
    error_checks_count: () => countOf(analyses, 'e'),
    unknown_checks_count: () => countOf(analyses, 'u'),
    error_tolerance: () => (place) => analyses.errorTolerances()[place],
  })
}

type Failures = Readonly<Record<string, CheckFailure>>

function hasArchive(failure: CheckFailure | undefined): boolean {
  const artifacts = failure?.['artifacts']
  return Array.isArray(artifacts) && artifacts.some((artifact: { id?: unknown } | null) => artifact?.id === 'har')
}

/** Places of the analyses to which the checks belong. */
function analysisPlaces(sensorLists: AnalysisColumns['sensorLists']): Uint32Array {
  const places = new Uint32Array(sensorLists.reduce((sum, { length }) => sum + length, 0))
  let next = 0
  for (const [place, { length }] of sensorLists.entries()) {
    places.fill(place, next, next + length)
    next += length
  }
  return places
}

const results: Readonly<Record<string, string>> = { o: 'ok', e: 'error' }

/** -1 stands for nothing. */
function measured(values: Float64Array): Column {
  return (place) => (values[place] === -1 ? null : values[place])
}

/** What is kept of the checks that were not ok; the text of an analysis is parsed when the first of its checks is asked for. */
function failuresBy(analyses: AnalysisColumns, analysisOf: Uint32Array, sensors: readonly number[]) {
  const texts = analyses.failures()
  const parsed = new Map<number, Failures>()
  return (place: number): CheckFailure | undefined => {
    const analysis = analysisOf[place] ?? 0
    const text = texts[analysis] ?? null
    if (text === null) return undefined
    const known = parsed.get(analysis) ?? (JSON.parse(text) as Failures)
    parsed.set(analysis, known)
    return known[sensors[place] ?? 0]
  }
}

/** A row for each check. */
export function checkRows(analyses: AnalysisColumns, serviceId: number): Columns {
  const [analysisOf, sensors] = [analysisPlaces(analyses.sensorLists), analyses.sensorLists.flat()]
  const failures = once(() => failuresBy(analyses, analysisOf, sensors))
  const ofFailure = (pick: (failure: CheckFailure | undefined) => unknown) => () => {
    const failureAt = failures()
    return (place: number) => pick(failureAt(place)) ?? null
  }
  const idColumn = () => {
    const ids = analyses.ids()
    return (place: number) => ids[analysisOf[place] ?? 0] ?? 0
  }
  return lazyColumns(sensors.length, {
    service_id: () => () => serviceId,
    analysis_key: idColumn,
    analysis_id() {
      const idAt = idColumn()
      return (place) => idOf(idAt(place))
    },
    sensor_id: () => (place) => sensors[place],
    time() {
      const [idAt, offsets] = [idColumn(), analyses.timeOffsets()]
      return (place) => analysisTimeOf(idAt(place)) + (offsets[place] ?? 0)
    },
    result() {
      const letters = analyses.results()
      return (place) => results[letters[place] ?? ''] ?? 'unknown'
    },
    response_time: () => measured(analyses.responseTimes()),
    data_size: () => measured(analyses.dataSizes()),
    error_type_id: ofFailure((failure) => failure?.error_type_id),
    error_message: ofFailure((failure) => failure?.error_message),
    har_available: ofFailure(hasArchive),
    path_step: ofFailure((failure) => failure?.['path_step']),
  })
}
