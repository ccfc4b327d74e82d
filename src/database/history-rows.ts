/** What `analysesView` and `checksView` say in SQL, of analyses in memory; a property test holds the two equal. */
import type { Row } from '../domain/condition.ts'
import { analysisTimeOf } from './analysis-id.ts'
import type { CheckFailure } from './history.ts'
import type { PackedAnalysis } from './packed/analysis.ts'

const idLength = 15

function idOf(analysisId: number): string {
  return String(analysisId).padStart(idLength, '0')
}

function countOf(results: readonly string[], letter: string): number {
  let count = 0
  for (const result of results) if (result === letter) count++
  return count
}

/** Needs the detail `results`. */
export function analysisRowsOf(
  { analysisId, verdict, results, errorTolerance }: PackedAnalysis,
  serviceId: number,
): Row[] {
  return [
    {
      service_id: serviceId,
      analysis_key: analysisId,
      analysis_id: idOf(analysisId),
      time: analysisTimeOf(analysisId),
      failure: verdict === 'failure',
      ok_checks_count: countOf(results, 'o'),
      error_checks_count: countOf(results, 'e'),
      unknown_checks_count: countOf(results, 'u'),
      error_tolerance: errorTolerance,
    },
  ]
}

type Failures = Readonly<Record<string, CheckFailure>>

function hasArchive(failure: CheckFailure | undefined): boolean {
  const artifacts = failure?.['artifacts']
  return Array.isArray(artifacts) && artifacts.some((artifact: { id?: unknown } | null) => artifact?.id === 'har')
}

function measuredOr(value: number | undefined): number | null {
  return value === undefined || value === -1 ? null : value
}

const results: Readonly<Record<string, string>> = { o: 'ok', e: 'error' }

/** Needs the detail `measures`. */
export function checkRowsOf(analysis: PackedAnalysis, serviceId: number): Row[] {
  const { analysisId, sensorIds } = analysis
  const [id, decidedAt] = [idOf(analysisId), analysisTimeOf(analysisId)]
  const failures = analysis.failures === null ? {} : (JSON.parse(analysis.failures) as Failures)
  return sensorIds.map((sensorId, place) => {
    const failure = failures[sensorId]
    return {
      service_id: serviceId,
      analysis_key: analysisId,
      analysis_id: id,
      sensor_id: sensorId,
      time: decidedAt + (analysis.timeOffsets[place] ?? 0),
      result: results[analysis.results[place] ?? ''] ?? 'unknown',
      response_time: measuredOr(analysis.responseTimes[place]),
      data_size: measuredOr(analysis.dataSizes[place]),
      error_type_id: failure?.error_type_id ?? null,
      error_message: failure?.error_message ?? null,
      har_available: hasArchive(failure),
      path_step: failure?.['path_step'] ?? null,
    }
  })
}
