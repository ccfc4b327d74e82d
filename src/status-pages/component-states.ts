import type { Executor } from '../database/connect.ts'
import { type LevelHistory, readLevelHistories } from '../database/report-data.ts'
import type { ComponentRow, PageServiceRow } from '../database/status-page-rows.ts'
import { fold } from '../domain/condition.ts'
import { type CalendarDay, type DayBar, dayBars } from '../domain/history-bars.ts'
import { availabilityPercent } from '../domain/report-level.ts'
import { publicState, type ShownStatus, statusOfServices } from '../domain/status-page-state.ts'
import { shownSecond } from '../domain/time.ts'

/** The public status of a component, and its days in the ledger. */
export interface ComponentState {
  readonly status: ShownStatus
  /** When that became public; null: nothing did. */
  readonly since: number | null
  readonly bars: readonly DayBar[]
  readonly uptime: number | null
}

export interface Watched {
  readonly services: readonly PageServiceRow[]
  readonly histories: ReadonlyMap<number, LevelHistory>
  /** The days of the bars. */
  readonly days: readonly CalendarDay[]
  /** The days of each service, which several components may show. */
  readonly barsOfService: (id: number) => readonly DayBar[]
  readonly delayMs: number
  readonly now: number
}

const chunk = 200

/** The histories of many services over the days, read in parts. */
export async function readHistories(
  executor: Executor,
  ids: readonly number[],
  { days, now }: Pick<Watched, 'days' | 'now'>,
): Promise<ReadonlyMap<number, LevelHistory>> {
  const all = new Map<number, LevelHistory>()
  for (let at = 0; at < ids.length; at += chunk) {
    const range = { fromAt: days[0]?.fromAt ?? now, toAt: now }
    for (const [id, history] of await readLevelHistories(executor, ids.slice(at, at + chunk), range)) {
      all.set(id, history)
    }
  }
  return all
}

function servicesOf({ service_id, group_id, tag }: ComponentRow, services: readonly PageServiceRow[]) {
  if (service_id !== null) return services.filter(({ id }) => id === service_id)
  if (group_id !== null) return services.filter((one) => one.group_id === group_id && !one.is_archived)
  if (tag === null) return []
  const name = fold(tag)
  return services.filter(({ tags, is_archived: isArchived }) => !isArchived && tags.includes(name))
}

/** The seconds of several services, day by day. */
function summed(all: readonly (readonly DayBar[])[]): readonly DayBar[] {
  const [first = [], ...others] = all
  return first.map((bar, index) =>
    others.reduce<DayBar>((sum, bars) => {
      const { ok = 0, failure = 0, paused = 0, degraded = 0, failures = 0 } = bars[index] ?? {}
      return {
        date: sum.date,
        ok: sum.ok + ok,
        failure: sum.failure + failure,
        paused: sum.paused + paused,
        degraded: sum.degraded + degraded,
        failures: sum.failures + failures,
      }
    }, bar),
  )
}

/** Nothing is shown before the first day that the owner wants. */
function from(startDate: string | null, bars: readonly DayBar[]): readonly DayBar[] {
  if (startDate === null) return bars
  return bars.map((bar) =>
    bar.date >= startDate ? bar : { ...bar, ok: 0, failure: 0, paused: 0, degraded: 0, failures: 0 },
  )
}

/** Computes the days of a service once. */
export function rememberedBars({
  histories,
  days,
  now,
}: Pick<Watched, 'histories' | 'days' | 'now'>): Watched['barsOfService'] {
  const known = new Map<number, readonly DayBar[]>()
  return (id) => {
    const history = histories.get(id)
    const bars =
      known.get(id) ?? (history === undefined ? [] : dayBars({ ...history, now: shownSecond(now) * 1000 }, days))
    known.set(id, bars)
    return bars
  }
}

export function componentState(row: ComponentRow, watched: Watched): ComponentState {
  if (row.status !== null) return { status: row.status, since: row.updated_at, bars: [], uptime: null }
  const { histories, barsOfService, delayMs, now } = watched
  const behind = servicesOf(row, watched.services).flatMap((service) => {
    const history = histories.get(service.id)
    return history === undefined ? [] : [{ service, history }]
  })
  const states = behind.map(({ service, history }) => ({
    ...publicState(history.changes, delayMs, now),
    isSuspended: service.monitoring_status === 'suspended',
    isStale: service.valid_until === null || service.valid_until <= now,
  }))
  const bars = from(row.start_date, summed(behind.map(({ service }) => barsOfService(service.id))))
  const total = bars.reduce(
    (sum, { ok, failure }) => ({ ok: sum.ok + ok, failure: sum.failure + failure, paused: 0 }),
    { ok: 0, failure: 0, paused: 0 },
  )
  const moments = states.flatMap(({ since }) => since ?? [])
  return {
    status: statusOfServices(states),
    since: moments.length === 0 ? null : Math.max(...moments),
    bars,
    uptime: availabilityPercent(total),
  }
}
