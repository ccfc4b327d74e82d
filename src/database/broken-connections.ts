interface BrokenLog {
  warn(message: string): void
  info(message: string): void
}

/** A server that restarts breaks all connections within this time. Milliseconds. */
const gatheringMs = 1000

export interface BrokenConnections {
  broke(error: Error): void
  /** A new connection was made. */
  connected(): void
}

/** Tells of connections that break together in one line, and of the end of the trouble in another. */
export function brokenConnections(log: BrokenLog): BrokenConnections {
  const reasons = new Map<string, number>()
  let state: 'whole' | 'gathering' | 'told' = 'whole'
  let isBack = false
  let sinceAt = 0
  function end(): void {
    state = 'whole'
    const seconds = Math.round((performance.now() - sinceAt) / 1000)
    log.info(`The database takes connections again, ${seconds} s after the first one broke.`)
  }
  function tell(): void {
    const count = [...reasons.values()].reduce((sum, one) => sum + one, 0)
    const named = [...reasons].map(([reason, times]) => (reasons.size === 1 ? reason : `${reason} (${times})`))
    reasons.clear()
    log.warn(`${count === 1 ? 'A database connection' : `${count} database connections`} broke: ${named.join('; ')}`)
    state = 'told'
    if (isBack) end()
  }
  return {
    broke({ message }) {
      reasons.set(message, (reasons.get(message) ?? 0) + 1)
      isBack = false
      if (state === 'gathering') return
      if (state === 'whole') sinceAt = performance.now()
      state = 'gathering'
      setTimeout(tell, gatheringMs).unref()
    },
    connected() {
      isBack = true
      if (state === 'told') end()
    },
  }
}
