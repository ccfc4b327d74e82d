import { formatMoment } from '../domain/calendars/time.ts'
import { incidentDocument, isOver } from '../domain/status-pages/status-page.ts'
import { type Html, html } from '../wording/html.ts'
import { statusPageText } from '../wording/status-pages.ts'
import type { Edition } from './edition.ts'
import { momentText, rangeText } from './moments.ts'
import type { PublishedIncident, Snapshot } from './snapshot.ts'

function time(at: number, snapshot: Snapshot): Html {
  return html`<time datetime="${formatMoment(at)}">${momentText(at, snapshot)}</time>`
}

/** The names of the components that the page shows, as their owner wrote them. */
export function affectedNames({ componentIds }: PublishedIncident, { components }: Snapshot): readonly string[] {
  const named = new Set(componentIds)
  return components.filter(({ id }) => named.has(id)).map(({ name }) => name)
}

/** Its planned time, or when it began and ended. */
export function spanText(incident: PublishedIncident, snapshot: Snapshot): string {
  const { scheduledFor, scheduledUntil, startedAt, resolvedAt } = incident
  if (scheduledFor !== null && scheduledUntil !== null) return rangeText(scheduledFor, scheduledUntil, snapshot)
  const isEnded = resolvedAt !== null && resolvedAt > startedAt
  return isEnded ? rangeText(startedAt, resolvedAt, snapshot) : momentText(startedAt, snapshot)
}

/** The name of its document. */
export function incidentName({ id }: Pick<PublishedIncident, 'id'>): string {
  return incidentDocument(id)
}

/** The class that colors it. */
export function lookOf({ status, impact, isMaintenance }: PublishedIncident): string {
  if (isOver(status)) return 'resolved'
  return isMaintenance ? 'maintenance' : impact
}

/** Its time, and what it means for visitors. */
export function aboutIncident(incident: PublishedIncident, snapshot: Snapshot): Html {
  const { language } = snapshot
  const { impact, isMaintenance } = incident
  const names = affectedNames(incident, snapshot)
  const affected =
    names.length === 0
      ? null
      : html`
<p class="dim">${statusPageText('affects', language, { names: names.join(', ') })}</p>`
  return html`<p class="dim">${spanText(incident, snapshot)}${isMaintenance ? null : html` · ${statusPageText(`impact_${impact}`, language)}`}</p>${affected}`
}

/** The messages about it, the newest first. */
export function updatesHtml({ updates }: PublishedIncident, snapshot: Snapshot): Html | null {
  if (updates.length === 0) return null
  const said = updates.toReversed().map(
    (one) =>
      html`<li><b>${statusPageText(one.status, snapshot.language)}</b><span class="dim">${time(one.display_at, snapshot)}</span><p>${one.body}</p></li>
`,
  )
  return html`<ul class="updates">
${said}</ul>
`
}

/** An incident among others: its heading leads to its own document. */
export function incidentHtml(incident: PublishedIncident, snapshot: Snapshot, { base }: Edition): Html {
  const { id, name, status } = incident
  return html`<article class="incident ${lookOf(incident)}" id="incident-${id}">
<div class="top"><h3><a href="${base}/${incidentName(incident)}">${name}</a></h3><span class="dim">${statusPageText(status, snapshot.language)}</span></div>
${aboutIncident(incident, snapshot)}
${updatesHtml(incident, snapshot)}</article>
`
}
