import { isOver } from '../domain/status-page.ts'
import { type Html, html } from '../wording/html.ts'
import { statusPageText } from '../wording/status-pages.ts'
import { subscriptionText } from '../wording/subscriptions.ts'
import { barsOf, uptimeText } from './bars.ts'
import { incidentHtml } from './incident-html.ts'
import { type LogoAddress, logoBelow, logoHtml } from './logos.ts'
import { momentText } from './moments.ts'
import { shellText } from './shell.ts'
import { inSlices, slices } from './slices.ts'
import { leavesOf, nextOfSeries, type PublishedIncident, type ShownComponent, type Snapshot } from './snapshot.ts'

/** Days of the past incidents on the page; the feeds and the API have more. */
const pastDays = 14
const dayMs = 86_400_000

/** Why the page says from when it is: it cannot be updated now, or it is a copy in another place. */
export type Age = 'as_of' | 'copy_of' | null

interface PageAddresses {
  readonly logo: LogoAddress
  readonly subscribe: string
}

/** The whole page. @param base address of its documents */
export async function pageHtml(
  snapshot: Snapshot,
  base: string,
  age: Age = null,
  { logo = logoBelow(base), subscribe = `${base}/subscribe` }: Partial<PageAddresses> = {},
): Promise<string> {
  const { page, language } = snapshot
  const description = page.description === '' ? headlineOf(snapshot) : page.description
  return shellText({
    ...{ language, title: page.title, description, accent: page.theme.accent ?? null },
    isIndexed: page.is_indexed && page.access === 'public',
    head: html`<link rel="alternate" type="application/rss+xml" title="RSS" href="${base}/history.rss">
<link rel="alternate" type="application/atom+xml" title="Atom" href="${base}/history.atom">
`,
    content: html`<header>
${logoHtml(snapshot, logo)}<h1>${page.title}</h1>
${page.description === '' ? null : html`<p>${page.description}</p>`}
</header>
<main>
${banner(snapshot)}
${age === null ? null : ageNote(snapshot, age)}
${await current(snapshot)}
${await planned(snapshot)}
<section aria-labelledby="components">
<h2 id="components">${statusPageText('components', language)}</h2>
${await componentList(snapshot)}
</section>
${await past(snapshot)}
</main>
${footer(snapshot, base, subscribe)}`,
  })
}

/** While nothing is known it does not say that all is well. */
export function isUnknown(snapshot: Snapshot): boolean {
  return snapshot.indicator === 'none' && leavesOf(snapshot).every(({ status }) => status === 'unknown')
}

/** The state of everything in a few words. */
export function headlineOf(snapshot: Snapshot): string {
  return statusPageText(isUnknown(snapshot) ? 'unknown' : `indicator_${snapshot.indicator}`, snapshot.language)
}

const good = html`<path d="M8 12.5l2.75 2.75L16 9.5" fill="none" stroke="currentColor" stroke-width="2"/>`
const bad = html`<path d="M12 7v6M12 15.5v1.5" fill="none" stroke="currentColor" stroke-width="2"/>`

function banner(snapshot: Snapshot): Html {
  const { indicator } = snapshot
  const state = isUnknown(snapshot) ? 'unknown' : indicator
  return html`<div class="banner ${state}" role="status"><svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="10" fill="none" stroke="currentColor" stroke-width="2"/>${state === 'none' ? good : bad}</svg>${headlineOf(snapshot)}</div>`
}

function ageNote(snapshot: Snapshot, age: NonNullable<Age>): Html {
  const moment = momentText(snapshot.madeAt, snapshot)
  const text = statusPageText(age, snapshot.language, { moment })
  return age === 'as_of' ? html`<p class="stale" role="alert">${text}</p>` : html`<p class="dim">${text}</p>`
}

async function section(title: string, incidents: readonly PublishedIncident[], snapshot: Snapshot): Promise<Html> {
  if (incidents.length === 0) return html``
  return html`<section>
<h2>${title}</h2>
${await inSlices(incidents, (incident) => incidentHtml(incident, snapshot))}</section>
`
}

async function current(snapshot: Snapshot): Promise<Html> {
  const { incidents, maintenances, language } = snapshot
  const lasting = [
    ...incidents.filter(({ status }) => !isOver(status)),
    ...maintenances.filter(({ status }) => status === 'in_progress' || status === 'verifying'),
  ]
  return section(statusPageText('current_incidents', language), lasting, snapshot)
}

async function planned(snapshot: Snapshot): Promise<Html> {
  const coming = nextOfSeries(snapshot.maintenances.filter(({ status }) => status === 'scheduled')).toReversed()
  return section(statusPageText('planned_maintenance', snapshot.language), coming, snapshot)
}

async function past(snapshot: Snapshot): Promise<Html> {
  const { incidents, maintenances, language, madeAt } = snapshot
  const over = [...incidents, ...maintenances]
    .filter(
      ({ status, resolvedAt, startedAt }) => isOver(status) && (resolvedAt ?? startedAt) > madeAt - pastDays * dayMs,
    )
    .toSorted((one, other) => other.startedAt - one.startedAt)
  if (over.length > 0) return section(statusPageText('past_incidents', language), over, snapshot)
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

function footer(snapshot: Snapshot, base: string, subscribe: string): Html {
  const { language, zone } = snapshot
  return html`<footer>
<nav aria-label="${subscriptionText('subscribe', language)}, RSS, Atom, JSON"><a href="${subscribe}">${subscriptionText('subscribe', language)}</a><a href="${base}/history.rss">RSS</a><a href="${base}/history.atom">Atom</a><a href="${base}/maintenance.ics">${statusPageText('calendar', language)}</a><a href="${base}/api/v2/summary.json">JSON</a></nav>
<p>${statusPageText('zone', language, { zone })} ${statusPageText('made_by', language)}</p>
</footer>`
}
