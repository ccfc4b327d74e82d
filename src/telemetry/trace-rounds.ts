import { type Attributes, ROOT_CONTEXT, type Tracer, trace } from '@opentelemetry/api'
import type { Clock } from '../domain/clock.ts'
import { analysisIdText } from '../domain/judging/analysis-id.ts'
import type { Flush, HeldClaim, RecordedAnalysis } from './port.ts'
import type { TraceIds } from './trace-ids.ts'

export interface RoundTraces {
  claimed(claims: readonly HeldClaim[]): void
  began(claim: HeldClaim): void
  recorded(flush: Flush): void
}

interface Story {
  readonly claim: HeldClaim
  readonly analysis: RecordedAnalysis['analysis']
  readonly claimedAt: number
  readonly beganAt: number
}

/** Reports each analysis when it has ended, so it costs nothing while a round runs. */
export function traceRounds(tracer: Tracer, ids: TraceIds, clock: Clock): RoundTraces {
  const moments = new WeakMap<HeldClaim, { readonly claimedAt: number; beganAt: number }>()
  return {
    claimed(claims) {
      const now = clock.now()
      for (const claim of claims) moments.set(claim, { claimedAt: now, beganAt: now })
    },
    began(claim) {
      const known = moments.get(claim)
      if (known !== undefined) known.beganAt = clock.now()
    },
    recorded(flush) {
      for (const { claim, analysis } of flush.analysed) {
        const known = moments.get(claim) ?? { claimedAt: analysis.decidedAt, beganAt: analysis.decidedAt }
        emit(tracer, ids, { claim, analysis, ...known }, flush)
      }
    },
  }
}

function emit(tracer: Tracer, ids: TraceIds, { claim, analysis, claimedAt, beganAt }: Story, flush: Flush): void {
  const { serviceId } = claim
  const { analysisId, decidedAt } = analysis
  const root = ids.beginAnalysis(
    tracer,
    { serviceId, analysisId },
    { startTime: claimedAt, attributes: attributesOf(claim, analysis, beganAt) },
  )
  const parent = trace.setSpan(ROOT_CONTEXT, root)
  function part(name: string, fromAt: number, toAt: number, attributes: Attributes = {}): void {
    tracer.startSpan(name, { startTime: fromAt, attributes }, parent).end(Math.max(fromAt, toAt))
  }
  part('claim', claimedAt, beganAt)
  for (const check of analysis.checks) {
    const { startedAt, responseTime } = check
    const endedAt = responseTime === null ? decidedAt : Math.min(decidedAt, startedAt + responseTime)
    part('check', startedAt, endedAt, checkAttributes(check))
  }
  root.addEvent('judged', { 'latarnik.verdict': analysis.verdict }, decidedAt)
  const recordedAt = flush.beganAt + flush.durationMs
  part('record', flush.beganAt, recordedAt, { 'latarnik.analyses_together': flush.analysed.length })
  const notices = flush.notices.get(serviceId) ?? 0
  if (notices > 0) root.addEvent('notices', { 'latarnik.notices': notices }, recordedAt)
  root.end(Math.max(claimedAt, recordedAt))
}

function attributesOf(claim: HeldClaim, analysis: Story['analysis'], beganAt: number): Attributes {
  return {
    'latarnik.service_id': claim.serviceId,
    'latarnik.service_type': analysis.typeId,
    'latarnik.analysis_id': analysisIdText(analysis.analysisId),
    'latarnik.verdict': analysis.verdict,
    'latarnik.reason': claim.reason,
    'latarnik.late_ms': Math.max(0, beganAt - claim.dueAt),
  }
}

function checkAttributes({ sensorId, result, errorTypeId }: Story['analysis']['checks'][number]): Attributes {
  return {
    'latarnik.sensor_id': sensorId,
    'latarnik.result': result,
    ...(errorTypeId === null ? {} : { 'latarnik.error_type_id': errorTypeId }),
  }
}
