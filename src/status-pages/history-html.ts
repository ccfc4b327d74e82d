import { type Html, html } from '../wording/html.ts'
import { statusPageText } from '../wording/status-pages.ts'
import type { Edition } from './edition.ts'
import { aboutIncident, incidentName, lookOf, updatesHtml } from './incident-html.ts'
import { logoHtml } from './logos.ts'
import { monthText } from './moments.ts'
import { ageNote, pageFooter, pageShell } from './page-frame.ts'
import { lastingOf, overOf, presentOf } from './sections.ts'
import { inSlices } from './slices.ts'
import type { PublishedIncident, Snapshot } from './snapshot.ts'

/** The documents below a page that tell of its incidents: one of all, and one of each. */

/** The way back to the page. */
function pageHeader({ page, ...snapshot }: Snapshot, { home, logo }: Edition, heading: Html): Html {
  return html`<header>
${logoHtml({ page, ...snapshot }, logo)}<p><a href="${home}">${page.title}</a></p>
${heading}
</header>`
}

/** Characters of a message in a list. */
const longestExcerpt = 300

function excerpt(text: string): string {
  const letters = [...text]
  return letters.length > longestExcerpt ? `${letters.slice(0, longestExcerpt - 1).join('')}…` : text
}

function historyItem(incident: PublishedIncident, snapshot: Snapshot, { base }: Edition): Html {
  const last = incident.updates.at(-1)
  return html`<article class="incident ${lookOf(incident)}">
<div class="top"><h3><a href="${base}/${incidentName(incident)}">${incident.name}</a></h3><span class="dim">${statusPageText(incident.status, snapshot.language)}</span></div>
${aboutIncident(incident, snapshot)}
${last === undefined ? null : html`<p>${excerpt(last.body)}</p>`}</article>
`
}

function byMonth(snapshot: Snapshot): ReadonlyMap<string, readonly PublishedIncident[]> {
  const told = [...lastingOf(snapshot), ...presentOf(snapshot), ...overOf(snapshot)]
  const months = new Map<string, PublishedIncident[]>()
  for (const one of told.toSorted((first, other) => other.startedAt - first.startedAt)) {
    const month = monthText(one.startedAt, snapshot)
    const known = months.get(month)
    if (known === undefined) months.set(month, [one])
    else known.push(one)
  }
  return months
}

/** Everything that the page told, month by month. */
export async function historyHtml(snapshot: Snapshot, edition: Edition): Promise<string> {
  const { page, language } = snapshot
  const heading = statusPageText('history', language)
  const months: Html[] = []
  for (const [month, told] of byMonth(snapshot)) {
    months.push(html`<section>
<h2>${month}</h2>
${await inSlices(told, (one) => historyItem(one, snapshot, edition))}</section>
`)
  }
  return pageShell(snapshot, edition, {
    ...{ title: `${heading} – ${page.title}`, description: `${heading}: ${page.title}` },
    content: html`${pageHeader(snapshot, edition, html`<h1>${heading}</h1>`)}
<main>
${ageNote(snapshot, edition)}
${months.length === 0 ? html`<p class="dim">${statusPageText('no_history', language)}</p>` : months}
</main>
${pageFooter(snapshot, edition)}`,
  })
}

const incidentPath = /^incidents\/([\w-]{1,80})\.html$/

/** The incident whose document has the name. */
export function incidentNamed(name: string, { incidents, maintenances }: Snapshot): PublishedIncident | undefined {
  const wanted = incidentPath.exec(name)?.[1]
  if (wanted === undefined) return undefined
  return [...incidents, ...maintenances].find(({ id }) => id === wanted)
}

/**
 * The answer at an address that an old message may have, of an incident that the page shows no more. It is the same for
 * one that never was.
 */
export function goneIncident(
  name: string,
  snapshot: Snapshot,
  edition: Edition,
): { readonly title: string; readonly content: Html } | undefined {
  if (!incidentPath.test(name)) return undefined
  const { language } = snapshot
  const title = statusPageText('incident_gone_title', language)
  const history = html`<p><a href="${edition.base}/history.html">${statusPageText('history', language)}</a></p>`
  return {
    title,
    content: html`${pageHeader(snapshot, edition, html`<h1>${title}</h1>`)}
<main>
<p>${statusPageText('incident_gone', language)}</p>
${history}
</main>
${pageFooter(snapshot, edition)}`,
  }
}

/** One incident with everything that was said of it. */
export async function incidentPage(incident: PublishedIncident, snapshot: Snapshot, edition: Edition): Promise<string> {
  const { page, language } = snapshot
  const { name, status, updates } = incident
  const text = statusPageText(status, language)
  return pageShell(snapshot, edition, {
    title: `${name} – ${page.title}`,
    description: excerpt(updates.at(-1)?.body ?? `${name}: ${text}`),
    content: html`${pageHeader(snapshot, edition, html`<h1>${name}</h1>`)}
<main>
${ageNote(snapshot, edition)}
<article class="incident ${lookOf(incident)}">
${updates.at(-1)?.status === status ? null : html`<p><b>${text}</b></p>`}
${aboutIncident(incident, snapshot)}
${updatesHtml(incident, snapshot)}</article>
</main>
${pageFooter(snapshot, edition)}`,
  })
}
