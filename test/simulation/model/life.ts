import type { Script, ServiceFields, ServiceScript, Stretch } from '../script.ts'
import { type LocalTime, ModelCalendar, type PlanReason } from './calendar.ts'
import { type Status, statusOf } from './status.ts'
import { type Notice, Telling } from './telling.ts'
import { hasSensors, verdictAt } from './verdict.ts'

/** The model of one service's life: what the specification's tables make of the story, one thing after the other. */

export type PauseReason = PlanReason | 'user' | 'archived' | 'account_blocked'

/** A period in one state; the last has no end. */
export interface Change {
  readonly status: 'ok' | 'failure' | 'paused'
  readonly reason: PauseReason | null
  readonly start: number
  end: number | null
}

export interface Life {
  readonly changes: readonly Change[]
  readonly notices: readonly FullNotice[]
  /** At the end of the story. */
  readonly status: Status | null
}

/** A notice with what it tells of the periods before. */
export interface FullNotice extends Notice {
  readonly previous: { readonly status: Change['status']; readonly start: number } | null
  readonly durationSeconds: number | null
}

type Stop = 'user' | 'archived' | 'account_blocked' | 'calendar'

/** The project's choice: a round that is later than this is missed; one that is less late comes this much later. */
const lateness = 1000

interface Cue {
  readonly at: number
  readonly act: () => void
}

export function liveThrough(script: Script, service: ServiceScript, localTimeOf: (zoneId: string) => LocalTime): Life {
  const life = new ModelLife(script, service, localTimeOf)
  if (service.createdAt >= script.to) return { changes: [], notices: [], status: null }
  life.live()
  const { changes, telling } = life
  return { changes, notices: telling.notices.map((notice) => inFull(notice, changes)), status: life.status() }
}

/** "Times in output are whole seconds": what lasts takes the seconds from its shown start to its shown end. */
const shown = (at: number) => Math.floor(at / 1000)

/** For a recovery: how long the failure lasted; for a continuation: how long it has lasted. */
function inFull(notice: Notice, changes: readonly Change[]): FullNotice {
  const index = changes.findIndex(({ start }) => start === notice.since)
  const previous = changes[index - 1]
  const failure = changes.slice(0, index + 1).findLast(({ status }) => status === 'failure')
  const speaksOfFailure = notice.condition === 'recovery' || notice.condition === 'failure_continuation'
  const length = failure === undefined ? 0 : shown(failure.end ?? notice.at) - shown(failure.start)
  const lastedFor = notice.condition === 'recovery' ? length : shown(notice.at) - shown(notice.since)
  return {
    ...notice,
    previous: previous === undefined ? null : { status: previous.status, start: previous.start },
    durationSeconds: speaksOfFailure ? lastedFor : null,
  }
}

class ModelLife {
  readonly changes: Change[] = []
  readonly telling = new Telling()
  readonly #script: Script
  readonly #service: ServiceScript
  readonly #calendar: ModelCalendar
  readonly #cues: readonly Cue[]
  #now: number
  #fields: ServiceFields
  #isArchived = false
  #isBlocked = false
  #isMonitored = false
  #isQuiet = false
  /** A round that comes whatever the grid says: asked for, or the first after a pause. */
  #promisedAt: number | null = null
  #plannedAt = Number.POSITIVE_INFINITY
  #verdict: { readonly status: 'ok' | 'failure'; readonly at: number } | null = null
  #wasStopped = false
  /** The last round of the monitored service had no verdict. */
  #isWithoutVerdict = false

  constructor(script: Script, service: ServiceScript, localTimeOf: (zoneId: string) => LocalTime) {
    const owner = script.owners.find(({ name }) => name === service.owner)
    const zoneAtFirst = owner?.zoneChanges.findLast(({ at }) => at < service.createdAt)?.zoneId ?? owner?.zoneId ?? ''
    const { suspension_hours: suspensionHours, silent_hours: silentHours } = service.fields
    this.#script = script
    this.#service = service
    this.#fields = service.fields
    this.#now = service.createdAt
    this.#calendar = new ModelCalendar(localTimeOf(zoneAtFirst), { suspensionHours, silentHours })
    const cues: Cue[] = service.happenings.map((happening) => ({
      at: happening.at,
      act: () => this.#happen(happening),
    }))
    for (const { from, to } of owner?.blocks ?? []) {
      cues.push({ at: from, act: () => this.#block(true) }, { at: to, act: () => this.#block(false) })
    }
    for (const { at, zoneId } of owner?.zoneChanges ?? []) {
      cues.push({ at, act: () => this.#replan(() => (this.#calendar.local = localTimeOf(zoneId))) })
    }
    this.#cues = cues.filter(({ at }) => at > service.createdAt).toSorted((one, other) => one.at - other.at)
  }

  live(): void {
    this.#begin()
    let next = 0
    for (;;) {
      const edgeAt = this.#calendar.nextEdgeAt(this.#now)
      const cueAt = this.#cues[next]?.at ?? Number.POSITIVE_INFINITY
      const roundAt = this.#nextRoundAt()
      const at = Math.min(edgeAt, cueAt, roundAt)
      if (at >= this.#script.to) return
      this.#now = at
      if (at === edgeAt) this.#calendarSpeaks(this.#noticedAt(cueAt))
      else if (at === cueAt) this.#cues[next++]?.act()
      else this.#analyse()
    }
  }

  /** "A service that is created inactive starts with a paused change"; otherwise the first analysis comes at once. */
  #begin(): void {
    this.#isQuiet = this.#calendar.isQuietAt(this.#now)
    this.#isMonitored = this.#mayBeMonitored()
    if (this.#isMonitored) this.#promisedAt = this.#now
    else this.#open('paused', this.#fields.is_active ? this.#calendar.reasonAt(this.#now) : 'user')
  }

  #happen(happening: ServiceScript['happenings'][number]): void {
    const { kind } = happening
    if (kind === 'set') this.#set(happening.values)
    else if (kind === 'force') this.#promisedAt = this.#isMonitored ? this.#now : this.#promisedAt
    else if (kind === 'archive') this.#archive()
    else if (kind === 'restore') this.#isArchived = false
    else if (kind === 'plan')
      this.#replan(() => this.#calendar.once.set(happening.key, { ...happening.once, quiet: happening.quiet }))
    else if (kind === 'plan_weekly') this.#replan(() => this.#calendar.weekly.set(happening.key, happening))
    else if (kind === 'move') {
      const quiet = this.#calendar.once.get(happening.key)?.quiet === true
      this.#replan(() => this.#calendar.once.set(happening.key, { ...happening.once, quiet }))
    } else this.#replan(() => [this.#calendar.once.delete(happening.key), this.#calendar.weekly.delete(happening.key)])
  }

  #set(values: Partial<ServiceFields>): void {
    this.#fields = {
      ...this.#fields,
      ...values,
      extended_settings: { ...this.#fields.extended_settings, ...values.extended_settings },
    }
    this.#calendar.suspensionHours = this.#fields.suspension_hours
    this.#calendar.silentHours = this.#fields.silent_hours
    if (values.suspension_hours !== undefined || values.silent_hours !== undefined) this.#replan()
    if (values.is_active !== undefined) this.#look('user')
    this.#plan()
  }

  /** "monitoring stops; the service cannot be edited"; archiving sets `is_active` false, restoring leaves it false. */
  #archive(): void {
    this.#isArchived = true
    this.#fields = { ...this.#fields, is_active: false }
    this.#look('archived')
  }

  #block(isBlocked: boolean): void {
    this.#isBlocked = isBlocked
    this.#look('account_blocked')
  }

  #replan(change?: () => void): void {
    change?.()
    this.#calendar.changed()
    this.#calendarSpeaks()
  }

  /** A calendar is heard at its own moment; by whom, and when, only matters for the next analysis. */
  #calendarSpeaks(noticedAt = this.#now): void {
    this.#look('calendar', noticedAt)
    const isQuiet = this.#calendar.isQuietAt(this.#now)
    if (this.#isQuiet && !isQuiet) this.telling.quietEnded(this.#now, this.#fields)
    this.#isQuiet = isQuiet
  }

  status(): Status {
    const now = this.#script.to
    return statusOf({
      now,
      interval: this.#fields.interval,
      isOff: this.#isOff(),
      isSuspended: this.#calendar.reasonAt(now - 1) !== null,
      isQuiet: this.#isQuiet,
      verdict: this.#verdict,
      wasStopped: this.#wasStopped,
    })
  }

  #isOff(): boolean {
    return !this.#fields.is_active || this.#isArchived || this.#isBlocked
  }

  /** "Monitoring is on when `is_active` is true and no suspension is in effect." */
  #mayBeMonitored(): boolean {
    return !this.#isOff() && this.#calendar.reasonAt(this.#now) === null
  }

  /** While monitoring does not run, a calendar is noticed by whoever does something next, or when it runs again. */
  #noticedAt(cueAt: number): number {
    const downtime = this.#downtimeAt(this.#now)
    return downtime === undefined ? this.#now : Math.min(cueAt, downtime.to)
  }

  #look(cause: Stop, noticedAt = this.#now): void {
    const wasMonitored = this.#isMonitored
    this.#isMonitored = this.#mayBeMonitored()
    if (wasMonitored && !this.#isMonitored) this.#stop(cause)
    if (!wasMonitored && this.#isMonitored) this.#resume(cause, noticedAt)
  }

  #stop(cause: Stop): void {
    this.#promisedAt = null
    this.#plannedAt = Number.POSITIVE_INFINITY
    this.#wasStopped = true
    const before = this.changes.at(-1)?.status
    if (before === 'paused') return
    this.#open('paused', cause === 'calendar' ? this.#calendar.reasonAt(this.#now) : cause)
    if (cause === 'user' && before !== undefined) this.telling.paused(this.#situation())
  }

  /**
   * "After a suspension the first analysis comes within a minute, on the service's own grid"; after a stop by hand at
   * once.
   */
  #resume(cause: Stop, noticedAt: number): void {
    this.#promisedAt = cause === 'user' ? this.#now : this.#gridAfter(noticedAt, Math.min(this.#fields.interval, 60))
  }

  #downtimeAt(at: number): Stretch | undefined {
    return this.#script.downtimes.find(({ from, to }) => from <= at && at < to)
  }

  /** Due times are absolute. */
  #gridAfter(at: number, intervalSeconds: number): number {
    const step = intervalSeconds * 1000
    const offset = this.#service.grid % step
    return (Math.floor((at - offset) / step) + 1) * step + offset
  }

  /**
   * The interval, at most a minute during a failure, or an earlier confirming analysis. "After a round without a
   * verdict the next one comes after min(interval, 60 s), spread, until there is a verdict again or nobody can check
   * it."
   */
  #plan(): void {
    this.#plannedAt = Number.POSITIVE_INFINITY
    if (!this.#isMonitored) return
    const open = this.changes.at(-1)
    const { interval, extended_settings: settings } = this.#fields
    const isSpedUp = open?.status === 'failure' && settings.disable_breakdown_checks !== true
    const isTriedAgain = this.#isWithoutVerdict && hasSensors(this.#script, this.#fields)
    const gridAt = this.#gridAfter(this.#now, isSpedUp || isTriedAgain ? Math.min(interval, 60) : interval)
    const isWaiting = open !== undefined && open.status !== 'paused'
    const confirmAt = isWaiting ? this.telling.confirmAt(open.status, open.start, this.#fields) : null
    this.#plannedAt = confirmAt !== null && confirmAt > this.#now && confirmAt < gridAt ? confirmAt : gridAt
  }

  /** "a missed round is skipped, never queued"; what was promised is made up for. */
  #nextRoundAt(): number {
    if (this.#promisedAt !== null) {
      const downtime = this.#downtimeAt(this.#promisedAt)
      return downtime === undefined ? this.#promisedAt : downtime.to
    }
    for (;;) {
      const downtime = this.#downtimeAt(this.#plannedAt)
      if (downtime === undefined) return this.#plannedAt
      if (downtime.to - this.#plannedAt <= lateness) return this.#plannedAt + lateness
      const now = this.#now
      this.#now = downtime.to
      this.#plan()
      this.#now = now
    }
  }

  #analyse(): void {
    this.#promisedAt = null
    const verdict = this.#isMonitored ? verdictAt(this.#script, this.#service, this.#fields, this.#now) : 'none'
    if (verdict !== 'none') this.#judge(verdict)
    if (this.#isMonitored) this.#isWithoutVerdict = verdict === 'none'
    this.#plan()
  }

  #judge(verdict: 'ok' | 'failure'): void {
    this.#verdict = { status: verdict, at: this.#now }
    this.#wasStopped = false
    const isNew = this.changes.at(-1)?.status !== verdict
    if (isNew) this.#open(verdict, null)
    if (verdict === 'failure') this.telling.bad(this.#situation(), isNew)
    else this.telling.good(this.#situation())
  }

  #situation() {
    return {
      at: this.#now,
      fields: this.#fields,
      since: this.changes.at(-1)?.start ?? this.#now,
      isQuiet: this.#isQuiet,
    }
  }

  #open(status: Change['status'], reason: PauseReason | null): void {
    const last = this.changes.at(-1)
    if (last !== undefined) last.end = this.#now
    this.changes.push({ status, reason, start: this.#now, end: null })
  }
}
