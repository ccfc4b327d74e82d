import { isInCore, needsBrowser, serviceTypeOf } from '../checks/index.ts'
import {
  analysisIdOf,
  answerDeadline,
  chooseSensors,
  judge,
  replacementFor,
  type Seat,
  type SensorFacts,
  turnDeadline,
} from '../domain/analysis.ts'
import type { Clock } from '../domain/clock.ts'
import { errorType } from '../domain/error-types.ts'
import { warningDaysOf } from '../domain/expiry.ts'
import { effectiveSettings } from '../domain/extended-settings.ts'
import { seatOfPicture } from '../domain/good-screenshot.ts'
import { longestLead, startMoment } from '../domain/schedule.ts'
import type { CheckJob, CheckResult, Stations } from '../sensor/protocol.ts'
import type { AnalysedTarget, ClaimedRound } from '../service-state/claims.ts'
import type { Timers } from '../turns/timers.ts'
import type { Analysis, AnalysisListener } from './analysis.ts'
import type { CoreChecks } from './core-checks.ts'
import { analyseInCore } from './core-round.ts'
import { storableResult } from './storable.ts'
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

/** Only the core can notice this fault of a station. */
const sensorLost = { errorTypeId: errorType('sensor_lost').id, errorMessage: 'The sensor is not connected.' }
const sensorLate = { errorTypeId: errorType('sensor_late').id, errorMessage: 'The sensor did not answer in time.' }

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
  const { sensorIds: configured } = target
  if (isInCore(target.type_id)) return analyseInCore(claim, target, parts, listener)
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
  const { id: serviceId, type_id: typeId, address } = target
  const ownerKey = parts.ownerKeys.of(target.primary_account_id)
  const owner = ownerKey === undefined ? {} : { ownerKey }
  const question = { serviceId, typeId, address, settings, startAt, deadlineAt, ...owner }
  let known: Set<number> | undefined
  const replace = (lostId: number): number | null => {
    known ??= new Set([...configured, ...seats.map(({ sensorId }) => sensorId)])
    const taken = known
    const replacementId = hasFailover ? replacementFor(lostId, { sensors: parts.sensors.facts, category, taken }) : null
    if (replacementId !== null) taken.add(replacementId)
    return replacementId
  }
  const errorTolerance = Number(settings['error_tolerance'])
  const verdictOf = (results: readonly CheckResult[]) => {
    const outcomes = results.map(({ result }) => result)
    return judge(outcomes, errorTolerance)
  }
  const isEnough = (results: readonly CheckResult[]) => verdictOf(results) !== 'none'
  const available = seats.map(({ isAvailable }) => isAvailable)
  const pictureSeat = claim.wantsScreenshot === true ? seatOfPicture(claim.dueAt, target.interval, available) : null
  const asked = { question, usualDeadlineAt, pictureSeat, isEnough, listener }
  const checks = await askStations(seats, asked, replace, parts)
  const decidedAt = parts.clock.now()
  const warningDays = warningDaysOf(settings['warning_days'])
  const judgement = { verdict: verdictOf(checks), errorTolerance, warningDays, checks }
  const analysisId = analysisIdOf(decidedAt, claim.claimNo)
  return { typeId, analysisId, decidedAt, ...judgement, ...watchedDomain(type, target, parts.core) }
}

/** How many milliseconds before its start a round has to send its jobs to these sensors. */
export function leadOf(sensorIds: readonly number[], stations: Pick<Stations, 'leadMs'>): number {
  return Math.min(longestLead, Math.max(0, ...sensorIds.map((id) => stations.leadMs(id))))
}

type Question = Omit<CheckJob, 'sensorId' | 'wantsScreenshot'>

interface Asked {
  readonly question: Question
  /** After it only a round without a verdict goes on waiting: a full station must not keep the others from telling. */
  readonly usualDeadlineAt: number
  /** The seat whose station takes a picture of a good page; null: none. */
  readonly pictureSeat: number | null
  readonly isEnough: (results: readonly CheckResult[]) => boolean
  readonly listener: AnalysisListener | null
}

/**
 * A result for every seat; a missing or late station counts as `unknown`. A station that is lost before its answer is
 * replaced while there is time. `replace` names a free one, each once, or null. Never rejects.
 */
function askStations(
  seats: readonly Seat[],
  { question, usualDeadlineAt, pictureSeat, isEnough, listener }: Asked,
  replace: (lostId: number) => number | null,
  { stations, clock, timers }: AnalyseParts,
): Promise<CheckResult[]> {
  // A seat that is asked replaces its result at once.
  const results = seats.map(({ sensorId }) => unknownResult(question, sensorId, sensorLost))
  return new Promise((resolve) => {
    let missing = 0
    let isOver = false
    let isBeyondUsual = false
    const { tell, tellRest } = tellerOf(listener, results)
    const end = () => {
      if (isOver) return
      isOver = true
      for (const cancel of timeouts) cancel()
      listener?.ended.removeEventListener('abort', end)
      tellRest()
      resolve([...results])
    }
    const endIfEnough = () => {
      isBeyondUsual = true
      if (isEnough(results)) end()
    }
    const answered = (index: number, result: CheckResult) => {
      if (isOver) return
      const replacementId = isLost(result) ? replace(result.sensorId) : null
      missing--
      if (replacementId === null) {
        results[index] = storableResult(result)
        tell(index)
      } else ask(index, replacementId)
      if (missing === 0 || (isBeyondUsual && isEnough(results))) end()
    }
    const ask = (index: number, sensorId: number) => {
      missing++
      results[index] = unknownResult(question, sensorId, sensorLate)
      const { serviceId } = question
      const picture = index === pictureSeat ? ({ wantsScreenshot: true } as const) : {}
      stations.check({ ...question, sensorId, ...picture }).then(
        (result) => answered(index, isOf(result, serviceId, sensorId) ? result : { ...result, serviceId, sensorId }),
        () => answered(index, unknownResult(question, sensorId, sensorLost)),
      )
    }
    const timeouts = [timers.after(question.deadlineAt - clock.now(), end)]
    if (usualDeadlineAt < question.deadlineAt) timeouts.push(timers.after(usualDeadlineAt - clock.now(), endIfEnough))
    for (const [index, { sensorId, isAvailable }] of seats.entries()) if (isAvailable) ask(index, sensorId)
    listener?.ended.addEventListener('abort', end)
    if (missing === 0 || listener?.ended.aborted === true) end()
  })
}

/** Tells each result once; nobody hears those of a round that nobody waits for any more. */
function tellerOf(listener: AnalysisListener | null, results: readonly CheckResult[]) {
  const unheard = new Set(results.keys())
  const tell = (index: number) => {
    const result = results[index]
    if (unheard.delete(index) && result !== undefined && listener?.ended.aborted === false) listener.heard(result)
  }
  return {
    tell,
    tellRest() {
      for (const index of [...unheard]) tell(index)
    },
  }
}

function isOf(result: CheckResult, serviceId: number, sensorId: number): boolean {
  return result.serviceId === serviceId && result.sensorId === sensorId
}

function isLost({ result, errorTypeId }: CheckResult): boolean {
  return result === 'unknown' && errorTypeId === sensorLost.errorTypeId
}

function unknownResult(question: Question, sensorId: number, reason: typeof sensorLost): CheckResult {
  return {
    serviceId: question.serviceId,
    sensorId,
    result: 'unknown',
    startedAt: question.startAt,
    responseTime: null,
    dataSize: null,
    errorTypeId: reason.errorTypeId,
    errorMessage: reason.errorMessage,
    phases: null,
    steps: null,
    evidence: null,
  }
}
