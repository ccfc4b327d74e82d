import { setTimeout as pause } from 'node:timers/promises'
import { checkFunction } from '../checks/functions.ts'
import { serviceTypeOf } from '../checks/index.ts'
import type { Clock } from '../domain/clock.ts'
import { type ErrorTypeSymbol, errorType, errorTypeById, resultOfFailure } from '../domain/judging/error-types.ts'
import { effectiveSettings } from '../domain/services/extended-settings.ts'
import { errorText } from '../domain/text/error-text.ts'
import { Failure } from '../outgoing/failure.ts'
import type { CheckOutcome } from './attempt.ts'
import { boundedResult } from './bounded-result.ts'
import type { Equipment } from './equipment.ts'
import type { LoopWatch } from './loop-watch.ts'
import type { CheckJob, CheckResult } from './protocol.ts'
import { readOptionalInteger } from './settings.ts'
import { startStallMeter } from './stall-meter.ts'
import { guarded, isSlow } from './truth-guard.ts'

export interface Bench {
  readonly equipment: Equipment
  readonly watch: LoopWatch
  readonly clock: Clock
}

/** Faults of this machine that may pass in a moment. */
const passing: ReadonlySet<ErrorTypeSymbol> = new Set<ErrorTypeSymbol>([
  'sensor_held',
  'sensor_out_of_sockets',
  'sensor_without_resolver',
  'sensor_without_network',
  'browser_failed',
])
const pauseMs = 250

/** Checks once, and once more if the fault may be ours and the deadline leaves time. Never rejects. */
export async function runCheck(job: CheckJob, bench: Bench): Promise<CheckResult> {
  const endWatch = bench.watch.begin()
  const startedAt = bench.clock.now()
  let outcome = await tryOnce(job, bench)
  const elapsedMs = bench.clock.now() - startedAt
  if (isPassing(outcome) && bench.clock.now() + pauseMs + elapsedMs <= job.deadlineAt) {
    await pause(pauseMs)
    outcome = await tryOnce(job, bench)
  }
  endWatch()
  return { serviceId: job.serviceId, sensorId: job.sensorId, startedAt, ...boundedResult(outcome) }
}

async function tryOnce(job: CheckJob, { equipment, watch, clock }: Bench): Promise<CheckOutcome> {
  const type = serviceTypeOf(job.typeId)
  const loading = type === undefined ? undefined : checkFunction(type.check)
  if (type === undefined || loading === undefined) {
    return failedOutcome(new Failure('type_not_supported', `this station cannot check services of type ${job.typeId}`))
  }
  // A hold of the loop while the code is loaded is a hold like any other.
  const stallMeter = startStallMeter(watch, clock, job.deadlineAt)
  try {
    const check = await loading
    const family = type.category === 'ipv6' ? 'ipv6' : 'any'
    // A core of another version may send fewer settings than this station has.
    const complete = { ...job, settings: effectiveSettings(type, job.settings) }
    const outcome = await check(complete, equipment, family, stallMeter)
    const judged = guarded(outcome, stallMeter, readOptionalInteger(complete.settings, 'maximum_response_time'))
    const isLate = isSlow(judged, stallMeter, readOptionalInteger(complete.settings, 'degraded_response_time'))
    return isLate ? { ...judged, degraded: [...(judged.degraded ?? []), 'slow'] } : judged
  } catch (error) {
    return failedOutcome(error instanceof Failure ? error : new Failure('sensor_fault', errorText(error)))
  }
}

function isPassing({ errorTypeId }: CheckOutcome): boolean {
  const type = errorTypeId === null ? null : errorTypeById(errorTypeId)
  return type !== null && passing.has(type.symbol)
}

/** The outcome of a check that could not begin. */
function failedOutcome({ symbol, message }: Failure): CheckOutcome {
  return {
    result: resultOfFailure(symbol),
    responseTime: null,
    dataSize: null,
    errorTypeId: errorType(symbol).id,
    errorMessage: message,
    phases: null,
    steps: null,
    evidence: null,
  }
}
