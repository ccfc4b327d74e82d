import { formatMoment } from '../domain/time.ts'
import { type Html, html } from '../wording/html.ts'
import { statusPageText } from '../wording/status-pages.ts'
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

/** When it began, or its planned time. */
function span({ scheduledFor, scheduledUntil, startedAt }: PublishedIncident, snapshot: Snapshot): Html {
  if (scheduledFor === null || scheduledUntil === null) return time(startedAt, snapshot)
  return html`${rangeText(scheduledFor, scheduledUntil, snapshot)}`
}

/** An incident with what was said of it, the newest first. */
export function incidentHtml(incident: PublishedIncident, snapshot: Snapshot): Html {
  const { language } = snapshot
  const { id, name, status, impact, isMaintenance, updates } = incident
  const names = affectedNames(incident, snapshot)
  const color = status === 'resolved' || status === 'completed' || status === 'postmortem' ? 'resolved' : impact
  const said = updates.toReversed().map(
    (one) =>
      html`<li><b>${statusPageText(one.status, language)}</b><span class="dim">${time(one.display_at, snapshot)}</span><p>${one.body}</p></li>
`,
  )
  const affected =
    names.length === 0
      ? null
      : html`<p class="dim">${statusPageText('affects', language, { names: names.join(', ') })}</p>`
  return html`<article class="incident ${isMaintenance && color !== 'resolved' ? 'maintenance' : color}" id="incident-${id}">
<div class="top"><h3>${name}</h3><span class="dim">${statusPageText(status, language)}</span></div>
<p class="dim">${span(incident, snapshot)}${isMaintenance ? null : html` · ${statusPageText(`impact_${impact}`, language)}`}</p>
${affected}${
  said.length === 0
    ? null
    : html`<ul class="updates">
${said}</ul>`
}
</article>
`
}
