import { readTimeZone } from '../domain/calendars/time-zones.ts'
import type { Draft, Item } from './draft.ts'
import type { DrawnLine } from './drawn.ts'
import type { Importer } from './importer.ts'
import { faulty, type Input, readValue } from './input.ts'
import { append, groupedBy, type Row, rowOf } from './row.ts'

/** Statuspage: the answers of its public API v2 and of its management API v1. */

interface Site {
  readonly pages: Row[]
  readonly components: Row[]
  /** Names of groups by their id, and the group of each component. */
  readonly groups: Map<string, string>
  readonly groupOf: Map<string, string>
  incidents: number
}

function gatherGroup(group: Row, site: Site): void {
  const id = group.text('id') ?? ''
  site.groups.set(id, group.text('name') ?? '')
  for (const component of group.texts('components')) site.groupOf.set(component, id)
}

/** One object of version 1, by its members. */
function sort(row: Row, site: Site): void {
  if (row.has('components') && !row.has('status')) gatherGroup(row, site)
  else if (row.has('impact') || row.has('incident_updates')) site.incidents += 1
  else if (row.has('subdomain') || row.has('page_description')) site.pages.push(row)
  else if (row.has('name') && (row.has('position') || row.has('status'))) site.components.push(row)
}

function gather(value: unknown, site: Site): void {
  if (Array.isArray(value)) {
    for (const element of value) sort(rowOf(element), site)
    return
  }
  const whole = rowOf(value)
  if (!whole.has('page') && !whole.has('incidents') && !whole.has('scheduled_maintenances'))
    return void sort(whole, site)
  if (whole.has('page')) site.pages.push(whole.row('page'))
  append(site.components, whole.rows('components'))
  site.incidents += whole.rows('incidents').length + whole.rows('scheduled_maintenances').length
}

async function readInto(input: Input, site: Site): Promise<void> {
  const sizeOf = () => site.pages.length + site.components.length + site.groups.size + site.incidents
  const before = sizeOf()
  gather(await readValue(input), site)
  if (sizeOf() > before) return
  throw faulty(input.path, 'Nothing of Statuspage is in it: expected summary.json (v2), or a page and components (v1).')
}

const statuses = ['operational', 'degraded_performance', 'partial_outage', 'major_outage', 'under_maintenance']

function lineOf(item: Item, component: Row, under: string | undefined): DrawnLine {
  const status = component.text('status') ?? 'operational'
  const description = component.text('description')
  const start = /^\d{4}-\d\d-\d\d/.exec(component.text('start_date') ?? '')?.[0]
  if (!statuses.includes(status)) item.change(`The status ${status} of ${component.text('name')} became operational.`)
  return {
    ...{ name: component.text('name') ?? 'Component', under },
    status: statuses.includes(status) ? status : 'operational',
    ...(description === null ? {} : { description: description.slice(0, 1000) }),
    ...(component.flag('only_show_if_degraded') ? { only_show_if_degraded: true } : {}),
    ...(start === undefined ? {} : { start_date: start }),
  }
}

function position(row: Row): number {
  return row.number('position') ?? 0
}

/** A line of a page costs more than a look at a component. */
const stepsOfLine = 20

function linesOf(draft: Draft, item: Item, site: Site, pageId: string | null): readonly DrawnLine[] {
  const own = site.components
    .filter((one) => pageId === null || one.text('page_id') === null || one.text('page_id') === pageId)
    .toSorted((one, other) => position(one) - position(other))
  const isGroup = (row: Row) => row.flag('group') || site.groups.has(row.text('id') ?? '')
  const groupOf = (row: Row) => row.text('group_id') ?? site.groupOf.get(row.text('id') ?? '') ?? null
  const ids = new Set(own.map((one) => one.text('id')))
  const members = groupedBy(own, groupOf)
  draft.step(own.length)
  return own.flatMap((component) => {
    const id = component.text('id') ?? ''
    // A group stands where it stands, with its components behind it.
    if (isGroup(component)) {
      const behind = members.get(id) ?? []
      draft.step(behind.length * stepsOfLine)
      return behind.map((one) => lineOf(item, one, component.text('name') ?? undefined))
    }
    const group = groupOf(component)
    if (group === null) return [lineOf(item, component, undefined)]
    return ids.has(group) ? [] : [lineOf(item, component, site.groups.get(group))]
  })
}

function readPage(draft: Draft, page: Row, site: Site): void {
  const item = draft.item('page', page.text('name'))
  const zone = page.has('time_zone') ? readTimeZone(page.text('time_zone') ?? '') : undefined
  if (page.has('time_zone') && zone === undefined)
    item.change(`Its time zone ${page.text('time_zone')} is not known: the page has that of the account.`)
  if (page.has('domain')) item.change('Its own domain is left out; see host.')
  const isForTeam = page.flag('viewers_must_be_team_members')
  const description = page.text('page_description')
  const lines = linesOf(draft, item, site, page.text('id'))
  if (lines.length > 0)
    item.change(
      'Its components have the status that they had, which people set; name services in service_id to let them follow checks.',
    )
  draft.statusPage(item, {
    ...{ title: item.name, slug: page.text('subdomain') ?? item.name, lines },
    ...(description === null ? {} : { description: description.replaceAll(/<[^<>]*>/g, '').slice(0, 2000) }),
    ...(zone === undefined ? {} : { time_zone_id: zone }),
    ...(page.has('hidden_from_search') ? { is_indexed: !page.flag('hidden_from_search') } : {}),
    ...(isForTeam ? { access: 'login' } : {}),
  })
}

export const statuspage: Importer = {
  kind: 'statuspage',
  product: 'Statuspage',
  files: 'summary.json of its public API, or page, components and component groups of its management API',
  async read(inputs, draft) {
    const site: Site = { pages: [], components: [], groups: new Map(), groupOf: new Map(), incidents: 0 }
    for (const input of inputs) await readInto(input, site)
    const pages = site.pages.length === 0 ? [rowOf({ name: 'Status' })] : site.pages
    // A page of version 1 tells more than one of version 2.
    const known = new Map(
      pages
        .toSorted((one, other) => Object.keys(one.members).length - Object.keys(other.members).length)
        .map((page) => [page.text('id') ?? '', page]),
    )
    for (const page of known.values()) readPage(draft, page, site)
    if (site.incidents > 0)
      draft.note(`Incidents and maintenance are left out, because a configuration holds none: ${site.incidents}.`)
  },
}
