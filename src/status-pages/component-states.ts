import type { ComponentRow, PageServiceRow } from '../database/status-pages/status-page-rows.ts'
import { shownSecond } from '../domain/calendars/time.ts'
import { availabilityPercent } from '../domain/reports/report-level.ts'
import { type CalendarDay, type DayBar, dayBars } from '../domain/service-level/history-bars.ts'
import {
  publicDegraded,
  publicState,
  type ShownStatus,
  statusOfServices,
} from '../domain/status-pages/status-page-state.ts'
import type { PageHistory } from './page-histories.ts'
import type { ShownServices } from './shown-services.ts'
import { slices } from './slices.ts'

/** The public status of a component, and its days in the ledger. */
export interface ComponentState {
  readonly status: ShownStatus
  /** When that became public; null: nothing did. */
  readonly since: number | null
  readonly bars: readonly DayBar[]
  readonly uptime: number | null
}

export interface WatchedComponents {
  readonly shown: ShownServices
  readonly sourceOf: (row: ComponentRow) => string | null
  readonly histories: ReadonlyMap<number, PageHistory>
  /** The days of the bars. */
  readonly days: readonly CalendarDay[]
  readonly delayMs: number
  /** When people last confirmed that a service fails. */
  readonly confirmed: ReadonlyMap<number, number>
  readonly now: number
}

type SourceState = Omit<ComponentState, 'uptime'>

const noData: SourceState = { status: 'unknown', since: null, bars: [] }

/** The states of all components by their ids. Components with the same services are computed once. */
export async function componentStates(
  rows: readonly ComponentRow[],
  watched: WatchedComponents,
): Promise<ReadonlyMap<number, ComponentState>> {
  const sources = new Map<string | null, SourceState>()
  const states = new Map<number, ComponentState>()
  for (const row of rows) {
    await slices.breathe()
    if (row.status !== null) {
      states.set(row.id, { status: row.status, since: row.updated_at, bars: [], uptime: null })
      continue
    }
    const source = watched.sourceOf(row)
    const known = sources.get(source) ?? (await sourceState(watched.shown(row), watched))
    sources.set(source, known)
    states.set(row.id, stateOf(row, known))
  }
  return states
}

function stateOf({ start_date: startDate }: ComponentRow, source: SourceState): ComponentState {
  const bars = from(startDate, source.bars)
  const total = bars.reduce(
    (sum, { ok, failure }) => ({ ok: sum.ok + ok, failure: sum.failure + failure, paused: 0 }),
    { ok: 0, failure: 0, paused: 0 },
  )
  return { ...source, bars, uptime: availabilityPercent(total) }
}

async function sourceState(
  services: readonly PageServiceRow[] | undefined,
  watched: WatchedComponents,
): Promise<SourceState> {
  const { histories, delayMs, confirmed, now } = watched
  const behind = (services ?? []).flatMap((service) => {
    const history = histories.get(service.id)
    return history === undefined ? [] : [{ service, history }]
  })
  if (behind.length === 0) return noData
  const states = []
  for (const { service, history } of behind) {
    await slices.breathe()
    const publicity = { delayMs, now, confirmedAt: confirmed.get(service.id) ?? null }
    const state = publicState(history.changes, publicity)
    const { isDegraded, since } = publicDegraded(history.degradedPeriods, publicity)
    states.push({
      ...state,
      isDegraded,
      since: since === null ? state.since : Math.max(state.since ?? since, since),
      isSuspended: service.monitoring_status === 'suspended',
      isStale: service.valid_until === null || service.valid_until <= now,
    })
  }
  const moments = states.flatMap(({ since }) => since ?? [])
  return {
    status: statusOfServices(states),
    since: moments.length === 0 ? null : Math.max(...moments),
    // The days of a part of the services would say what is not true of the others.
    bars: behind.every(({ history }) => history.isWhole) ? await summed(behind, watched) : [],
  }
}

/** The seconds of several services, day by day. */
async function summed(
  behind: readonly { readonly history: PageHistory }[],
  { days, now }: WatchedComponents,
): Promise<readonly DayBar[]> {
  const sums = days.map(({ date }) => ({ date, ok: 0, failure: 0, paused: 0, degraded: 0, failures: 0 }))
  for (const { history } of behind) {
    await slices.breathe()
    for (const [index, bar] of dayBars({ ...history, now: shownSecond(now) * 1000 }, days).entries()) {
      const sum = sums[index]
      if (sum === undefined) continue
      sum.ok += bar.ok
      sum.failure += bar.failure
      sum.paused += bar.paused
      sum.degraded += bar.degraded
      sum.failures += bar.failures
    }
  }
  return sums
}

/** Nothing is shown before the first day that the owner wants. */
function from(startDate: string | null, bars: readonly DayBar[]): readonly DayBar[] {
  if (startDate === null) return bars
  return bars.map((bar) =>
    bar.date >= startDate ? bar : { ...bar, ok: 0, failure: 0, paused: 0, degraded: 0, failures: 0 },
  )
}
