/**
 * Milliseconds between two looks of a worker at its table if nobody wakes it. `Presence` does, with one look for all
 * workers of a process; theirs would open a connection each.
 */
export const patrolPause = 300_000

/** After a look that failed. Milliseconds. */
export const faultPause = 2000

/** Between looks at the tables and at the other processes, at most and at least. Milliseconds. */
export const longestPause = 2000
const shortestPause = 20
/** While wake-ups arrive and nothing was due for a minute: each look wakes a sleeping machine. Milliseconds. */
const restingPause = 5000
const restsAfter = 60_000

interface Quiet {
  /** Whether wake-ups reach this process. */
  readonly hears: boolean
  /** Milliseconds since something was due. */
  readonly quietFor: number
  /** Milliseconds until something is due that wants its exact moment; Infinity: never. */
  readonly nextIn: number
}

/** How long to wait before the next look of `Presence`, in milliseconds. */
export function pauseBeforeLook({ hears, quietFor, nextIn }: Quiet): number {
  const most = hears && quietFor > restsAfter ? restingPause : longestPause
  return Math.min(most, Math.max(shortestPause, nextIn))
}
