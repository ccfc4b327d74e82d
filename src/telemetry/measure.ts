import { unknownReason } from '../domain/judging/unknown-reason.ts'
import type { Metrics } from './metrics.ts'
import type {
  DeliveryTelemetry,
  Flush,
  HeldClaim,
  MonitoringTelemetry,
  RecordedAnalysis,
  ReportTelemetry,
  RequestOutcome,
} from './port.ts'

/**
 * The metrics that rooms report through the port. They must be cheap: every line here runs in a round, a delivery or a
 * request.
 */

export function measureRounds(metrics: Metrics): MonitoringTelemetry {
  return {
    watch({ roundsInLine, roundsUnderWay, roundsToRecord }) {
      metrics.onCollect(() => {
        metrics.set('latarnik_rounds_in_line', {}, roundsInLine())
        metrics.set('latarnik_rounds_under_way', {}, roundsUnderWay())
        metrics.set('latarnik_rounds_to_record', {}, roundsToRecord())
      })
    },
    claimed: () => undefined,
    began: ({ reason }: HeldClaim, lateMs) =>
      metrics.observe('latarnik_round_lateness_seconds', { reason }, Math.max(0, lateMs) / 1000),
    missed: (count) => metrics.count('latarnik_rounds_missed_total', {}, count),
    recorded: (flush) => measureFlush(metrics, flush),
    notRecorded: () => metrics.count('latarnik_flushes_failed_total', {}),
    evidenceMissing: ({ id, reason }) => metrics.count('latarnik_evidence_missing_total', { artifact: id, reason }),
  }
}

function measureFlush(metrics: Metrics, { analysed, durationMs }: Flush): void {
  metrics.observe('latarnik_flush_seconds', {}, durationMs / 1000)
  metrics.observe('latarnik_flush_analyses', {}, analysed.length)
  // A write holds hundreds of analyses but few kinds of them.
  const verdicts = new Map<string, number>()
  const unknowns = new Map<string, number>()
  const checks = new Map<string, Map<string, number>>()
  for (const { claim, analysis } of analysed) {
    measureStarts(metrics, claim, analysis)
    increase(verdicts, analysis.verdict)
    if (analysis.verdict === 'none') increase(unknowns, unknownReason(analysis.checks))
    const results = checks.get(analysis.typeId) ?? new Map<string, number>()
    checks.set(analysis.typeId, results)
    for (const { result } of analysis.checks) increase(results, result)
  }
  for (const [verdict, count] of verdicts) metrics.count('latarnik_analyses_total', { verdict }, count)
  for (const [reason, count] of unknowns) metrics.count('latarnik_rounds_without_verdict_total', { reason }, count)
  for (const [type, results] of checks) {
    for (const [result, count] of results) metrics.count('latarnik_checks_total', { type, result }, count)
  }
}

/** For checks with a result; a check that never ran has no start. */
function measureStarts(metrics: Metrics, { reason, dueAt }: HeldClaim, { checks }: RecordedAnalysis['analysis']): void {
  for (const { result, startedAt } of checks) {
    if (result === 'unknown') continue
    metrics.observe('latarnik_check_lateness_seconds', { reason }, Math.max(0, startedAt - dueAt) / 1000)
  }
}

function increase(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

export function measureDeliveries(metrics: Metrics): DeliveryTelemetry {
  return {
    async attempt({ kind, channel }, work) {
      const beganAt = performance.now()
      const end = await work()
      metrics.observe('latarnik_delivery_seconds', { kind, channel }, (performance.now() - beganAt) / 1000)
      metrics.count('latarnik_deliveries_total', { kind, channel, outcome: end.outcome })
      if (end.outcome === 'sent' || end.outcome === 'unconfirmed') {
        metrics.observe('latarnik_delivery_delay_seconds', { kind, channel }, Math.max(0, end.waitedMs) / 1000)
      }
      return end
    },
  }
}

export function measureReports(metrics: Metrics): ReportTelemetry {
  return {
    async phase(phase, work) {
      const beganAt = performance.now()
      const outcome = await work()
      metrics.observe('latarnik_report_phase_seconds', { phase, outcome }, (performance.now() - beganAt) / 1000)
      return outcome
    },
  }
}

export function measureRequest(metrics: Metrics, { method, route, status, durationMs }: RequestOutcome): void {
  const labels = { method: knownMethods.has(method) ? method : 'other', route, status: `${Math.floor(status / 100)}xx` }
  metrics.observe('latarnik_api_request_seconds', labels, durationMs / 1000)
}

/** Node accepts some thirty methods; a caller must not create a series for each. */
const knownMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])
