import type { SettingValue } from '../../domain/services/service-types.ts'
import { longest } from '../bounds.ts'
import type { CheckJob } from '../protocol.ts'
import { usualFrameBytes } from './wire.ts'

/** The size of a job without its settings and its address. */
const usualJobBytes = 256

export interface WireJob {
  readonly id: string
  readonly service_id: number
  readonly type_id: string
  readonly address: string
  readonly settings: Readonly<Record<string, SettingValue>>
  readonly start_at: number
  readonly deadline_at: number
  /** Older cores do not send it. */
  readonly owner_key?: string
  /** True if a picture of a good page is wanted; older cores do not send it. */
  readonly wants_screenshot?: true
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

function jobText(job: WireJob, settings: string): string {
  const { id, service_id, type_id, address, start_at, deadline_at, owner_key, wants_screenshot } = job
  const what = `"service_id":${service_id},"type_id":${JSON.stringify(type_id)},"address":${JSON.stringify(address)}`
  const owner = owner_key === undefined ? '' : `,"owner_key":${JSON.stringify(owner_key)}`
  const picture = wants_screenshot === true ? ',"wants_screenshot":true' : ''
  return `{"id":"${id}",${what},"settings":${settings},"start_at":${start_at},"deadline_at":${deadline_at}${owner}${picture}}`
}

/**
 * Packs jobs into as few frames as their sizes allow. Settings are long and often shared by many services. With
 * `isShared`, each frame has them once, and its jobs refer to them.
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

/** The settings that the jobs of a frame share; null for an invalid entry. */
export function readSharedSettings(given: readonly unknown[]): readonly (WireJob['settings'] | null)[] {
  return given.map((settings) => (areSettings(settings) ? settings : null))
}

/**
 * Null for an invalid job. Parsed by hand, because a station reads thousands per second and a schema costs ten times as
 * much.
 */
export function readJob(given: unknown, shared: readonly (WireJob['settings'] | null)[] = []): WireJob | null {
  if (typeof given !== 'object' || given === null) return null
  const {
    id: jobId,
    service_id,
    type_id,
    address,
    settings: own,
    start_at,
    deadline_at,
    owner_key,
    wants_screenshot,
  } = given as Partial<WireJob>
  if (typeof jobId !== 'string' || jobId.length === 0 || jobId.length > longest.id) return null
  if (!Number.isSafeInteger(service_id) || typeof type_id !== 'string' || typeof address !== 'string') return null
  if (typeof start_at !== 'number' || typeof deadline_at !== 'number') return null
  const settings = typeof own === 'number' ? (shared[own] ?? null) : areSettings(own) ? own : null
  if (settings === null) return null
  const owner = isOwnerKey(owner_key) ? { owner_key } : {}
  const picture = wants_screenshot === true ? { wants_screenshot } : {}
  return {
    id: jobId,
    service_id: Number(service_id),
    type_id,
    address,
    settings,
    start_at,
    deadline_at,
    ...owner,
    ...picture,
  }
}

function isOwnerKey(given: unknown): given is string {
  return typeof given === 'string' && given.length <= longest.id
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
    ...(job.ownerKey === undefined ? {} : { owner_key: job.ownerKey }),
    ...(job.wantsScreenshot === true ? { wants_screenshot: true } : {}),
  }
}

export function jobOfWire({ service_id: serviceId, type_id: typeId, address, settings, ...job }: WireJob): CheckJob {
  const moments = { startAt: job.start_at, deadlineAt: job.deadline_at }
  const owner = job.owner_key === undefined ? {} : { ownerKey: job.owner_key }
  const picture = job.wants_screenshot === true ? ({ wantsScreenshot: true } as const) : {}
  return { serviceId, sensorId: 0, typeId, address, settings, ...moments, ...owner, ...picture }
}
