import * as z from 'zod'
import { artifactTypeIds } from '../domain/dictionaries.ts'
import { isObject } from '../domain/input/json.ts'
import { missingReasons } from '../domain/judging/evidence.ts'
import { largest, longest, most } from '../sensor/bounds.ts'
import type { Numbered } from '../sensor/messages.ts'
import type {
  CheckEvidence,
  CheckJob,
  CheckResult,
  DiagnosticJob,
  DiagnosticResult,
  Phases,
} from '../sensor/protocol.ts'
import { readExpiry, readReasons } from '../sensor/read-degraded.ts'

/**
 * Validates items from other processes like any input. Jobs and ordinary results come by the thousand, so they are read
 * by hand, the rest by a schema. Each function throws for an invalid item.
 */

function cut(longestLength: number) {
  return z.string().transform((given) => given.slice(0, longestLength))
}

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()])

const evidenceSchema = z.object({
  base_url: cut(longest.text),
  ip_address: cut(longest.id).nullable(),
  status_code: z.int().min(0).max(999).nullable(),
  response_headers: cut(longest.headers).nullable(),
  content_type: cut(longest.text).nullable(),
  file_name: cut(longest.text).nullable(),
  facts: z.record(z.string(), scalar),
  artifacts: z
    .array(
      z.object({
        typeId: z.enum(artifactTypeIds),
        contentType: cut(longest.text),
        base64: z.string().max(longest.artifact),
      }),
    )
    .max(most.artifacts),
  missing: z
    .array(z.object({ id: z.enum(artifactTypeIds), reason: z.enum(missingReasons) }))
    .max(artifactTypeIds.length)
    .optional(),
})

const stepsSchema = z
  .array(
    z.object({
      name: cut(longest.text),
      result: z.enum(['ok', 'error', 'not_run']),
      responseTime: z.number().nullable(),
    }),
  )
  .max(most.steps)

const requestSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('dns'),
    host: z.string(),
    query_type: z.string(),
    server: z.string().nullable(),
    port: z.int().min(1).max(65_535),
  }),
  z.object({ kind: z.literal('traceroute'), host: z.string() }),
])

const diagnosisSchema = z.object({ isOk: z.boolean(), lines: z.array(cut(longest.line)).max(most.lines) })

function isMoment(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= largest.moment
}

function isId(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

function isNumberOrNull(value: unknown): value is number | null {
  return value === null || Number.isFinite(value)
}

function within(value: number | null, greatest: number): number | null {
  return value === null ? null : Math.min(Math.max(value, 0), greatest)
}

function fail(what: string): never {
  throw new Error(`no ${what}`)
}

/** Each item is a pair: the number for its answer, and the item itself. */
export function readItems<T>(items: unknown, read: (item: unknown) => T): readonly Numbered<T>[] {
  if (!Array.isArray(items)) return fail('list of items')
  return items.map((item: unknown) => {
    if (!Array.isArray(item) || item.length !== 2 || !isId(item[0])) return fail('numbered item')
    return [item[0], read(item[1])]
  })
}

export function readJob(given: unknown): CheckJob {
  if (!isObject(given)) return fail('job')
  const { serviceId, sensorId, typeId, address, settings, startAt, deadlineAt, ownerKey, wantsScreenshot } = given
  if (!isId(serviceId) || !isId(sensorId) || !isMoment(startAt) || !isMoment(deadlineAt)) return fail('job')
  if (typeof typeId !== 'string' || typeof address !== 'string' || !areSettings(settings)) return fail('job')
  // A process of an older version does not send it.
  const owner = typeof ownerKey === 'string' && ownerKey.length <= longest.id ? { ownerKey } : {}
  const picture = wantsScreenshot === true ? ({ wantsScreenshot } as const) : {}
  return { serviceId, sensorId, typeId, address, settings, startAt, deadlineAt, ...owner, ...picture }
}

function areSettings(given: unknown): given is CheckJob['settings'] {
  if (!isObject(given)) return false
  for (const name in given) if (typeof given[name] === 'object' && given[name] !== null) return false
  return true
}

export function readResult(given: unknown): CheckResult {
  if (!isResult(given)) return fail('result')
  const { responseTime, dataSize, errorMessage, phases, steps, evidence } = given
  const isPlain = errorMessage === null && steps === null && evidence === null
  // Spreading one object over another costs more than checking all of it.
  const isBounded = isWithin(responseTime, largest.responseMs) && isWithin(dataSize, largest.integer)
  if (isPlain && isBounded && (phases === null || areBounded(phases))) return withDegradedParts(given)
  return {
    ...withDegradedParts(given),
    responseTime: within(responseTime, largest.responseMs),
    dataSize: within(dataSize, largest.integer),
    errorMessage: errorMessage === null ? null : errorMessage.slice(0, longest.message),
    phases: phases === null ? null : boundedPhases(phases),
    steps: steps === null ? null : stepsSchema.parse(steps),
    evidence: evidence === null ? null : readEvidence(evidence),
  }
}

/** Most results have neither part and stay as they are. */
function withDegradedParts(given: CheckResult): CheckResult {
  if (given.degraded === undefined && given.expiry === undefined) return given
  const { degraded: reasons, expiry: end, ...result } = given
  const degraded = readReasons(reasons)
  const expiry = isObject(end) ? readExpiry({ kind: end.kind, id: end.id, name: end.name, endsAt: end.endsAt }) : null
  return { ...result, ...(degraded.length === 0 ? {} : { degraded }), ...(expiry === null ? {} : { expiry }) }
}

/** Steps and evidence are checked elsewhere. */
function isResult(given: unknown): given is CheckResult {
  if (!isObject(given)) return false
  const { serviceId, sensorId, result, startedAt, responseTime, dataSize, errorTypeId, errorMessage } = given
  if (!isId(serviceId) || !isId(sensorId) || !isMoment(startedAt)) return false
  if (result !== 'ok' && result !== 'error' && result !== 'unknown') return false
  if (!isNumberOrNull(responseTime) || !isNumberOrNull(dataSize)) return false
  if (errorTypeId !== null && !isId(errorTypeId)) return false
  if (errorMessage !== null && typeof errorMessage !== 'string') return false
  const { phases, steps, evidence } = given
  return (phases === null || arePhases(phases)) && steps !== undefined && evidence !== undefined
}

function isWithin(value: number | null, greatest: number): boolean {
  return value === null || (value >= 0 && value <= greatest)
}

function arePhases(given: unknown): given is Phases {
  if (!isObject(given)) return false
  const { dns, connect, tls, sent, first_byte, transfer } = given
  if (!isNumberOrNull(dns) || !isNumberOrNull(connect) || !isNumberOrNull(tls)) return false
  return isNumberOrNull(sent) && isNumberOrNull(first_byte) && isNumberOrNull(transfer)
}

function areBounded({ dns, connect, tls, sent, first_byte, transfer }: Phases): boolean {
  const isBounded = (value: number | null) => isWithin(value, largest.phaseMs)
  if (!isBounded(dns) || !isBounded(connect) || !isBounded(tls)) return false
  return isBounded(sent) && isBounded(first_byte) && isBounded(transfer)
}

/** A process that was suspended in the middle of a phase has measured its own pause. */
function boundedPhases({ dns, connect, tls, sent, first_byte, transfer }: Phases): Phases {
  const phase = (value: number | null) => within(value, largest.phaseMs)
  return {
    ...{ dns: phase(dns), connect: phase(connect), tls: phase(tls) },
    ...{ sent: phase(sent), first_byte: phase(first_byte), transfer: phase(transfer) },
  }
}

function readEvidence(given: unknown): CheckEvidence {
  const { artifacts, facts, missing, ...evidence } = evidenceSchema.parse(given)
  return {
    ...evidence,
    ...(missing === undefined ? {} : { missing }),
    facts: Object.fromEntries(Object.entries(facts).slice(0, most.facts)),
    artifacts: artifacts.map(({ base64, ...artifact }) => ({ ...artifact, bytes: Buffer.from(base64, 'base64') })),
  }
}

export function readDiagnosticJob(given: unknown): DiagnosticJob {
  if (!isObject(given)) return fail('diagnosis to make')
  const { sensorId, request, deadlineAt } = given
  if (!isId(sensorId) || !isMoment(deadlineAt)) return fail('diagnosis to make')
  return { sensorId, request: requestSchema.parse(request), deadlineAt }
}

export function readDiagnosticResult(given: unknown): DiagnosticResult {
  return diagnosisSchema.parse(given)
}
