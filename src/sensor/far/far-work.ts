import { createBatch, type LogFacts, type LogLevel } from '../messages.ts'
import type { CheckResult, Stations } from '../protocol.ts'
import { withoutClockFault } from './clock-fault.ts'
import type { CoreClock } from './core-clock.ts'
import type { Bounds, KeptResults } from './kept-results.ts'
import { mostResultsInFrame, usualFrameBytes } from './wire.ts'
import { type CoreFrame, stationFrame } from './wire-frames.ts'
import { jobOfWire, readJob, readSharedSettings, type WireJob } from './wire-jobs.ts'
import { wireResult } from './wire-results.ts'

export interface FarWorkOptions {
  /** Runs the checks, as sensor 0. */
  readonly stations: Pick<Stations, 'check' | 'diagnose'>
  readonly kept: KeptResults
  readonly clock: Pick<CoreClock, 'toWall' | 'toCore' | 'wallOffset'>
  /** True if results may be handed over. */
  readonly isOpen: () => boolean
  readonly send: (frame: string) => void
  readonly log: (level: LogLevel, message: string, facts?: LogFacts) => void
}

const gathering = { aloneMs: 5, streamMs: 25 } as const
const frameBounds: Bounds = { count: mostResultsInFrame, bytes: usualFrameBytes }
const windowBounds: Bounds = { count: 5000, bytes: 32 * 1_048_576 }

/** A remote station's work over any connection: jobs run once, and results are kept until they are acknowledged. */
export class FarWork {
  readonly #options: FarWorkOptions
  readonly #underWay = new Set<string>()
  readonly #flush: (nothing: null) => void
  #isOver = false

  constructor(options: FarWorkOptions) {
    this.#options = options
    this.#flush = createBatch(gathering, () => this.handOver())
  }

  /** Skips jobs that cannot be read. */
  take({ jobs, settings }: Extract<CoreFrame, { kind: 'jobs' }>): void {
    const shared = readSharedSettings(settings)
    for (const one of jobs) {
      const job = readJob(one, shared)
      if (job === null) this.#options.log('error', 'The core sent a job that cannot be read.')
      else this.#check(job)
    }
  }

  async diagnose({ id, request, deadline_at }: Extract<CoreFrame, { kind: 'diagnose' }>): Promise<void> {
    const { stations, clock, send } = this.#options
    const { isOk, lines } = await stations.diagnose({ sensorId: 0, request, deadlineAt: clock.toWall(deadline_at) })
    send(stationFrame({ kind: 'diagnosis', id, is_ok: isOk, lines: [...lines] }))
  }

  acknowledge(ids: readonly string[]): void {
    this.#options.kept.acknowledge(ids)
    this.#flush(null)
  }

  /** Sends the kept results over a new connection. */
  begin(): void {
    this.#options.kept.rewind()
    this.handOver()
  }

  /** Sends kept results as far as the window is open. */
  handOver(): void {
    const { kept, isOpen, send } = this.#options
    kept.write()
    while (isOpen()) {
      const texts = kept.take(frameBounds, windowBounds)
      if (texts.length === 0) return
      send(`{"kind":"results","results":[${texts.join(',')}]}`)
    }
  }

  /** Hands over the remaining results; later answers are dropped. */
  end(): void {
    this.#isOver = true
    this.handOver()
  }

  #check(wire: WireJob): void {
    if (this.#underWay.has(wire.id)) return
    this.#underWay.add(wire.id)
    const { stations, clock } = this.#options
    const job = jobOfWire(wire)
    const moments = { startAt: clock.toWall(job.startAt), deadlineAt: clock.toWall(job.deadlineAt) }
    void stations.check({ ...job, ...moments }).then((result) => this.#keep(wire.id, result))
  }

  #keep(id: string, result: CheckResult): void {
    this.#underWay.delete(id)
    if (this.#isOver) return
    const { clock, kept } = this.#options
    const startedAt = clock.toCore(result.startedAt)
    kept.add(wireResult(id, withoutClockFault(result, clock.wallOffset, startedAt), startedAt))
    this.#flush(null)
  }
}
