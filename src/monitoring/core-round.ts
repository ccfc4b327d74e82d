import { serviceTypeOf } from '../checks/index.ts'
import type { Clock } from '../domain/clock.ts'
import { warningDaysOf } from '../domain/expiry/expiry.ts'
import { analysisIdOf, answerDeadline, coreSensorId, judge } from '../domain/judging/analysis.ts'
import { effectiveSettings } from '../domain/services/extended-settings.ts'
import type { AnalysedTarget, ClaimedRound } from '../service-state/claims.ts'
import type { Analysis, AnalysisListener } from './analysis.ts'
import { type CoreChecks, noCoreChecks } from './core-checks.ts'
import { storableResult } from './storable.ts'

/** A round of a service that the core checks by itself: an analysis with one check, of no station. */

const everyCheck = 100

/** Null: this version does not know the type. */
export async function analyseInCore(
  { dueAt, claimNo }: Pick<ClaimedRound, 'dueAt' | 'claimNo'>,
  target: AnalysedTarget,
  { core = noCoreChecks, clock }: { readonly core?: Pick<CoreChecks, 'check'>; readonly clock: Clock },
  listener: AnalysisListener | null,
): Promise<Analysis | null> {
  const { id: serviceId, type_id: typeId, address } = target
  const type = serviceTypeOf(typeId)
  if (type === undefined) return null
  const settings = effectiveSettings(type, target.extended_settings)
  const startAt = Math.max(dueAt, clock.now())
  const deadlineAt = answerDeadline(startAt, settings)
  const job = { serviceId, sensorId: coreSensorId, typeId, address, settings, startAt, deadlineAt }
  const check = storableResult(await core.check(job))
  if (listener?.ended.aborted === false) listener.heard(check)
  const decidedAt = clock.now()
  return {
    ...{ typeId, analysisId: analysisIdOf(decidedAt, claimNo), decidedAt, errorTolerance: everyCheck },
    verdict: judge([check.result], everyCheck),
    warningDays: warningDaysOf(settings['warning_days']),
    checks: [check],
  }
}
