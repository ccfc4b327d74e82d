import { type EventLoopUtilization, performance } from 'node:perf_hooks'
import type { Log } from './log.ts'

/** Milliseconds. A station without jobs has ended its probing process by then. */
const firstLookAtRest = 75_000
const betweenLooks = 15_000
/** After so many looks the program is taken for one that never rests. */
const looksAtRest = 20
/** The share of its time that a program at rest works, at most. */
const restingShare = 0.02

/** Of the time since the last look, as `performance.eventLoopUtilization` tells it. */
export type Utilization = (since: EventLoopUtilization | undefined) => EventLoopUtilization

/**
 * Gives back what only the start needed: calls `tidy` once, when the program rests for the first time. Returns the
 * function to stop.
 */
export function onceAtRest(
  log: Pick<Log, 'debug'>,
  tidy: () => Promise<void>,
  utilization: Utilization = (since) => performance.eventLoopUtilization(since),
): () => Promise<void> {
  let looks = 0
  let last = utilization(undefined)
  let timer = setTimeout(look, firstLookAtRest).unref()
  let tidying = Promise.resolve()
  function look(): void {
    const now = utilization(undefined)
    const share = utilization(last).utilization
    last = now
    looks += 1
    if (share < restingShare)
      tidying = tidy().catch((error: unknown) => log.debug({ err: error }, 'Memory of the start was not given back'))
    else if (looks < looksAtRest) timer = setTimeout(look, betweenLooks).unref()
  }
  return async () => {
    clearTimeout(timer)
    await tidying
  }
}
