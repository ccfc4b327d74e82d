/** Waiting that no step of the wall clock disturbs; tests hand in their own. */
export interface Timers {
  /** Milliseconds since some fixed moment, never stepping back. */
  monotonic(): number
  /** Runs once after the delay in milliseconds; the returned function takes it back. */
  after(delay: number, run: () => void): () => void
}

export const systemTimers: Timers = {
  monotonic: () => performance.now(),
  after(delay, run) {
    const timer = setTimeout(run, Math.max(0, Math.ceil(delay)))
    return () => clearTimeout(timer)
  },
}
