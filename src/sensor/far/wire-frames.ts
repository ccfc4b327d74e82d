import * as z from 'zod'
import { pageIsolations } from '../../checks/page-isolation.ts'
import { type CoordinateName, coordinateBounds } from '../../domain/services/coordinates.ts'
import { longest, most } from '../bounds.ts'
import type { DiagnosticJob } from '../protocol.ts'
import { mostResultsInFrame } from './wire.ts'
import { wireCount, wireId, wireLine, wireMoment, wireText } from './wire-texts.ts'

function degrees(name: CoordinateName) {
  const { minimum, maximum } = coordinateBounds[name]
  return z.number().min(minimum).max(maximum).nullable().catch(null).default(null)
}

const fromStation = {
  hello: z.object({
    protocol: z.int().min(0),
    version: wireLine(longest.name),
    categories: z.array(wireText(longest.id)).max(most.categories),
    unsupported_types: z.array(wireText(longest.id)).max(most.types).default([]),
    city: wireLine(longest.name).default(''),
    country: wireLine(longest.name).default(''),
    /** A value that is not a number of degrees counts as absent. */
    latitude: degrees('latitude'),
    longitude: degrees('longitude'),
    /** Older stations do not send it, and later versions may send unknown values. */
    page_isolation: z.enum(pageIsolations).catch('none').default('none'),
  }),
  ready: z.object({ clock_offset_ms: z.number() }),
  ping: z.object({ number: wireCount }),
  /** Each result is read by itself: one bad result does not affect its neighbours. */
  results: z.object({ results: z.array(z.unknown()).max(mostResultsInFrame) }),
  diagnosis: z.object({ id: wireId, is_ok: z.boolean(), lines: z.array(wireText(longest.line)).max(most.lines) }),
} as const

const fromCore = {
  welcome: z.object({ protocol: z.int().min(1), sensor_id: z.int(), name: z.string() }),
  pong: z.object({ number: wireCount, at: wireMoment }),
  /** Each job is read by itself, like results. */
  jobs: z.object({ jobs: z.array(z.unknown()), settings: z.array(z.unknown()).default([]) }),
  diagnose: z.object({
    id: wireId,
    deadline_at: wireMoment,
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
  acknowledge: z.object({ ids: z.array(wireId) }),
} as const

type Frames = Readonly<Record<string, z.ZodType>>
type FrameOf<F extends Frames> = { [K in keyof F]: { readonly kind: K } & z.output<F[K]> }[keyof F]
type SentOf<F extends Frames> = { [K in keyof F]: { readonly kind: K } & z.input<F[K]> }[keyof F]

export type StationFrame = FrameOf<typeof fromStation>
export type CoreFrame = FrameOf<typeof fromCore>

type ByHand<F extends Frames> = {
  readonly [K in keyof F]?: (given: Readonly<Record<string, unknown>>) => FrameOf<F> | null
}

/** Reads a frame. Null for a kind that this version does not know; throws if it is no frame. */
function reader<F extends Frames>(kinds: F, byHand: ByHand<F>): (data: string) => FrameOf<F> | null {
  const envelope = z.object({ kind: z.string() })
  return (data) => {
    const frame: unknown = JSON.parse(data)
    const { kind } = envelope.parse(frame)
    const schema = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined
    if (schema === undefined) return null
    const read = byHand[kind]?.(frame as Readonly<Record<string, unknown>>)
    return read ?? ({ kind, ...(schema.parse(frame) as object) } as FrameOf<F>)
  }
}

function isId(given: unknown): given is string {
  return typeof given === 'string' && given.length > 0 && given.length <= longest.id
}

/**
 * These frames arrive by the hundred per second with thousands of items. They are checked without the schema, which
 * would copy each one; the schema handles unusual items.
 */
export const readStationFrame = reader(fromStation, {
  results: ({ results }) =>
    Array.isArray(results) && results.length <= mostResultsInFrame ? { kind: 'results', results } : null,
})
export const readCoreFrame = reader(fromCore, {
  jobs: ({ jobs, settings = [] }) =>
    Array.isArray(jobs) && Array.isArray(settings) ? { kind: 'jobs', jobs, settings } : null,
  acknowledge: ({ ids }) => (Array.isArray(ids) && ids.every(isId) ? { kind: 'acknowledge', ids } : null),
})

export function stationFrame(frame: SentOf<typeof fromStation>): string {
  return JSON.stringify(frame)
}

export function coreFrame(frame: SentOf<typeof fromCore>): string {
  return JSON.stringify(frame)
}

export function wireDiagnosis(diagnosisId: string, { request, deadlineAt }: DiagnosticJob): string {
  return coreFrame({ kind: 'diagnose', id: diagnosisId, request, deadline_at: deadlineAt })
}
