/** Measures of services that a collector gets beside their gauges. */

/** A check of the last analysis of a service. */
export interface MeasuredCheck {
  readonly service_id: number
  readonly sensor_id: number
  readonly milliseconds: number
}

/** The checks of a service on one day, counted since 1970 in UTC. */
export interface CountedChecks {
  readonly service_id: number
  readonly day: number
  readonly ok: number
  readonly error: number
  readonly unknown: number
}

export const checkResults = ['ok', 'error', 'unknown'] as const
export type Counts = Readonly<Record<(typeof checkResults)[number], number>>

const none: Counts = { ok: 0, error: 0, unknown: 0 }

interface Known {
  readonly total: Counts
  /** The sums of the last days, by day. */
  readonly days: ReadonlyMap<number, Counts>
}

/** The results since the first look, from sums of days that grow. They never fall, whatever becomes of the sums. */
export class ResultCounts {
  readonly #services = new Map<number, Known>()
  #isFirst = true

  /** Takes the sums of some services, one row for each day. A service that comes later counts from its beginning. */
  take(serviceIds: readonly number[], rows: readonly CountedChecks[]): void {
    const found = new Map<number, Map<number, Counts>>(serviceIds.map((id) => [id, new Map()]))
    for (const { service_id: id, day, ...counts } of rows) found.get(id)?.set(day, counts)
    for (const [id, days] of found) {
      const known = this.#services.get(id)
      const begun = known?.total ?? none
      const total =
        known === undefined && this.#isFirst
          ? begun
          : [...days].reduce((sum, [day, now]) => plus(sum, now, known?.days.get(day)), begun)
      this.#services.set(id, { total, days })
    }
  }

  /** All services were taken once: those that were left out are gone. */
  finish(serviceIds: ReadonlySet<number>): void {
    this.#isFirst = false
    for (const id of this.#services.keys()) if (!serviceIds.has(id)) this.#services.delete(id)
  }

  of(serviceId: number): Counts {
    return this.#services.get(serviceId)?.total ?? none
  }
}

function plus(sum: Counts, now: Counts, before: Counts = none): Counts {
  const more = (name: keyof Counts) => sum[name] + Math.max(0, now[name] - before[name])
  return { ok: more('ok'), error: more('error'), unknown: more('unknown') }
}
