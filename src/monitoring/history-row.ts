import type { AnalysisRow, CheckFailure } from '../history/analyses.ts'
import { rounded } from '../history/packed/precision.ts'
import { type StepRow, stepTime } from '../history/step-history.ts'
import type { CheckResult, Phases } from '../sensor/protocol.ts'
import type { ClaimedRound } from '../service-state/claims.ts'
import type { Analysis } from './analysis.ts'
import type { KeptArtifacts, KeptEvidence } from './evidence.ts'

const letters = { ok: 'o', error: 'e', unknown: 'u' } as const

const longest = 2 ** 31 - 1
/** Microseconds; the longest rounded duration that a column takes. */
const longestPhase = 2_140_000_000

/** -1 stands for "not known" in the arrays of the history. */
function whole(value: number | null): number {
  return value === null || Number.isNaN(value) ? -1 : Math.min(longest, Math.max(0, Math.round(value)))
}

function microseconds(duration: number | null): number {
  return duration === null ? -1 : Math.min(longestPhase, rounded(whole(duration * 1000)))
}

function addPhases(phases: Phases | null, to: number[]): void {
  if (phases === null) to.push(-1, -1, -1, -1, -1, -1)
  else {
    const { dns, connect, tls, sent, first_byte, transfer } = phases
    to.push(microseconds(dns), microseconds(connect), microseconds(tls))
    to.push(microseconds(sent), microseconds(first_byte), microseconds(transfer))
  }
}

/** The analysis as the history keeps it. */
export function rowOf(
  round: { readonly claim: ClaimedRound; readonly artifacts: KeptArtifacts },
  { analysisId, verdict, errorTolerance, checks, decidedAt }: Analysis,
): AnalysisRow {
  const phases: number[] = []
  const failures: Record<string, CheckFailure> = {}
  let isWhole = true
  for (const check of checks) {
    addPhases(check.phases, phases)
    if (check.result === 'ok') continue
    isWhole = false
    failures[check.sensorId] = failureOf(check, round.artifacts.get(check.sensorId))
  }
  return {
    serviceId: round.claim.serviceId,
    analysisId,
    verdict,
    errorTolerance,
    sensorIds: checks.map(({ sensorId }) => sensorId),
    results: checks.map(({ result }) => letters[result]),
    timeOffsets: checks.map(({ startedAt }) =>
      Math.max(-longest, Math.min(longest, Math.round(startedAt - decidedAt))),
    ),
    responseTimes: checks.map(({ responseTime }) => whole(responseTime)),
    dataSizes: checks.map(({ dataSize }) => whole(dataSize)),
    phases,
    failures: isWhole ? null : failures,
    steps: stepsOf(checks),
  }
}

/** All sensors of an analysis run one scenario; one that could not begin has run none of its steps. */
function stepsOf(checks: readonly CheckResult[]): StepRow | null {
  const names = checks.find(({ steps }) => steps !== null && steps.length > 0)?.steps?.map(({ name }) => name)
  if (names === undefined) return null
  const notRun = { result: 'not_run', responseTime: null } as const
  return { names, times: checks.flatMap(({ steps }) => names.map((_, place) => stepTime(steps?.[place] ?? notRun))) }
}

function failureOf(check: CheckResult, kept: KeptEvidence | undefined) {
  const evidence = check.evidence
  return {
    error_type_id: check.errorTypeId,
    error_message: check.errorMessage,
    base_url: evidence?.base_url ?? '',
    ip_address: evidence?.ip_address ?? null,
    status_code: evidence?.status_code ?? null,
    response_headers: evidence?.response_headers ?? null,
    content_type: evidence?.content_type ?? null,
    file_name: evidence?.file_name ?? null,
    path_step: check.steps?.find(({ result }) => result === 'error')?.name ?? null,
    facts: evidence?.facts ?? {},
    artifacts: kept?.artifacts ?? [],
    ...(kept === undefined || kept.missing.length === 0 ? {} : { missing_artifacts: kept.missing }),
  }
}
