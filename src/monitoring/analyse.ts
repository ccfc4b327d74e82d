import { isInCore, needsBrowser, serviceTypeOf } from '../checks/index.ts'
import type { Clock } from '../domain/clock.ts'
import { warningDaysOf } from '../domain/expiry/expiry.ts'
import {
  analysisIdOf,
  answerDeadline,
  chooseSensors,
  judge,
  replacementFor,
  type SensorFacts,
  turnDeadline,
} from '../domain/judging/analysis.ts'
import { seatOfPicture } from '../domain/judging/good-screenshot.ts'
import { longestLead, startMoment } from '../domain/judging/schedule.ts'
import { effectiveSettings } from '../domain/services/extended-settings.ts'
import type { CheckResult, Stations } from '../sensor/protocol.ts'
import type { AnalysedTarget, ClaimedRound } from '../service-state/claims.ts'
import type { Timers } from '../turns/timers.ts'
import type { Analysis, AnalysisListener } from './analysis.ts'
import { askStations } from './ask-stations.ts'
import type { CoreChecks } from './core-checks.ts'
import { analyseInCore } from './core-round.ts'
import { watchedDomain } from './watched-domain.ts'

export interface AnalyseParts {
  readonly stations: Stations
  /** For the types that no station checks. */
  readonly core?: Pick<CoreChecks, 'check' | 'domainOf'>
  readonly sensors: { readonly facts: ReadonlyMap<number, SensorFacts> }
  readonly clock: Clock
  readonly timers: Timers
  /** The stations' only knowledge of an account. */
  readonly ownerKeys: { readonly of: (accountId: number) => string | undefined }
}

/**
 * Asks every station at the same moment, waits until all have answered or the deadline has passed, and judges.
 * Null: the service has no sensors in its type's category and is not analysed.
 */
export async function analyse(
  claim: Pick<ClaimedRound, 'dueAt' | 'claimNo'> & { readonly wantsScreenshot?: boolean },
  target: AnalysedTarget,
  parts: AnalyseParts,
  listener: AnalysisListener | null = null,
): Promise<Analysis | null> {
  const type = serviceTypeOf(target.type_id)
  if (isInCore(target.type_id)) return analyseInCore(claim, target, parts, listener)
  const { sensorIds: configured, id: serviceId, type_id: typeId, address } = target
  if (type === undefined || configured.length === 0) return null
  const settings = effectiveSettings(type, target.extended_settings)
  const { category } = type
  const hasFailover = settings['sensors_failover'] !== false
  const seats = chooseSensors(configured, parts.sensors.facts, category, hasFailover)
  const present = seats.filter(({ isAvailable }) => isAvailable).map(({ sensorId }) => sensorId)
  const startAt = startMoment(claim.dueAt, parts.clock.now(), leadOf(present, parts.stations))
  const isInBrowser = needsBrowser(type.id)
  const usualDeadlineAt = answerDeadline(startAt, settings, isInBrowser)
  const deadlineAt = isInBrowser ? turnDeadline(startAt, usualDeadlineAt, target.interval) : usualDeadlineAt
  const ownerKey = parts.ownerKeys.of(target.primary_account_id)
  const owner = ownerKey === undefined ? {} : { ownerKey }
  const question = { serviceId, typeId, address, settings, startAt, deadlineAt, ...owner }
  const taken = [...configured, ...seats.map(({ sensorId }) => sensorId)]
  const replace = hasFailover ? replacementsFrom(parts.sensors.facts, category, taken) : () => null
  const errorTolerance = Number(settings['error_tolerance'])
  const verdictOf = (results: readonly CheckResult[]) =>
    judge(
      results.map(({ result }) => result),
      errorTolerance,
    )
  const available = seats.map(({ isAvailable }) => isAvailable)
  const pictureSeat = claim.wantsScreenshot === true ? seatOfPicture(claim.dueAt, target.interval, available) : null
  const isEnough = (results: readonly CheckResult[]) => verdictOf(results) !== 'none'
  const asked = { question, usualDeadlineAt, pictureSeat, isEnough, listener, replace }
  const checks = await askStations(seats, asked, parts)
  const decidedAt = parts.clock.now()
  const warningDays = warningDaysOf(settings['warning_days'])
  const judgement = { verdict: verdictOf(checks), errorTolerance, warningDays, checks }
  const analysisId = analysisIdOf(decidedAt, claim.claimNo)
  return { typeId, analysisId, decidedAt, ...judgement, ...watchedDomain(type, target, parts.core) }
}

/** Names a free sensor in place of a lost one, each once; null: there is none. */
function replacementsFrom(
  sensors: ReadonlyMap<number, SensorFacts>,
  category: string,
  known: readonly number[],
): (lostId: number) => number | null {
  let taken: Set<number> | undefined
  return (lostId) => {
    taken ??= new Set(known)
    const replacementId = replacementFor(lostId, { sensors, category, taken })
    if (replacementId !== null) taken.add(replacementId)
    return replacementId
  }
}

/** How many milliseconds before its start a round has to send its jobs to these sensors. */
export function leadOf(sensorIds: readonly number[], stations: Pick<Stations, 'leadMs'>): number {
  return Math.min(longestLead, Math.max(0, ...sensorIds.map((id) => stations.leadMs(id))))
}
