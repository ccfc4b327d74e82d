import type { Database, Executor } from '../database/connect.ts'
import {
  anyPageShowsStops,
  forgetAnnouncedStops,
  keepAnnouncedStops,
  lockStopPage,
  readAnnouncedStops,
  readStopComponents,
  type StopPageRow,
} from '../database/status-pages/announced-stops.ts'
import type { AskedPages } from '../database/status-pages/page-suspensions.ts'
import { followStops, type PlannedStop, type StopDecision } from '../domain/status-pages/planned-stop.ts'
import { tellOfStops } from '../outbox/stop-notices.ts'
import { oneOffStops, type StopOfPage, weeklyStops } from './suspensions.ts'

/** Planned stops of one page of which subscribers are told: the next ones. */
const most = 200
/** A page with more stops cannot be compared with what was told, so nothing is. */
const mostCompared = 10_000

/** Tells subscribers of the suspensions that their pages show as maintenance, each change once. */
export async function followPlannedStops(database: Database, now: number): Promise<void> {
  if (!(await anyPageShowsStops(database))) return
  const shown = byPage([...(await oneOffStops(database, 'all', now)), ...(await weeklyStops(database, 'all', now))])
  const told = byPage(await readAnnouncedStops(database, 'all'))
  for (const pageId of new Set([...shown.keys(), ...told.keys()])) {
    const decision = followStops(nextOf(shown.get(pageId) ?? []), told.get(pageId) ?? [], {
      ...{ now, most },
      mayBeShown: () => true,
    })
    if (isNothing(decision)) continue
    await database.transaction((transaction) => follow(transaction, pageId, now))
  }
}

function isNothing({ news, kept, forgotten }: StopDecision): boolean {
  return news.length + kept.length + forgotten.length === 0
}

/** Under the lock of the page, from the rows of this moment: another process may have told it meanwhile. */
async function follow(transaction: Executor, pageId: number, now: number): Promise<void> {
  const page = await lockStopPage(transaction, pageId)
  if (page === undefined) return
  const shown = await shownStops(transaction, page, { id: pageId }, now)
  if (shown.length > mostCompared) return
  const components = await readStopComponents(transaction, pageId)
  const living = new Set(components.filter((one) => one.has_service).map(({ id }) => id))
  const decision = followStops(nextOf(shown), await readAnnouncedStops(transaction, { id: pageId }), {
    ...{ now, most },
    mayBeShown: (stop) => shows(page, stop) && stop.componentIds.some((id) => living.has(id)),
  })
  await tellOfStops(transaction, pageId, { news: decision.news, components }, now)
  await forgetAnnouncedStops(transaction, pageId, decision.forgotten)
  await keepAnnouncedStops(transaction, pageId, decision.kept)
}

function shows(page: StopPageRow, { series }: PlannedStop): boolean {
  return series === null ? page.shows_suspensions : page.shows_weekly_suspensions
}

async function shownStops(
  executor: Executor,
  page: StopPageRow,
  asked: AskedPages,
  now: number,
): Promise<readonly StopOfPage[]> {
  return [
    ...(page.shows_suspensions ? await oneOffStops(executor, asked, now) : []),
    ...(page.shows_weekly_suspensions ? await weeklyStops(executor, asked, now) : []),
  ]
}

/** One-off stops, and the next time of each series. */
function nextOf(stops: readonly PlannedStop[]): readonly PlannedStop[] {
  const seen = new Set<string>()
  const inOrder = stops.toSorted((one, other) => one.startAt - other.startAt)
  return inOrder.filter(({ series }) => {
    if (series === null) return true
    const isFirst = !seen.has(series)
    seen.add(series)
    return isFirst
  })
}

function byPage<Stop extends { readonly pageId: number }>(
  stops: readonly Stop[],
): ReadonlyMap<number, readonly Stop[]> {
  const found = new Map<number, Stop[]>()
  for (const stop of stops) {
    const known = found.get(stop.pageId)
    if (known === undefined) found.set(stop.pageId, [stop])
    else known.push(stop)
  }
  return found
}
