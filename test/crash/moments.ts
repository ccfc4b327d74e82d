/** Which moments of a service's grid its rounds belong to. */

export interface Grid {
  readonly phase: number
  /** Milliseconds. */
  readonly step: number
}

export interface Round {
  readonly id: number
  /** Unix milliseconds: when its first check began. */
  readonly startedAt: number
}

export interface Moments {
  readonly done: ReadonlySet<number>
  /** Pairs of rounds of one moment. */
  readonly doubled: readonly (readonly [number, number])[]
}

/**
 * A round starts within two seconds of its moment. A station that waits for a CPU begins its checks later, so some
 * begin after the next moment of a short interval. If two rounds follow one moment, the first belongs to the moment
 * before, unless that one has another.
 */
export function momentsOf(rounds: readonly Round[], { phase, step }: Grid): Moments {
  const done = new Map<number, number>()
  const doubled: [number, number][] = []
  for (const { id, startedAt } of rounds.toSorted((one, other) => one.startedAt - other.startedAt)) {
    const moment = Math.floor((startedAt - phase) / step)
    const before = done.get(moment)
    if (before !== undefined) {
      if (done.has(moment - 1)) doubled.push([before, id])
      else done.set(moment - 1, before)
    }
    done.set(moment, id)
  }
  return { done: new Set(done.keys()), doubled }
}
