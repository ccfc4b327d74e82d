import { pageIndicator } from '../domain/status-pages/status-page-state.ts'
import { type Html, html } from '../wording/html.ts'
import { formatDuration } from '../wording/moments.ts'
import { statusPageText } from '../wording/status-pages.ts'
import { barsOf, uptimeText } from './bars.ts'
import type { Edition } from './edition.ts'
import { incidentHtml } from './incident-html.ts'
import { logoHtml } from './logos.ts'
import { ageNote, pageFooter, pageShell } from './page-frame.ts'
import { comingOf, lastingOf, lateOf, pastDays, presentOf } from './sections.ts'
import { inSlices, slices } from './slices.ts'
import { leavesOf, type PublishedIncident, type ShownComponent, type Snapshot } from './snapshot.ts'

/** The whole page. */
export async function pageHtml(snapshot: Snapshot, edition: Edition): Promise<string> {
  const { page, language } = snapshot
  const description = page.description === '' ? headlineOf(snapshot) : page.description
  return pageShell(snapshot, edition, {
    ...{ title: page.title, description },
    content: html`<header>
${logoHtml(snapshot, edition.logo)}<h1>${page.title}</h1>
${page.description === '' ? null : html`<p>${page.description}</p>`}
</header>
<main>
${banner(snapshot)}
${delayNote(snapshot)}
${ageNote(snapshot, edition)}
${await section('current_incidents', lastingOf(snapshot), snapshot, edition)}
${await section('current_maintenance', presentOf(snapshot), snapshot, edition)}
${await section('planned_maintenance', comingOf(snapshot), snapshot, edition)}
<section aria-labelledby="components">
<h2 id="components">${statusPageText('components', language)}</h2>
${await componentList(snapshot)}
</section>
${await past(snapshot, edition)}
</main>
${pageFooter(snapshot, edition)}`,
  })
}

/** While nothing is known it does not say that all is well. */
export function isUnknown(snapshot: Snapshot): boolean {
  return snapshot.indicator === 'none' && leavesOf(snapshot).every(({ status }) => status === 'unknown')
}

/**
 * The state of everything in a few words. It speaks of systems as far as components show it. An incident that is worse
 * than they are says how bad it is itself.
 */
export function headlineOf(snapshot: Snapshot): string {
  const { indicator, language } = snapshot
  if (isUnknown(snapshot)) return statusPageText('unknown', language)
  if (indicator === 'none' || indicator === 'maintenance') return statusPageText(`indicator_${indicator}`, language)
  const shown = pageIndicator(
    leavesOf(snapshot).map(({ status }) => status),
    [],
  )
  return statusPageText(indicator === shown ? `indicator_${indicator}` : `told_${indicator}`, language)
}

const good = html`<path d="M8 12.5l2.75 2.75L16 9.5" fill="none" stroke="currentColor" stroke-width="2"/>`
const bad = html`<path d="M12 7v6M12 15.5v1.5" fill="none" stroke="currentColor" stroke-width="2"/>`

function banner(snapshot: Snapshot): Html {
  const { indicator } = snapshot
  const state = isUnknown(snapshot) ? 'unknown' : indicator
  return html`<div class="banner ${state}" role="status"><svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="10" fill="none" stroke="currentColor" stroke-width="2"/>${state === 'none' ? good : bad}</svg>${headlineOf(snapshot)}</div>`
}

/** Readers who already see a failure learn why the page does not show it yet. */
function delayNote({ page, language, serviceIds }: Snapshot): Html | null {
  const delay = page.publish_after_seconds
  if (delay === 0 || serviceIds.length === 0) return null
  return html`<p class="dim">${statusPageText('shown_after', language, { duration: formatDuration(delay) })}</p>`
}

/** The headings of a page that stand above incidents and maintenance. */
export type Heading = 'current_incidents' | 'current_maintenance' | 'planned_maintenance' | 'past_incidents'

async function section(
  heading: Heading,
  incidents: readonly PublishedIncident[],
  snapshot: Snapshot,
  edition: Edition,
): Promise<Html> {
  if (incidents.length === 0) return html``
  return html`<section>
<h2>${statusPageText(heading, snapshot.language)}</h2>
${await inSlices(incidents, (incident) => incidentHtml(incident, snapshot, edition))}</section>
`
}

async function past(snapshot: Snapshot, edition: Edition): Promise<Html> {
  const { language } = snapshot
  const late = lateOf(snapshot)
  if (late.length > 0) return section('past_incidents', late, snapshot, edition)
  return html`<section>
<h2>${statusPageText('past_incidents', language)}</h2>
<p class="dim">${statusPageText('no_incidents', language, { days: pastDays })}</p>
</section>
`
}

async function componentList(snapshot: Snapshot): Promise<Html> {
  const top = snapshot.components.filter(({ parentId }) => parentId === null)
  if (top.length === 0) return html`<p class="dim">${statusPageText('no_components', snapshot.language)}</p>`
  const partsOf = new Map(top.map(({ id }): [number, ShownComponent[]] => [id, []]))
  for (const one of snapshot.components) if (one.parentId !== null) partsOf.get(one.parentId)?.push(one)
  const items: Html[] = []
  for (const one of top) {
    items.push(one.isGroup ? await groupItem(one, partsOf.get(one.id) ?? [], snapshot) : await plainItem(one, snapshot))
  }
  return html`<ul class="list">
${items}</ul>`
}

async function plainItem(one: ShownComponent, snapshot: Snapshot): Promise<Html> {
  await slices.breathe()
  return html`<li>${componentHtml(one, snapshot)}</li>
`
}

function heading({ name, status }: ShownComponent, { language }: Snapshot): Html {
  return html`<h3 class="top"><span>${name}</span><span class="state ${status}">${statusPageText(status, language)}</span></h3>`
}

/** Folded while all is well. */
async function groupItem(group: ShownComponent, parts: readonly ShownComponent[], snapshot: Snapshot): Promise<Html> {
  const isFine = group.status === 'operational'
  const tag = { markup: isFine ? '<details>' : '<details open>' }
  return html`<li>${tag}<summary>${heading(group, snapshot)}</summary>
${note(group)}<ul class="list">
${await inSlices(
  parts,
  (part) => html`<li>${componentHtml(part, snapshot)}</li>
`,
)}</ul></details></li>
`
}

function note({ description }: ShownComponent): Html {
  return description === '' ? html`` : html`<p class="dim">${description}</p>`
}

function componentHtml(component: ShownComponent, snapshot: Snapshot): Html {
  const { language } = snapshot
  const { bars } = component
  const legend = html`<div class="legend"><span>${statusPageText('days_ago', language, { days: bars.length - 1 })}</span><span>${uptimeText(component, snapshot)}</span><span>${statusPageText('today', language)}</span></div>`
  return html`${heading(component, snapshot)}${note(component)}${bars.length === 0 ? null : html`${barsOf(component, snapshot)}${legend}`}`
}
