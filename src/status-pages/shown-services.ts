import type { ComponentRow, PageServiceRow } from '../database/status-pages/status-page-rows.ts'
import { fold } from '../domain/queries/condition.ts'

/** Services of one page. A component with more than are left has no data. */
const mostServices = 2000

/** The services behind each source of a page's components; undefined: they are more than a page shows. */
export type ShownServices = (row: ComponentRow) => readonly PageServiceRow[] | undefined

function sourceOf({ service_id: service, group_id: group, tag }: ComponentRow): string | null {
  if (service !== null) return `service ${service}`
  if (group !== null) return `group ${group}`
  return tag === null ? null : `tag ${fold(tag)}`
}

function bySource(services: readonly PageServiceRow[]): ReadonlyMap<string, readonly PageServiceRow[]> {
  const sources = new Map<string, PageServiceRow[]>()
  const add = (source: string, service: PageServiceRow) => {
    const known = sources.get(source)
    if (known === undefined) sources.set(source, [service])
    else known.push(service)
  }
  for (const service of services) {
    add(`service ${service.id}`, service)
    if (service.is_archived) continue
    add(`group ${service.group_id}`, service)
    for (const name of service.tags) add(`tag ${name}`, service)
  }
  return sources
}

/** When people last confirmed a failure of each service, whichever component they named. */
export function confirmedServices(rows: readonly ComponentRow[], shown: ShownServices): ReadonlyMap<number, number> {
  const confirmed = new Map<number, number>()
  for (const row of rows) {
    if (row.confirmed_at === null) continue
    for (const { id } of shown(row) ?? []) confirmed.set(id, Math.max(confirmed.get(id) ?? 0, row.confirmed_at))
  }
  return confirmed
}

/** The services that a page shows, in the order of its components. */
export function shownServices(
  rows: readonly ComponentRow[],
  services: readonly PageServiceRow[],
  most = mostServices,
): { readonly shown: ShownServices; readonly ids: readonly number[]; readonly sourceOf: typeof sourceOf } {
  const sources = bySource(services)
  const ids = new Set<number>()
  const chosen = new Map<string, readonly PageServiceRow[] | undefined>()
  for (const row of rows) {
    const source = sourceOf(row)
    if (source === null || chosen.has(source)) continue
    const own = sources.get(source) ?? []
    const more = own.reduce((count, { id }) => (ids.has(id) ? count : count + 1), 0)
    const fits = ids.size + more <= most
    chosen.set(source, fits ? own : undefined)
    if (fits) for (const { id } of own) ids.add(id)
  }
  const shown: ShownServices = (row) => {
    const source = sourceOf(row)
    return source === null ? [] : chosen.get(source)
  }
  return { shown, ids: [...ids].toSorted((one, other) => one - other), sourceOf }
}
