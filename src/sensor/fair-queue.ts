/** A waiting job of one worker: its owner, and when it expires. Moments are on a monotonic clock, in milliseconds. */
export interface Turn {
  readonly ownerKey: string
  readonly endsAt: number
}

export interface FairQueueOptions {
  /** The time that an owner may use in each window while others use the worker too. */
  readonly budgetMs: number
  readonly windowMs: number
}

interface Owner<Job> {
  waiting: Job[]
  /** The time used, as of `usedAt`; one budget's worth is forgotten evenly over a window. */
  usedMs: number
  usedAt: number
  askedAt: number
  /** Grows with each turn. Among owners that used equally little, the one with the oldest turn comes first. */
  lastTurn: number
}

/** Why a job was dropped: its owner had used its budget, or others came first. */
export type Dropped<Job> = readonly [job: Job, reason: 'budget' | 'late']

/**
 * Orders the work of many owners on one worker. The owner with the least recent use comes first, however many jobs it
 * has. Jobs of one owner stay in order.
 */
export class FairQueue<Job extends Turn> {
  readonly #options: FairQueueOptions
  readonly #owners = new Map<string, Owner<Job>>()
  #turns = 0

  constructor(options: FairQueueOptions) {
    this.#options = options
  }

  add(job: Job, now: number): void {
    this.#forgetIdle(now)
    const owner = this.#ownerOf(job.ownerKey, now)
    owner.askedAt = now
    owner.waiting.push(job)
  }

  /** The next job; undefined if there is none, or if the waiting owners have used their budgets. */
  take(now: number): Job | undefined {
    let first: Owner<Job> | undefined
    let firstUsedMs = 0
    for (const [key, owner] of this.#owners) {
      if (owner.waiting.length === 0 || this.#isOverBudget(key, owner, now)) continue
      const usedMs = this.#usedMs(owner, now)
      const isBefore =
        first === undefined || usedMs < firstUsedMs || (usedMs === firstUsedMs && owner.lastTurn < first.lastTurn)
      if (isBefore) [first, firstUsedMs] = [owner, usedMs]
    }
    if (first === undefined) return undefined
    this.#turns += 1
    first.lastTurn = this.#turns
    return first.waiting.shift()
  }

  /** Charges an owner for the time of a job. */
  charge(ownerKey: string, tookMs: number, now: number): void {
    const owner = this.#ownerOf(ownerKey, now)
    owner.usedMs = this.#usedMs(owner, now) + tookMs
    owner.usedAt = now
  }

  /** Removes expired jobs. */
  takeExpired(now: number): readonly Dropped<Job>[] {
    const dropped: Dropped<Job>[] = []
    for (const [key, owner] of this.#owners) {
      const kept = owner.waiting.filter(({ endsAt }) => endsAt > now)
      if (kept.length === owner.waiting.length) continue
      const reason = this.#isOverBudget(key, owner, now) ? 'budget' : 'late'
      for (const job of owner.waiting) if (job.endsAt <= now) dropped.push([job, reason])
      owner.waiting = kept
    }
    return dropped
  }

  /** When to look again without a new job: a job expires, or an owner's budget recovers. Null: nothing waits. */
  nextAt(now: number): number | null {
    let nextAt = Number.POSITIVE_INFINITY
    for (const [key, owner] of this.#owners) {
      for (const { endsAt } of owner.waiting) nextAt = Math.min(nextAt, endsAt)
      if (owner.waiting.length === 0 || !this.#isOverBudget(key, owner, now)) continue
      const overMs = this.#usedMs(owner, now) - this.#options.budgetMs
      nextAt = Math.min(nextAt, now + 1 + overMs / this.#forgottenShare)
    }
    return nextAt === Number.POSITIVE_INFINITY ? null : nextAt
  }

  get #forgottenShare(): number {
    return this.#options.budgetMs / this.#options.windowMs
  }

  #ownerOf(key: string, now: number): Owner<Job> {
    const known = this.#owners.get(key)
    if (known !== undefined) return known
    const owner: Owner<Job> = { waiting: [], usedMs: 0, usedAt: now, askedAt: now, lastTurn: 0 }
    this.#owners.set(key, owner)
    return owner
  }

  #usedMs({ usedMs, usedAt }: Owner<Job>, now: number): number {
    return Math.max(0, usedMs - (now - usedAt) * this.#forgottenShare)
  }

  /** An owner that uses the worker alone is never over its budget: it takes no time from anybody. */
  #isOverBudget(key: string, owner: Owner<Job>, now: number): boolean {
    if (this.#usedMs(owner, now) < this.#options.budgetMs) return false
    const sinceAt = now - this.#options.windowMs
    for (const [otherKey, { askedAt }] of this.#owners) if (otherKey !== key && askedAt > sinceAt) return true
    return false
  }

  #forgetIdle(now: number): void {
    const sinceAt = now - this.#options.windowMs
    for (const [key, owner] of this.#owners) {
      const isIdle = owner.waiting.length === 0 && owner.askedAt <= sinceAt
      if (isIdle && this.#usedMs(owner, now) === 0) this.#owners.delete(key)
    }
  }
}
