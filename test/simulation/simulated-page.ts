import { formatDuration } from '../../src/wording/moments.ts'
import type { Person } from '../support/people.ts'
import { idOf } from '../support/replies.ts'
import type { ServiceScript } from './script.ts'
import type { Stage } from './stage.ts'
import { type Days, onDays, type Part } from './view-parts.ts'

/** A public page with all services of an owner, each alone, and those of each group together. */
export interface SimulatedPage {
  readonly slug: string
  /** The services behind each component, in its order. */
  readonly components: readonly (readonly ServiceScript[])[]
}

export async function makePage(
  stage: Stage,
  { owner, zoneId }: { readonly owner: Person; readonly zoneId: string },
  services: readonly ServiceScript[],
  groupOf: ReadonlyMap<number, number>,
): Promise<SimulatedPage> {
  const slug = `all-of-${owner}`
  const body = { slug, title: 'Simulated', language_id: 'en', time_zone_id: zoneId }
  const page = idOf(await stage.call(owner, 'POST', '/status_pages', body))
  const add = (name: string, source: object) =>
    stage.call(owner, 'POST', '/status_page_components', { status_page_id: page, name, ...source }).then(idOf)
  for (const { id } of services) await add(`Service ${id}`, { service_id: id })
  const groups = [...new Set(services.map(({ id }) => groupOf.get(id)))]
  for (const id of groups) await add(`Group ${id}`, { group_id: id })
  const inGroups = groups.map((id) => services.filter((service) => groupOf.get(service.id) === id))
  return { slug, components: [...services.map((service) => [service]), ...inGroups] }
}

const visitor = '192.0.2.0'

/** The days of each component, as the page has them and as its visitors read them. */
export async function daysOfPage(
  stage: Stage,
  { slug, components }: SimulatedPage,
  days: Days,
  now: number,
): Promise<readonly Part[]> {
  const found = await stage.api.pages.find(slug, visitor)
  const shown = found?.snapshot.components ?? []
  const document = (await found?.get(''))?.plain.toString() ?? ''
  const written = [...document.matchAll(/<title>(\S+: down for [^<]+)<\/title>/g)].map(([, text]) => text)
  const meant = shown.flatMap(({ bars }) =>
    bars.filter(({ failure }) => failure > 0).map((bar) => `${bar.date}: down for ${formatDuration(bar.failure)}`),
  )
  if (written.join('\n') !== meant.join('\n')) throw new Error(`The page ${slug} writes other days than it has.`)
  return components.flatMap((services, index) =>
    onDays({ where: `status page, component ${index}`, services }, shown[index]?.bars ?? [], days, now),
  )
}
