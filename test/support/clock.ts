import { randomUUID } from 'node:crypto'
import type { Clock } from '../../src/domain/clock.ts'

/** A clock that moves only by hand, with the waiting that goes by it (fits monitoring's Timers). */
export interface VirtualClock extends Clock {
  readonly machine: string
  monotonic(): number
  after(delay: number, run: () => void): () => void
  /** Lets time pass; what waited for it runs, in order. */
  advance(milliseconds: number): void
  /** Lets time pass up to a moment; a moment in the past changes nothing. */
  advanceTo(at: number): void
  /** How many things wait for time to pass. */
  waiting(): number
  /** When the next of them is to run; infinity for none. */
  nextAt(): number
  /** Sets the wall clock forward or back, without time passing. */
  step(milliseconds: number): void
}

interface Waiting {
  readonly at: number
  readonly run: () => void
}

/** Starts on a Saturday morning unless told otherwise. Unix milliseconds. */
export function virtualClock(startsAt: number = Date.UTC(2026, 10, 21, 9)): VirtualClock {
  let passed = 0
  let offset = startsAt
  const waiting = new Set<Waiting>()

  function runDue(): void {
    const due = [...waiting].filter(({ at }) => at <= passed).toSorted((one, other) => one.at - other.at)
    for (const one of due) if (waiting.delete(one)) one.run()
  }
  function advance(milliseconds: number): void {
    passed += Math.max(0, milliseconds)
    runDue()
  }
  return {
    machine: randomUUID(),
    now: () => offset + passed,
    monotonic: () => passed,
    after(delay, run) {
      const one = { at: passed + Math.max(0, delay), run }
      waiting.add(one)
      return () => waiting.delete(one)
    },
    advance,
    waiting: () => waiting.size,
    nextAt: () => offset + Math.min(Number.POSITIVE_INFINITY, ...[...waiting].map(({ at }) => at)),
    advanceTo: (at) => advance(at - offset - passed),
    step(milliseconds) {
      offset += milliseconds
    },
  }
}
