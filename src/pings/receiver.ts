import type { FastifyRequest } from 'fastify'
import type { Database } from '../database/connect.ts'
import { networkOf, withoutPort } from '../domain/access/network.ts'
import type { Clock } from '../domain/clock.ts'
import { isPingSlug } from '../domain/services/ping-slug.ts'
import { findBySlug } from '../service-state/pings.ts'
import { isUuid, type PingReport, reportOf } from './ping-address.ts'
import type { PingWriter } from './ping-writer.ts'
import { WindowCounter } from './window-counter.ts'

/** Per minute, in this process. */
export interface PingLimits {
  readonly perHeartbeat: number
  /** Pings of one network to heartbeats that do not exist. */
  readonly unknownPerNetwork: number
}

const usualLimits: PingLimits = { perHeartbeat: 120, unknownPerNetwork: 60 }

export interface ReceiverParts {
  readonly database: Database
  readonly clock: Clock
  readonly writer: Pick<PingWriter, 'add'>
  readonly limits?: PingLimits
  /** Makes a heartbeat of an account by its slug; false: the account may not have it. */
  readonly create: (accountId: number, slug: string) => Promise<boolean>
}

export type PingAnswer = 'stored' | 'unknown' | 'ambiguous' | 'malformed' | 'too_many' | 'refused' | 'not_created'

const longestAgent = 200

export function queryOf({ url }: FastifyRequest): URLSearchParams {
  const question = url.indexOf('?')
  return new URLSearchParams(question < 0 ? '' : url.slice(question + 1))
}

export interface PingCall {
  readonly uuid: string
  readonly report: PingReport
  readonly rid: string | null
  readonly body: Buffer | null
}

/** Finds the heartbeat that a ping names, within the limits of everybody, and hands it to the writer. */
export class PingReceiver {
  readonly #parts: ReceiverParts
  readonly #limits: PingLimits
  readonly #ofHeartbeats = new WindowCounter()
  readonly #ofNetworks = new WindowCounter()

  constructor(parts: ReceiverParts) {
    this.#parts = parts
    this.#limits = parts.limits ?? usualLimits
  }

  async store(request: FastifyRequest, { uuid: given, report, rid, body }: PingCall): Promise<PingAnswer> {
    const now = this.#parts.clock.now()
    const uuid = given.toLowerCase()
    if (this.#ofHeartbeats.countOf(uuid, now) >= this.#limits.perHeartbeat) return 'too_many'
    // Counted before it is stored, since many may come at once.
    this.#ofHeartbeats.add(uuid, now)
    const userAgent = (request.headers['user-agent'] ?? '').slice(0, longestAgent)
    const ipAddress = withoutPort(request.ip)
    const caller = { ipAddress, method: request.method, userAgent }
    const ping = { uuid, at: now, ...report, rid, ...caller, body }
    const outcome = await this.#parts.writer.add(ping, networkOf(ipAddress))
    return outcome === 'unknown' ? this.unknown(request) : outcome
  }

  /** Guessing is slowed down; a known address is answered whoever else guesses from the same network. */
  unknown(request: FastifyRequest): PingAnswer {
    const [network, now] = [networkOf(withoutPort(request.ip)), this.#parts.clock.now()]
    this.#ofNetworks.add(network, now)
    return this.#ofNetworks.countOf(network, now) > this.#limits.unknownPerNetwork ? 'too_many' : 'unknown'
  }

  /** `/ping/{uuid}[/action]` or `/ping/{ping_key}/{slug}[/action]`. */
  async hear(request: FastifyRequest): Promise<PingAnswer> {
    const { key = '', second, third } = request.params as Readonly<Record<string, string | undefined>>
    if (isUuid(key)) return third === undefined ? this.#report(request, key, second) : this.unknown(request)
    if (second === undefined || !/^[\w-]{22}$/.test(key)) return this.unknown(request)
    if (!isPingSlug(second)) return 'malformed'
    const found = await this.#bySlug(request, key, second)
    return 'uuid' in found ? this.#report(request, found.uuid, third) : found.answer
  }

  async #bySlug(
    request: FastifyRequest,
    key: string,
    slug: string,
  ): Promise<{ readonly uuid: string } | { readonly answer: PingAnswer }> {
    const { database, create } = this.#parts
    const found = await findBySlug(database, key, slug)
    if (found === null) return { answer: this.unknown(request) }
    const [uuid, another] = found.uuids
    if (another !== undefined) return { answer: 'ambiguous' }
    if (uuid !== undefined) return { uuid }
    if (queryOf(request).get('create') !== '1') return { answer: this.unknown(request) }
    if (!(await create(found.accountId, slug))) return { answer: 'not_created' }
    const [made] = (await findBySlug(database, key, slug))?.uuids ?? []
    return made === undefined ? { answer: 'unknown' } : { uuid: made }
  }

  async #report(request: FastifyRequest, uuid: string, action: string | undefined): Promise<PingAnswer> {
    const report = reportOf(action)
    const rid = queryOf(request).get('rid')
    if (report === null || (rid !== null && !isUuid(rid))) return 'malformed'
    const body = request.body instanceof Buffer && request.body.length > 0 ? request.body : null
    return this.store(request, { uuid, report, rid: rid?.toLowerCase() ?? null, body })
  }
}
