import { setTimeout as delay } from 'node:timers/promises'
import type { Database, Executor } from '../database/connect.ts'
import { ApiError } from './problems.ts'
import type { Counted, RequestLimits } from './rate-limit.ts'

/** Starts to measure; what it returns tells how many milliseconds of work there were since. */
export type Stopwatch = () => () => number

export interface CpuBudgetOptions {
  /** Seconds of work in a minute; zero: any. */
  readonly limits: RequestLimits
  readonly stopwatch?: Stopwatch
  /** Milliseconds of a clock that nobody sets. */
  readonly now?: () => number
  readonly pause?: (ms: number) => Promise<unknown>
}

/** The CPU time that one caller's requests may cost the process that answers them. */
export interface CpuBudget {
  /**
   * Refuses a caller who has used everything, with processing_time_used_up and Retry-After. A caller who has used much
   * waits for a turn. However many requests they send at once, others find the process free half of the time.
   */
  admit(counted: Counted): Promise<void>
  /** Counts everything from here to the end of this turn of the loop as work for the caller. */
  work(counted: Counted): void
  /** The same after every answer of the database. */
  metered(database: Database, counted: Counted): Database
}

interface Spent {
  readonly ms: number
  readonly at: number
  /** The longest of the last turns of the loop. */
  readonly turnMs: number
  /** The turn of the next request. */
  readonly turnAt: number
}

const windowMs = 60_000
/** The CPU time before anybody has to wait; usual clients never reach it. */
const unpacedMs = 2000
/** The share of the longest turn before that the next one counts for at least. */
const remembered = 0.8
const longestPauseMs = 10_000
/** More callers than this are looked through for those who have done nothing for long. */
const usualCallers = 10_000
const longestRetrySeconds = 60

/** The duration of a turn of the loop, without the time that this process waited for a CPU. */
const threadStopwatch: Stopwatch = () => {
  const startedAt = performance.now()
  const before = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(before)
    // Other threads of the process may have worked too: never more than the time that went by.
    return Math.min(performance.now() - startedAt, (user + system) / 1000)
  }
}

/**
 * Counts the work that callers cost this process. One JavaScript thread serves all, so callers wait for each other's
 * work. A caller may use a minute's worth at once; it is restored evenly. Passwords are hashed in other threads and do
 * not count.
 */
export function createCpuBudget(options: CpuBudgetOptions): CpuBudget {
  const { limits, stopwatch = threadStopwatch, now: clock = () => performance.now(), pause = delay } = options
  const spent = new Map<string, Spent>()
  let current: { readonly counted: Counted; readonly stop: () => number } | null = null
  const mostMs = ({ by }: Counted) => limits[by] * 1000
  const owed = (counted: Counted) => leftOf(spent.get(keyOf(counted)), mostMs(counted), clock())
  let mostCallers = usualCallers
  const forgetIdle = (): void => {
    for (const [key, { at }] of spent) if (clock() - at > windowMs) spent.delete(key)
    // Not again with each one that comes.
    mostCallers = Math.max(usualCallers, 2 * spent.size)
  }
  const end = (): void => {
    if (current === null) return
    const { counted, stop } = current
    current = null
    const known = spent.get(keyOf(counted))
    const tookMs = stop()
    const turnMs = Math.max(tookMs, (known?.turnMs ?? 0) * remembered)
    spent.set(keyOf(counted), { ms: owed(counted) + tookMs, at: clock(), turnMs, turnAt: known?.turnAt ?? 0 })
    if (spent.size > mostCallers) forgetIdle()
  }
  const work = (counted: Counted): void => {
    if (limits[counted.by] === 0) return
    if (current === null) process.nextTick(end)
    else if (keyOf(current.counted) === keyOf(counted)) return
    else end()
    current = { counted, stop: stopwatch() }
  }
  return {
    async admit(counted) {
      const most = mostMs(counted)
      const known = spent.get(keyOf(counted))
      const owedMs = owed(counted)
      if (most === 0 || known === undefined || owedMs < Math.min(unpacedMs, most)) return
      if (owedMs >= most) throw usedUp(((owedMs - most + 1) * windowMs) / most)
      const turnAt = Math.max(clock(), known.turnAt)
      const pauseMs = turnAt - clock()
      if (pauseMs > longestPauseMs) throw usedUp(pauseMs)
      spent.set(keyOf(counted), { ...known, turnAt: turnAt + 2 * known.turnMs })
      if (pauseMs > 0) await pause(pauseMs)
    },
    work,
    metered: (database, counted) => (limits[counted.by] === 0 ? database : metered(database, () => work(counted))),
  }
}

/** The part of it that is not forgotten. */
function leftOf(spent: Spent | undefined, mostMs: number, now: number): number {
  return spent === undefined ? 0 : Math.max(0, spent.ms - ((now - spent.at) * mostMs) / windowMs)
}

function usedUp(freeInMs: number): ApiError {
  const seconds = String(Math.min(longestRetrySeconds, Math.max(1, Math.ceil(freeInMs / 1000))))
  return new ApiError([{ error: 'processing_time_used_up', facts: { retry_after: seconds } }], {
    'Retry-After': seconds,
  })
}

function keyOf({ by, key }: Counted): string {
  return `${by} ${key}`
}

function meteredExecutor(executor: Executor, resume: () => void): Executor {
  async function resuming<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer
    } finally {
      resume()
    }
  }
  return {
    query: <Row>(...given: Parameters<Executor['query']>) => resuming(executor.query<Row>(...given)),
    execute: (...given) => resuming(executor.execute(...given)),
  }
}

function metered(database: Database, resume: () => void): Database {
  return {
    ...database,
    ...meteredExecutor(database, resume),
    async transaction(work) {
      try {
        return await database.transaction((transaction) => {
          resume()
          return work(meteredExecutor(transaction, resume))
        })
      } finally {
        resume()
      }
    },
  }
}
