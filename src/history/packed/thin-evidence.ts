import type { PackedAnalysis } from './analysis.ts'

/**
 * The limit of a service's evidence per day, in UTF-16 units: a check every ten seconds from three stations that all
 * fail, with two kilobytes each. Only hostile targets exceed it.
 */
export const mostEvidence = 67_108_864
/** The kept length of a text when the evidence is too much. */
const keptText = 1000

type Failures = Readonly<Record<string, Readonly<Record<string, unknown>>>>

function thinned(failures: string): string {
  const entries = Object.entries(JSON.parse(failures) as Failures).map(([sensorId, failure]) => {
    const kept = Object.entries(failure).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.slice(0, keptText) : value,
    ])
    return [sensorId, { ...Object.fromEntries(kept), response_headers: null, facts: { evidence_thinned: true } }]
  })
  return JSON.stringify(Object.fromEntries(entries))
}

/**
 * The analyses of a day, without the headers and facts of their failures if those exceed any normal day. One account
 * must not keep everybody's history from being packed. Reasons, messages and artifacts stay, and the facts record the
 * omission.
 */
export function withinEvidence(
  analyses: readonly PackedAnalysis[],
  most: number = mostEvidence,
): readonly PackedAnalysis[] {
  const length = analyses.reduce((sum, { failures }) => sum + (failures?.length ?? 0), 0)
  if (length <= most) return analyses
  return analyses.map((analysis) =>
    analysis.failures === null ? analysis : { ...analysis, failures: thinned(analysis.failures) },
  )
}
