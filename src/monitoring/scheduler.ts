import type { Database } from '../database/connect.ts'
import type { Clock } from '../domain/clock.ts'
import { isStale, latenessTolerance, startOf } from '../domain/judging/schedule.ts'
import type { AbandonedWork } from '../presence/abandoned.ts'
import {
  type ClaimedRound,
  claimDue,
  dropPlans,
  nextDueAt,
  type RoundClaimRequest,
  type RoundTarget,
  readTargets,
  releaseClaims,
  renewLeases,
} from '../service-state/claims.ts'
import { skipRounds } from '../service-state/schedule.ts'
import type { MonitoringTelemetry } from '../telemetry/port.ts'
import type { Timers } from '../turns/timers.ts'
import { Turns } from '../turns/turns.ts'
import type { ClockWatch } from './clock-watch.ts'
import type { Log, Outage } from './outage.ts'
import { shortInterval } from './recordable-round.ts'
import type { Recorder } from './recorder.ts'
import { roundHeap } from './round-heap.ts'

/** Milliseconds from one claim to the next, and how far ahead of their start rounds are claimed. */
const claimPause = 1000
const claimAhead = 1500
/** While services of short intervals are due: their next rounds can be claimed only after these were recorded. */
const shortClaimPause = 500
/** Milliseconds between claims while nothing is due. A new plan wakes the scheduler. */
const restingPause = 5000
const claimSize = 500
/** Claims of one turn; more than a hundred thousand services in a second are left for the next turn. */
const maximumBatches = 200
/** Rounds due this long ago can be late but not missed. Milliseconds, a little more than the tolerance. */
const onTimeWithin = latenessTolerance + 100
/**
 * Milliseconds that one turn spends at most on rounds that are overdue (given back, or of a time in which nobody
 * claimed), so that they make no other round late.
 */
const overdueShare = 300
/**
 * After this time a round is free again if its process neither lives nor is known to be dead; a living one renews it.
 * Milliseconds.
 */
const leaseLength = 10_000
/**
 * Jobs that go out ahead go out together with those of the next moments, since each wake-up costs. Their stations wait
 * for each one's own moment. Milliseconds.
 */
const companyAhead = 200
/** A timer may fire a fraction of a millisecond early. */
const timerSlack = 0.5

export interface SchedulerParts {
  readonly database: Database
  readonly clock: Clock
  readonly timers: Timers
  readonly outage: Outage
  readonly log: Log
  /** How many milliseconds before its start a round is run, for the way of its jobs to their stations. */
  readonly leadOf: (target: RoundTarget) => number
  /** Runs one round to its recording's queue. Never rejects for a failing target. */
  readonly run: (claim: ClaimedRound, target: RoundTarget) => Promise<void>
  readonly recorder: Pick<Recorder, 'claims' | 'flush' | 'room'>
  readonly watch: Pick<ClockWatch, 'isAstray' | 'follow'>
  readonly abandoned: Pick<AbandonedWork, 'giveBack'>
  /** The session that holds what is claimed; null: only leases do. */
  readonly session: () => string | null
  readonly telemetry: Pick<MonitoringTelemetry, 'claimed' | 'began' | 'missed'>
}

type Lease = Pick<RoundClaimRequest, 'leasedUntil' | 'heldBy'>

interface HeldRound {
  readonly claim: ClaimedRound
  readonly target: RoundTarget
  /** The due moment by the clock that never steps. */
  readonly dueAt: number
  /** How long before its moment it is run. */
  readonly leadMs: number
}

/** Claims rounds shortly ahead and starts each at its moment. Any number of processes may do so side by side. */
export class Scheduler {
  readonly #parts: SchedulerParts
  readonly #ahead = roundHeap<HeldRound>()
  readonly #running = new Map<ClaimedRound, Promise<void>>()
  readonly #leases = new WeakMap<ClaimedRound, Lease>()
  readonly #turns: Turns
  #armedFor = Number.POSITIVE_INFINITY
  #cancelStart: (() => void) | null = null
  #isStopped = false
  #renewedAt = Number.NEGATIVE_INFINITY
  /** True from the moment when no round could be claimed until there is room for many. */
  #isFull = false
  /** By the clock that never steps: as long as the next round of a short interval may come. */
  #hurriesUntil = Number.NEGATIVE_INFINITY

  constructor(parts: SchedulerParts) {
    this.#parts = parts
    this.#turns = new Turns({
      timers: parts.timers,
      take: async () => {
        const beganAt = parts.timers.monotonic()
        const claimed = await this.#takeTurn(claimAhead)
        // A turn of many batches takes long: what is due after its horizon must not wait for a whole pause on top.
        return claimed > 0 ? Math.max(0, this.#claimPause - (parts.timers.monotonic() - beganAt)) : this.#restUntilDue()
      },
    })
  }

  /** Rounds that are claimed and wait for their moment. */
  get inLine(): number {
    return this.#ahead.size
  }

  get #claimPause(): number {
    return this.#parts.timers.monotonic() < this.#hurriesUntil ? shortClaimPause : claimPause
  }

  get underWay(): number {
    return this.#running.size
  }

  start(): void {
    this.#turns.start()
  }

  /** Claims at once instead of at the next turn. */
  wake(): void {
    this.#turns.wake()
  }

  /** Runs everything due now to its recording, until nothing is due. One that stops claims nothing more. */
  async drain(): Promise<void> {
    for (let turn = 0; turn < maximumBatches && !this.#isStopped; turn++) {
      await this.#turns.rest()
      await this.#takeTurn(1)
      // A service that reports in has no round to wait for.
      const due = this.#running.size + this.#parts.recorder.claims().length
      await Promise.all(this.#running.values())
      await this.#parts.recorder.flush()
      if (due === 0) return
    }
  }

  /** Starts nothing more, hands back what has not started and waits for the rest, at most `patience` milliseconds. */
  async stop(patience: number): Promise<void> {
    this.#isStopped = true
    this.#cancelStart?.()
    await this.#turns.stop()
    await this.#handBack(this.#ahead.clear().map(({ claim }) => claim))
    let giveUp = () => {}
    const patienceEnds = new Promise<void>((resolve) => {
      giveUp = this.#parts.timers.after(patience, resolve)
    })
    await Promise.race([Promise.all(this.#running.values()), patienceEnds])
    giveUp()
    await this.#parts.recorder.flush()
    await this.#handBack([...this.#running.keys()])
  }

  async #handBack(claims: readonly ClaimedRound[]): Promise<void> {
    if (claims.length === 0) return
    await this.#parts.outage.guard('Handing back rounds', () => releaseClaims(this.#parts.database, claims))
  }

  /** Returns how many rounds were claimed. */
  async #takeTurn(ahead: number): Promise<number> {
    let all = 0
    await this.#parts.outage.guard('Claiming', async () => {
      await this.#parts.watch.follow()
      await this.#renew()
      await this.#parts.abandoned.giveBack()
      all += await this.#claimOnTime(ahead)
      all += await this.#claimOverdue()
    })
    this.#startDue()
    return all
  }

  async #claimOnTime(ahead: number): Promise<number> {
    let all = 0
    for (let batch = 0; batch < maximumBatches; batch++) {
      const now = this.#parts.clock.now()
      const claimed = await this.#claim({ fromAt: now - onTimeWithin, horizonAt: now + ahead })
      all += claimed
      if (claimed < claimSize) break
    }
    return all
  }

  /** After the others: after a restart with many services, those that were missed must not make the others late. */
  async #claimOverdue(): Promise<number> {
    const { timers, clock } = this.#parts
    const beganAt = timers.monotonic()
    let all = 0
    let claimed = claimSize
    while (claimed === claimSize && timers.monotonic() - beganAt < overdueShare) {
      claimed = await this.#claim({ fromAt: Number.NEGATIVE_INFINITY, horizonAt: clock.now() - onTimeWithin })
      all += claimed
    }
    return all
  }

  /**
   * How long the next claim has time, in milliseconds. Held rounds keep this process awake, since leases need to be
   * renewed; and without a session it does not hear of new plans.
   */
  async #restUntilDue(): Promise<number> {
    const { database, clock, outage, recorder, session } = this.#parts
    const holds = this.#running.size > 0 || this.#ahead.size > 0 || recorder.claims().length > 0
    if (holds || session() === null) return this.#claimPause
    let pause = claimPause
    await outage.guard('Claiming', async () => {
      const dueIn = (await nextDueAt(database)) - clock.now() - claimAhead
      pause = Math.min(restingPause, Math.max(claimPause, dueIn))
    })
    return pause
  }

  /** Before every claim: after an outage what waits for its recording must not be claimed a second time. */
  async #renew(): Promise<void> {
    const { database, clock, timers, recorder, session } = this.#parts
    const now = timers.monotonic()
    if (now - this.#renewedAt < leaseLength / 3) return
    const lease = { leasedUntil: clock.now() + leaseLength, heldBy: session() }
    // Most rounds end long before their lease: only those that lasted are renewed.
    const isFresh = (known: Lease | undefined) =>
      known?.heldBy === lease.heldBy && known.leasedUntil > lease.leasedUntil - leaseLength / 3
    const held = [...this.#running.keys(), ...recorder.claims()].filter((claim) => !isFresh(this.#leases.get(claim)))
    if (held.length > 0) await renewLeases(database, held, lease)
    for (const claim of held) this.#leases.set(claim, lease)
    this.#renewedAt = now
  }

  /** Claims one batch and puts its rounds in line; tells how many there were. */
  async #claim(range: Pick<RoundClaimRequest, 'fromAt' | 'horizonAt'>): Promise<number> {
    const { database, clock, timers, watch, session } = this.#parts
    // Set in this very moment: what is due by such a clock is not due. The next turn follows it first.
    if (watch.isAstray) return 0
    const limit = this.#claimable()
    if (limit === 0) return 0
    const now = clock.now()
    const offset = timers.monotonic() - now
    const lease = { leasedUntil: now + leaseLength, heldBy: session() }
    const claims = await claimDue(database, { now, ...range, ...lease, limit })
    for (const claim of claims) this.#leases.set(claim, lease)
    this.#parts.telemetry.claimed(claims)
    const due = claims.flatMap((claim) => {
      const startAt = startOf(claim, now)
      return startAt === null ? [] : [{ claim, startsAt: startAt + offset, dueAt: claim.dueAt + offset }]
    })
    if (due.length < claims.length) await this.#skip(claims.filter((claim) => startOf(claim, now) === null))
    if (due.length > 0) await this.#line(due)
    return claims.length
  }

  /** While recording is slower than checking, further rounds are left to other processes, or missed and counted. */
  #claimable(): number {
    const room = Math.max(0, this.#parts.recorder.room - this.#ahead.size)
    if (room === 0 && !this.#isFull) this.#parts.log.warn('Too many rounds wait for the database; no more are claimed')
    if (room >= claimSize && this.#isFull) this.#parts.log.info('Rounds are claimed again')
    if (room === 0 || room >= claimSize) this.#isFull = room === 0
    return Math.min(claimSize, room)
  }

  /** Puts rounds in line by the clock that never steps. */
  async #line(due: readonly (Pick<HeldRound, 'claim' | 'dueAt'> & { readonly startsAt: number })[]): Promise<void> {
    const { database, timers } = this.#parts
    const rows = await readTargets(
      database,
      due.map(({ claim }) => claim.serviceId),
    )
    if (rows.some(({ interval }) => interval < shortInterval))
      this.#hurriesUntil = timers.monotonic() + shortInterval * 1000
    const targets = new Map(rows.map((row) => [row.id, row]))
    const gone: number[] = []
    for (const { claim, dueAt, startsAt } of due) {
      const target = targets.get(claim.serviceId)
      if (target === undefined) gone.push(claim.serviceId)
      else {
        const leadMs = this.#parts.leadOf(target)
        this.#ahead.push(startsAt - leadMs, { claim, target, dueAt, leadMs })
      }
    }
    if (gone.length > 0) await dropPlans(database, gone)
    this.#startDue()
  }

  async #skip(claims: readonly ClaimedRound[]): Promise<void> {
    const { database, clock, telemetry } = this.#parts
    telemetry.missed(await database.transaction((transaction) => skipRounds(transaction, claims, clock.now())))
  }

  /** Starts what is due and sets the one timer for what comes next. */
  #startDue(): void {
    const missed: ClaimedRound[] = []
    const now = this.#parts.timers.monotonic()
    while (this.#isNextToStart(now)) {
      const round = this.#ahead.pop()
      if (round === undefined) break
      // A machine that slept, or a held event loop, must not make a burst either.
      if (isStale({ reason: round.claim.reason, dueAt: round.dueAt }, now)) missed.push(round.claim)
      else this.#run(round)
    }
    if (missed.length > 0) void this.#parts.outage.guard('Skipping missed rounds', () => this.#skip(missed))
    this.#arm()
  }

  #isNextToStart(now: number): boolean {
    const startsAt = this.#ahead.nextStart()
    if (startsAt <= now + timerSlack) return true
    return startsAt <= now + companyAhead && (this.#ahead.next()?.leadMs ?? 0) > 0
  }

  #arm(): void {
    const next = this.#ahead.nextStart()
    if (next === this.#armedFor) return
    this.#cancelStart?.()
    this.#cancelStart = null
    this.#armedFor = next
    if (next === Number.POSITIVE_INFINITY) return
    this.#cancelStart = this.#parts.timers.after(next - this.#parts.timers.monotonic(), () => {
      this.#armedFor = Number.POSITIVE_INFINITY
      this.#startDue()
    })
  }

  #run({ claim, target, dueAt, leadMs }: HeldRound): void {
    const { run, log, timers, telemetry } = this.#parts
    telemetry.began(claim, Math.max(0, timers.monotonic() + leadMs - dueAt))
    const done = run(claim, target)
      .catch((error: unknown) => log.error({ err: error, service_id: claim.serviceId }, 'A round broke off'))
      .finally(() => this.#running.delete(claim))
    this.#running.set(claim, done)
  }
}
