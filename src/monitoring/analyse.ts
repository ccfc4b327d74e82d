import type { Claim, Target } from '../database/claims.ts'
import {
  analysisIdOf,
  answerDeadline,
  chooseSensors,
  configuredSensors,
  judge,
  type Seat,
  type SensorFacts,
  type Verdict,
} from '../domain/analysis.ts'
import type { Clock } from '../domain/clock.ts'
import { errorType } from '../domain/error-types.ts'
import { effectiveSettings } from '../domain/extended-settings.ts'
import { serviceTypeOf } from '../domain/service-types.ts'
import type { CheckJob, CheckResult, Stations } from '../sensor/protocol.ts'
import { storableResult } from './storable.ts'
import type { Timers } from './timers.ts'

/** A judged round, before it is recorded. */
export interface Analysis {
  readonly analysisId: number
  readonly decidedAt: number
  readonly verdict: Verdict
  readonly errorTolerance: number
  /** One per seat, in the order of the configuration. */
  readonly checks: readonly CheckResult[]
}

export interface AnalyseParts {
  readonly stations: Stations
  readonly sensors: { readonly facts: ReadonlyMap<number, SensorFacts> }
  readonly clock: Clock
  readonly timers: Timers
}

/** What only the core can see of a station. */
const sensorLost = { errorTypeId: errorType('sensor_lost').id, errorMessage: 'The sensor is not connected.' }
const sensorLate = { errorTypeId: errorType('sensor_late').id, errorMessage: 'The sensor did not answer in time.' }

/**
 * Asks every station at the same moment, waits until all have answered or the deadline has passed, and judges.
 * Null: the service has no sensors in its type's category and is not analysed.
 */
export async function analyse(claim: Claim, target: Target, parts: AnalyseParts): Promise<Analysis | null> {
  const type = serviceTypeOf(target.type_id)
  if (type === undefined) return null
  const settings = effectiveSettings(type, target.extended_settings)
  const configured = configuredSensors({
    ownSensorIds: target.sensor_ids,
    assignedSensorIds: target.assigned_sensor_ids,
    category: type.category,
  })
  if (configured.length === 0) return null
  const seats = chooseSensors(configured, parts.sensors.facts, type.category, settings['sensors_failover'] !== false)
  const startAt = Math.max(claim.dueAt, parts.clock.now())
  const deadlineAt = answerDeadline(startAt, settings)
  const { id: serviceId, type_id: typeId, address } = target
  const checks = await askStations(seats, { serviceId, typeId, address, settings, startAt, deadlineAt }, parts)
  const decidedAt = parts.clock.now()
  const errorTolerance = Number(settings['error_tolerance'])
  const outcomes = checks.map(({ result }) => result)
  const verdict = judge(outcomes, errorTolerance)
  return { analysisId: analysisIdOf(decidedAt, claim.claimNo), decidedAt, verdict, errorTolerance, checks }
}

type Question = Omit<CheckJob, 'sensorId'>

/** A result for every seat: who is not there or too late is `unknown`. Never rejects. */
function askStations(seats: readonly Seat[], question: Question, parts: AnalyseParts): Promise<CheckResult[]> {
  const results = seats.map(({ sensorId, isAvailable }) =>
    unknownResult(question, sensorId, isAvailable ? sensorLate : sensorLost),
  )
  return new Promise((resolve) => {
    let missing = 0
    const wait = question.deadlineAt - parts.clock.now()
    const cancel = parts.timers.after(wait, () => resolve([...results]))
    const settle = (index: number, result: CheckResult | null) => {
      if (result !== null) results[index] = storableResult(result)
      missing--
      if (missing > 0) return
      cancel()
      resolve(results)
    }
    for (const [index, { sensorId, isAvailable }] of seats.entries()) {
      if (!isAvailable) continue
      missing++
      parts.stations.check({ ...question, sensorId }).then(
        (result) => settle(index, result),
        () => settle(index, unknownResult(question, sensorId, sensorLost)),
      )
    }
    if (missing > 0) return
    cancel()
    resolve(results)
  })
}

function unknownResult(question: Question, sensorId: number, reason: typeof sensorLost): CheckResult {
  return {
    serviceId: question.serviceId,
    sensorId,
    result: 'unknown',
    startedAt: question.startAt,
    responseTime: null,
    dataSize: null,
    ...reason,
    phases: null,
    steps: null,
    evidence: null,
  }
}
