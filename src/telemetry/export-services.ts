/** Sends the metrics of services to a collector. The libraries are loaded only if somebody wants that. */
import { randomUUID } from 'node:crypto'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import type { ResourceMetrics } from '@opentelemetry/sdk-metrics'
import type { Database } from '../database/connect.ts'
import {
  readCoreId,
  readSensorNames,
  readServicePage,
  unknownAccounts,
} from '../database/services/measured-services.ts'
import { claimExport, leaveExport } from '../database/services/service-metrics-export.ts'
import type { Clock } from '../domain/clock.ts'
import { ResultCounts } from '../domain/service-level/service-measures.ts'
import type { Timers } from '../turns/timers.ts'
import { Turns } from '../turns/turns.ts'
import { metricsOf } from './service-points.ts'

export interface ServiceExportParts {
  readonly url: string
  /** Usernames of main accounts; null: all. */
  readonly accounts: readonly string[] | null
  readonly intervalMs: number
  /** Milliseconds until a request that is not answered counts as failed; repetitions of it included. */
  readonly patienceMs?: number
  readonly version: string
  readonly database: Database
  readonly clock: Clock
  readonly timers: Timers
  readonly log: { info(facts: object, text: string): void; warn(facts: object, text: string): void }
}

/** The most services that are sent, as of `/v3/metrics/services`. */
const maximumServices = 20_000
/** Services of one request. Collectors take some megabytes; a service has at most some kilobytes. */
const pageSize = 500
const usualPatience = 10_000
/** Milliseconds that a process may need between two pages before another one takes over. */
const slack = 30_000
/** Milliseconds that the end of the program waits for the collector. */
const lastPatience = 1000

/** One process of an installation sends, as every series must come from one source. */
export class ServiceExport {
  readonly #parts: ServiceExportParts
  readonly #exporter: OTLPMetricExporter
  readonly #turns: Turns
  readonly #holder = randomUUID()
  #counting: { readonly counts: ResultCounts; readonly since: number } | null = null
  #isStopped = false
  /** The collector, or the database, was away the last time; that is told once. */
  #isLost = false
  #lacks = ''

  constructor(parts: ServiceExportParts) {
    this.#parts = parts
    this.#exporter = new OTLPMetricExporter({ url: parts.url, timeoutMillis: parts.patienceMs ?? usualPatience })
    this.#turns = new Turns({ timers: parts.timers, take: () => this.#take() })
  }

  start(): void {
    this.#turns.start()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    const { timers, database } = this.#parts
    const ending = (async () => {
      await this.#turns.stop()
      await leaveExport(database, this.#holder)
      await this.#exporter.shutdown()
    })()
    let cancel = () => {}
    const patienceEnds = new Promise<void>((resolve) => {
      cancel = timers.after(lastPatience, resolve)
    })
    // The lease ends by itself, and a hanging collector gets nothing more.
    await Promise.race([ending.catch(() => undefined), patienceEnds])
    cancel()
  }

  /** The pause is counted from the beginning, so that a slow collector does not stretch it. */
  async #take(): Promise<number> {
    const { timers, intervalMs, log } = this.#parts
    const begunAt = timers.monotonic()
    try {
      if (await this.#claim()) await this.#send()
      else this.#counting = null
    } catch (error) {
      // Its answer may repeat what was sent.
      const reason = error instanceof Error ? error.message : String(error)
      if (!this.#isStopped && !this.#isLost) log.warn({ reason }, 'the metrics of services do not reach the collector')
      this.#isLost = true
    }
    return Math.max(0, begunAt + intervalMs - timers.monotonic())
  }

  #claim(): Promise<boolean> {
    const { database, clock, intervalMs } = this.#parts
    return claimExport(database, { holder: this.#holder, now: clock.now(), leaseMs: intervalMs + slack })
  }

  async #send(): Promise<void> {
    const { database, clock, accounts, log } = this.#parts
    this.#counting ??= { counts: new ResultCounts(), since: clock.now() }
    const { counts, since } = this.#counting
    const [sensors, resource] = [await readSensorNames(database), await this.#resource()]
    const sent = new Set<number>()
    let afterId = 0
    while (!this.#isStopped && sent.size < maximumServices) {
      const now = clock.now()
      const page = await readServicePage(database, { accounts, afterId, limit: pageSize, now })
      const ids = page.services.map(({ id }) => id)
      if (ids.length === 0) break
      counts.take(ids, page.counted)
      await this.#export(resource, metricsOf({ ...page, counts, sensors, since, now }))
      for (const id of ids) sent.add(id)
      afterId = ids.at(-1) ?? afterId
      if (ids.length < pageSize || !(await this.#claim())) break
    }
    counts.finish(sent)
    if (this.#isLost) log.info({}, 'the metrics of services reach the collector again')
    this.#isLost = false
    await this.#tellLacks(sent.size >= maximumServices)
  }

  async #tellLacks(isFull: boolean): Promise<void> {
    const { database, accounts, log } = this.#parts
    const unknown = await unknownAccounts(database, accounts)
    const lacks = JSON.stringify({ unknown, isFull })
    if (lacks === this.#lacks) return
    this.#lacks = lacks
    if (unknown.length > 0) log.warn({ accounts: unknown }, 'no main account has this name: nothing of it is sent')
    if (isFull) log.warn({ services: maximumServices }, 'metrics of more services are not sent; name fewer accounts')
  }

  async #resource(): Promise<ResourceMetrics['resource']> {
    const { database, version } = this.#parts
    const instance = (await readCoreId(database)) ?? this.#holder
    const own = { 'service.name': 'latarnik', 'service.version': version, 'service.instance.id': instance }
    return defaultResource()
      .merge(resourceFromAttributes(own))
      .merge(detectResources({ detectors: [envDetector] }))
  }

  #export(resource: ResourceMetrics['resource'], metrics: ReturnType<typeof metricsOf>): Promise<void> {
    const scope = { name: 'latarnik', version: this.#parts.version }
    return new Promise((resolve, reject) => {
      this.#exporter.export({ resource, scopeMetrics: [{ scope, metrics }] }, ({ code, error }) => {
        if (code === 0) resolve()
        else reject(error ?? new Error('the collector refused the metrics'))
      })
    })
  }
}
