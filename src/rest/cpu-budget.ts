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
}

/** What the requests of one caller cost the process in which they are answered. */
export interface CpuBudget {
  /** Refuses with processing_time_used_up and Retry-After whoever has used what there is. */
  admit(counted: Counted): void
  /** What runs from here to the end of this turn of the loop is work for the caller. */
  work(counted: Counted): void
  /** The same after every answer of the database. */
  metered(database: Database, counted: Counted): Database
}

interface Spent {
  ms: number
  at: number
}

const windowMs = 60_000
/** More callers than this are looked through for those who have done nothing for long. */
const usualCallers = 10_000
const longestRetrySeconds = 60

/** What a turn of the loop took, without what this process waited for a CPU meanwhile. */
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
 * Counts the work that callers cost this process: one JavaScript thread serves all, so what one uses the others wait for. A caller may use
 * up a minute's worth at once; it comes back evenly. Passwords are hashed in other threads and count for nothing.
 */
export function createCpuBudget({ limits, stopwatch = threadStopwatch, now }: CpuBudgetOptions): CpuBudget {
  const clock = now ?? (() => performance.now())
  const spent = new Map<string, Spent>()
  let current: { readonly counted: Counted; readonly stop: () => number } | null = null
  const mostMs = ({ by }: Counted) => limits[by] * 1000
  const owed = (counted: Counted): number => {
    const known = spent.get(keyOf(counted))
    return known === undefined ? 0 : Math.max(0, known.ms - ((clock() - known.at) * mostMs(counted)) / windowMs)
  }
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
    spent.set(keyOf(counted), { ms: owed(counted) + stop(), at: clock() })
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
    admit(counted) {
      const most = mostMs(counted)
      const overMs = owed(counted) - most
      if (most === 0 || overMs < 0) return
      const wantedSeconds = Math.ceil(((overMs + 1) * windowMs) / most / 1000)
      const seconds = String(Math.min(longestRetrySeconds, Math.max(1, wantedSeconds)))
      throw new ApiError([{ error: 'processing_time_used_up', facts: { retry_after: seconds } }], {
        'Retry-After': seconds,
      })
    },
    work,
    metered: (database, counted) => (limits[counted.by] === 0 ? database : metered(database, () => work(counted))),
  }
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
