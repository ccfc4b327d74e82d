import { z } from 'zod'
import { keptSizes } from '../../domain/evidence.ts'
import { storable } from '../../domain/storable.ts'
import { boundedResult } from '../bounded-result.ts'
import { largest, longest, most } from '../bounds.ts'
import type { CheckEvidence, CheckJob, CheckResult, DiagnosticJob, SettingValue } from '../protocol.ts'
import { readPlainResult } from './plain-result.ts'

/**
 * What a station far away and the core say to each other: JSON texts, each an object with its `kind`. Unknown kinds and members are
 * ignored on both sides, and what a later version adds has a default, so old and new talk. Moments are of the core's clock.
 */
export const protocolVersion = 2
/** From here on jobs of one frame may share their settings. */
export const sharedSettingsVersion = 2
export const oldestProtocolVersion = 1

/** Below the API's base path. */
export const connectionPath = '/v3/sensor_connections'

/** The largest result with its files as base64 stays well below. */
export const longestFrameBytes = 16 * 1_048_576
export const mostResultsInFrame = 1000
/** Several jobs or results share a frame up to this size. */
export const usualFrameBytes = 1_048_576
/** Of a job without its settings and its address. */
const usualJobBytes = 256

/** Each side speaks this often and takes the other for lost after the silence. */
export const heartbeatMs = 2000
export const longestSilenceMs = 6000

/** Why the core ends a connection. */
export const closings = {
  violation: 1008,
  /** This process stops; another one may take the station at once. */
  elsewhere: 1012,
  tryLater: 1013,
  refused: 4401,
  replaced: 4409,
  tooOld: 4426,
} as const

/** Whatever is taken over ends in the database, which keeps not every text. */
function text(longestLength: number) {
  return z.string().max(longestLength).transform(storable)
}

/** For people, also on their terminals. */
function line(longestLength: number) {
  return z
    .string()
    .max(longestLength)
    .transform((given) => given.replaceAll(/\p{C}+/gu, ' ').trim())
}

function orNull<T extends z.ZodType>(schema: T) {
  return schema.nullable().default(null)
}

const id = z.string().min(1).max(longest.id)
const moment = z.number().min(0).max(largest.moment)
const count = z.int().min(0).max(largest.integer)
const phase = orNull(z.number().min(0).max(largest.phaseMs))

const fact = z.union([text(longest.text), z.number(), z.boolean(), z.null()])

const evidenceSchema = z.object({
  base_url: text(longest.text),
  ip_address: orNull(text(longest.id)),
  status_code: orNull(z.int().min(0).max(999)),
  response_headers: orNull(text(longest.headers)),
  content_type: orNull(text(longest.text)),
  file_name: orNull(text(longest.text)),
  facts: z
    .record(text(longest.name), fact)
    .refine((facts) => Object.keys(facts).length <= most.facts)
    .default({}),
  artifacts: z
    .array(
      z.object({ type_id: text(longest.id), content_type: text(longest.text), data: z.string().max(longest.artifact) }),
    )
    .max(most.artifacts)
    .default([]),
})

const resultSchema = z.object({
  id,
  result: z.enum(['ok', 'error', 'unknown']),
  started_at: moment,
  response_time: orNull(z.int().min(0).max(largest.responseMs)),
  data_size: orNull(count),
  error_type_id: orNull(count),
  error_message: orNull(text(longest.message)),
  phases: orNull(z.object({ dns: phase, connect: phase, tls: phase, sent: phase, first_byte: phase, transfer: phase })),
  steps: orNull(
    z
      .array(
        z.object({
          name: text(longest.text),
          result: z.enum(['ok', 'error', 'not_run']),
          response_time: orNull(z.int().min(0).max(largest.responseMs)),
        }),
      )
      .max(most.steps),
  ),
  evidence: orNull(evidenceSchema),
})

export type WireResult = z.output<typeof resultSchema>

const fromStation = {
  hello: z.object({
    protocol: z.int().min(0),
    version: line(longest.name),
    categories: z.array(text(longest.id)).max(most.categories),
    city: line(longest.name).default(''),
    country: line(longest.name).default(''),
  }),
  ready: z.object({ clock_offset_ms: z.number() }),
  ping: z.object({ number: count }),
  /** Each is read by itself: one bad result says nothing of its neighbours. */
  results: z.object({ results: z.array(z.unknown()).max(mostResultsInFrame) }),
  diagnosis: z.object({ id, is_ok: z.boolean(), lines: z.array(text(longest.line)).max(most.lines) }),
} as const

const fromCore = {
  welcome: z.object({ protocol: z.int().min(1), sensor_id: z.int(), name: z.string() }),
  pong: z.object({ number: count, at: moment }),
  /** Each is read by itself, like results. */
  jobs: z.object({ jobs: z.array(z.unknown()), settings: z.array(z.unknown()).default([]) }),
  diagnose: z.object({
    id,
    deadline_at: moment,
    request: z.discriminatedUnion('kind', [
      z.object({
        kind: z.literal('dns'),
        host: z.string(),
        query_type: z.string(),
        server: z.string().nullable(),
        port: z.int().min(1).max(65_535),
      }),
      z.object({ kind: z.literal('traceroute'), host: z.string() }),
    ]),
  }),
  acknowledge: z.object({ ids: z.array(id) }),
} as const

type Frames = Readonly<Record<string, z.ZodType>>
type FrameOf<F extends Frames> = { [K in keyof F]: { readonly kind: K } & z.output<F[K]> }[keyof F]
type SentOf<F extends Frames> = { [K in keyof F]: { readonly kind: K } & z.input<F[K]> }[keyof F]

export type StationFrame = FrameOf<typeof fromStation>
export type CoreFrame = FrameOf<typeof fromCore>

export interface WireJob {
  readonly id: string
  readonly service_id: number
  readonly type_id: string
  readonly address: string
  readonly settings: Readonly<Record<string, SettingValue>>
  readonly start_at: number
  readonly deadline_at: number
}

/** A frame of a kind that this version knows; null for one that it does not; throws for what is no frame. */
function reader<F extends Frames>(kinds: F): (data: string) => FrameOf<F> | null {
  const envelope = z.object({ kind: z.string() })
  return (data) => {
    const frame: unknown = JSON.parse(data)
    const { kind } = envelope.parse(frame)
    const schema = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined
    return schema === undefined ? null : ({ kind, ...(schema.parse(frame) as object) } as FrameOf<F>)
  }
}

export const readStationFrame = reader(fromStation)
export const readCoreFrame = reader(fromCore)

export function stationFrame(frame: SentOf<typeof fromStation>): string {
  return JSON.stringify(frame)
}

/** The stations of an analysis get the same settings. */
const settingsTexts = new WeakMap<WireJob['settings'], string>()

function settingsText(settings: WireJob['settings']): string {
  const known = settingsTexts.get(settings)
  if (known !== undefined) return known
  const made = JSON.stringify(settings)
  settingsTexts.set(settings, made)
  return made
}

function jobText({ id, service_id, type_id, address, start_at, deadline_at }: WireJob, settings: string): string {
  const what = `"service_id":${service_id},"type_id":${JSON.stringify(type_id)},"address":${JSON.stringify(address)}`
  return `{"id":"${id}",${what},"settings":${settings},"start_at":${start_at},"deadline_at":${deadline_at}}`
}

/**
 * Jobs in as few frames as their sizes allow. Settings are long and mostly those of many services: `isShared` puts each into a frame
 * once, and its place into the jobs.
 */
export function jobFrames(jobs: readonly WireJob[], isShared: boolean): readonly string[] {
  const frames: { readonly jobs: string[]; readonly places: Map<string, number> }[] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const job of jobs) {
    const settings = settingsText(job.settings)
    const mostBytes = Buffer.byteLength(settings) + Buffer.byteLength(job.address) + usualJobBytes
    if (bytes + mostBytes > usualFrameBytes) {
      frames.push({ jobs: [], places: new Map() })
      bytes = 0
    }
    const frame = frames.at(-1)
    const place = frame?.places.get(settings) ?? frame?.places.size ?? 0
    bytes += isShared && frame?.places.has(settings) === true ? usualJobBytes : mostBytes
    if (isShared) frame?.places.set(settings, place)
    frame?.jobs.push(jobText(job, isShared ? String(place) : settings))
  }
  return frames.map(({ jobs: texts, places }) => {
    const shared = isShared ? `"settings":[${[...places.keys()].join(',')}],` : ''
    return `{"kind":"jobs",${shared}"jobs":[${texts.join(',')}]}`
  })
}

export function coreFrame(frame: SentOf<typeof fromCore>): string {
  return JSON.stringify(frame)
}

const identified = z.object({ id })

/** Which job the result is said to be of; null when not even that can be read. */
export function resultIdOf(result: unknown): string | null {
  const outcome = identified.safeParse(result)
  return outcome.success ? outcome.data.id : null
}

/** Null for what is no result. */
export function readResult(result: unknown): WireResult | null {
  return readPlainResult(result) ?? readResultBySchema(result)
}

export function readResultBySchema(result: unknown): WireResult | null {
  const outcome = resultSchema.safeParse(result)
  return outcome.success ? outcome.data : null
}

/** The settings that the jobs of a frame share; null in the place of what is none. */
export function readSharedSettings(given: readonly unknown[]): readonly (WireJob['settings'] | null)[] {
  return given.map((settings) => (areSettings(settings) ? settings : null))
}

/** Null for what is no job. By hand, because a station reads thousands a second and a schema costs ten times as much. */
export function readJob(given: unknown, shared: readonly (WireJob['settings'] | null)[] = []): WireJob | null {
  if (typeof given !== 'object' || given === null) return null
  const { id: jobId, service_id, type_id, address, settings: own, start_at, deadline_at } = given as Partial<WireJob>
  if (typeof jobId !== 'string' || jobId.length === 0 || jobId.length > longest.id) return null
  if (!Number.isSafeInteger(service_id) || typeof type_id !== 'string' || typeof address !== 'string') return null
  if (typeof start_at !== 'number' || typeof deadline_at !== 'number') return null
  const settings = typeof own === 'number' ? (shared[own] ?? null) : areSettings(own) ? own : null
  if (settings === null) return null
  return { id: jobId, service_id: Number(service_id), type_id, address, settings, start_at, deadline_at }
}

function areSettings(given: unknown): given is WireJob['settings'] {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return false
  return Object.values(given).every((value) => value === null || typeof value !== 'object')
}

export function wireJob(jobId: string, job: CheckJob): WireJob {
  return {
    id: jobId,
    service_id: job.serviceId,
    type_id: job.typeId,
    address: job.address,
    settings: job.settings,
    start_at: job.startAt,
    deadline_at: job.deadlineAt,
  }
}

export function jobOfWire({ service_id: serviceId, type_id: typeId, address, settings, ...job }: WireJob): CheckJob {
  return { serviceId, sensorId: 0, typeId, address, settings, startAt: job.start_at, deadlineAt: job.deadline_at }
}

export function wireDiagnosis(diagnosisId: string, { request, deadlineAt }: DiagnosticJob): string {
  return coreFrame({ kind: 'diagnose', id: diagnosisId, request, deadline_at: deadlineAt })
}

function within(given: number | null, greatest: number): number | null {
  return given === null ? null : Math.min(given, greatest)
}

/** The result as it is sent, within the bounds that the core insists on. */
export function wireResult(resultId: string, given: CheckResult, startedAt: number): WireResult {
  const result = boundedResult(given)
  return {
    id: resultId,
    result: result.result,
    started_at: startedAt,
    response_time: within(result.responseTime, largest.responseMs),
    data_size: within(result.dataSize, largest.integer),
    error_type_id: result.errorTypeId,
    error_message: result.errorMessage,
    phases: result.phases,
    steps:
      result.steps?.map((step) => ({
        ...{ name: step.name, result: step.result },
        response_time: within(step.responseTime, largest.responseMs),
      })) ?? null,
    evidence: result.evidence === null ? null : wireEvidence(result.evidence),
  }
}

function wireEvidence({ artifacts, facts, ...evidence }: CheckEvidence): NonNullable<WireResult['evidence']> {
  const kept = keptSizes(artifacts.map(({ typeId, bytes }) => ({ typeId, size: bytes.length })))
  return {
    ...evidence,
    facts: { ...facts },
    artifacts: artifacts.flatMap(({ typeId, contentType, bytes }) => {
      const size = kept.get(typeId) ?? null
      if (size === null) return []
      // One byte more than is kept tells that there was more.
      const data = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, size + 1)).toString('base64')
      return [{ type_id: typeId, content_type: contentType, data }]
    }),
  }
}
