import sql from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'
import { type ComponentWithParent, concernedComponents } from '../domain/status-pages/incident-notice.ts'
import type { StopDecision, StopNews } from '../domain/status-pages/planned-stop.ts'
import type { NoticeOfIncident } from './incident-notices.ts'

export interface NamedComponent extends ComponentWithParent {
  readonly name: string
}

/** Characters of the name of a stop. */
const longestName = 200

/** Writes what the subscribers of a page are told of its planned stops. In the transaction that remembers it. */
export async function tellOfStops(
  transaction: Executor,
  pageId: number,
  { news, components }: Pick<StopDecision, 'news'> & { readonly components: readonly NamedComponent[] },
  now: number,
): Promise<void> {
  for (const one of news) {
    const concerned = concernedComponents(one.stop.componentIds, components)
    await transaction.execute(sql`
      insert into status_page_notices (status_page_id, stop_id, number, status, update_ids, component_ids, facts, created_at)
      values (${pageId}, ${one.stop.id}, 0, ${one.status}, '{}', ${[...concerned]}::int[],
        ${JSON.stringify(factsOf(one, components))}::jsonb, ${new Date(now)})`)
  }
  if (news.length > 0) await transaction.execute(sql`select pg_notify('notifications', '')`)
}

/** A suspension has no name for the public, so its components stand for one. */
function factsOf({ kind, status, stop }: StopNews, components: readonly NamedComponent[]): NoticeOfIncident {
  const named = components.filter(({ id }) => stop.componentIds.includes(id))
  const name = named.map((one) => one.name).join(', ')
  return {
    ...{ kind, status, impact: 'none', isMaintenance: true, update: null },
    name: name.length > longestName ? `${name.slice(0, longestName - 1)}…` : name,
    ...{ startedAt: stop.startAt, resolvedAt: null, scheduledFor: stop.startAt, scheduledUntil: stop.endAt },
    components: named.map(({ id, name: own }) => ({ id, name: own })),
  }
}
