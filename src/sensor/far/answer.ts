import { type ArtifactTypeId, artifactTypeIds } from '../../domain/dictionaries.ts'
import { errorTypeById } from '../../domain/judging/error-types.ts'
import { artifactLimits, checkLimit, type MissingArtifact, missingReasons } from '../../domain/judging/evidence.ts'
import { pathSteps } from '../../domain/services/path-steps.ts'
import { parseScenario } from '../../domain/services/scenario.ts'
import type { CheckArtifact, CheckEvidence, CheckJob, CheckResult, Phases } from '../protocol.ts'
import type { WireResult } from './result-schema.ts'

/**
 * Turns a station's answer into the result of its job. The job says whose result it is. The start is limited to the
 * time between the job's start and now. Nothing that a station may not decide is taken from it.
 */
export function answerTo(job: CheckJob, wire: WireResult, now: number): CheckResult {
  const result = resultOf(wire)
  const isOk = result === 'ok'
  const longestMs = roomOf(job)
  return {
    serviceId: job.serviceId,
    sensorId: job.sensorId,
    result,
    startedAt: Math.min(Math.max(wire.started_at, job.startAt), Math.max(now, job.startAt)),
    responseTime: result === 'unknown' ? null : atMost(wire.response_time, longestMs),
    dataSize: wire.data_size,
    errorTypeId: isOk ? null : knownErrorTypeId(wire),
    errorMessage: isOk ? null : (wire.error_message ?? ''),
    phases: wire.phases === null ? null : phasesOf(wire.phases, longestMs),
    steps: stepsOf(job, wire.steps),
    ...degradedPartsOf(wire, isOk),
    evidence: wire.evidence === null ? null : isOk ? toldOfGood(job, wire.evidence) : evidenceOf(wire.evidence),
  }
}

/** An end of validity counts even if the check failed. */
function degradedPartsOf({ degraded, expiry }: WireResult, isOk: boolean): Pick<CheckResult, 'degraded' | 'expiry'> {
  const reasons = isOk && degraded.length > 0 ? { degraded } : {}
  if (expiry === null) return reasons
  const { kind, id, name, ends_at: endsAt } = expiry
  return { ...reasons, expiry: { kind, id, name, endsAt } }
}

/** Whole milliseconds; no duration exceeds the check's own time. */
function roomOf({ startAt, deadlineAt }: CheckJob): number {
  return Math.max(0, Math.ceil(deadlineAt - startAt))
}

function atMost(given: number | null, greatest: number): number | null {
  return given === null ? null : Math.min(given, greatest)
}

function phasesOf({ dns, connect, tls, sent, first_byte, transfer }: Phases, longestMs: number): Phases {
  return {
    dns: atMost(dns, longestMs),
    connect: atMost(connect, longestMs),
    tls: atMost(tls, longestMs),
    sent: atMost(sent, longestMs),
    first_byte: atMost(first_byte, longestMs),
    transfer: atMost(transfer, longestMs),
  }
}

/** A sensor's own fault is never the target's. */
function resultOf({ result, error_type_id: errorTypeId }: WireResult): CheckResult['result'] {
  const stage = errorTypeId === null ? null : errorTypeById(errorTypeId)?.stage
  return result === 'error' && stage === 'sensor' ? 'unknown' : result
}

/** A newer station may report failures that this core does not know; those keep only their sentence. */
function knownErrorTypeId({ error_type_id: errorTypeId }: WireResult): number | null {
  return errorTypeId === null ? null : (errorTypeById(errorTypeId)?.id ?? null)
}

/** The step names must be those of the job's scenario; otherwise the steps are dropped. */
function stepsOf(job: CheckJob, steps: WireResult['steps']): CheckResult['steps'] {
  const given = job.settings['scenario']
  if (steps === null || typeof given !== 'string') return null
  const { scenario } = parseScenario(given, 'scenario')
  const names = scenario === null ? [] : pathSteps(scenario)
  if (names.length !== steps.length || names.some((name, place) => name !== steps[place]?.name)) return null
  return steps.map(({ name, result, response_time: responseTime }) => ({
    ...{ name, result, responseTime: atMost(responseTime, roomOf(job)) },
  }))
}

type WireEvidence = NonNullable<WireResult['evidence']>

/** A good check brings only the picture that it was asked for, and the facts about its assertions. */
function toldOfGood(job: CheckJob, wire: WireEvidence): CheckEvidence | null {
  const facts = Object.fromEntries(Object.entries(wire.facts).filter(([name]) => isOfAssertions(name)))
  const pictures = wire.artifacts.filter(({ type_id }) => type_id === 'screenshot')
  const artifacts = job.wantsScreenshot === true ? pictures : []
  const isNothing = artifacts.length === 0 && Object.keys(facts).length === 0
  return isNothing ? null : evidenceOf({ ...wire, facts, missing: [], artifacts })
}

function isOfAssertions(fact: string): boolean {
  return fact === 'failed_assertions' || /^assertion_\d{1,2}_(result|expected|came)$/.test(fact)
}

function evidenceOf({ artifacts, missing, facts, ...evidence }: WireEvidence): CheckEvidence {
  const given = artifactsOf(artifacts)
  return { ...evidence, facts, artifacts: given, missing: missingOf(missing, given) }
}

/** A newer station may have a reason that this core does not know. */
function missingOf(missing: WireEvidence['missing'], given: readonly CheckArtifact[]): readonly MissingArtifact[] {
  const lacking = artifactTypeIds.filter((id) => given.every(({ typeId }) => typeId !== id))
  return lacking.flatMap((id): MissingArtifact[] => {
    const told = missing.find((one) => one.id === id)
    return told === undefined
      ? []
      : [{ id, reason: missingReasons.find((reason) => reason === told.reason) ?? 'not_taken' }]
  })
}

/** The first artifact of each type, as far as they fit the size limit of a check. */
function artifactsOf(artifacts: WireEvidence['artifacts']): readonly CheckArtifact[] {
  const found = new Map<ArtifactTypeId, CheckArtifact>()
  let left = checkLimit + artifactTypeIds.length
  for (const { type_id: name, content_type: contentType, data } of artifacts) {
    const typeId = artifactTypeIds.find((known) => known === name)
    if (typeId === undefined || found.has(typeId)) continue
    const bytes = Buffer.from(data, 'base64')
    if (bytes.length > Math.min(left, artifactLimits[typeId] + 1)) continue
    left -= bytes.length
    found.set(typeId, { typeId, contentType, bytes })
  }
  return [...found.values()]
}
