import { type Html, html } from '../wording/html.ts'
import { statusPageText } from '../wording/status-pages.ts'
import { subscriptionText } from '../wording/subscriptions.ts'
import type { Edition } from './edition.ts'
import { momentText } from './moments.ts'
import { type Shell, shellText } from './shell.ts'
import type { Snapshot } from './snapshot.ts'

/** The parts that all documents of a page have. */

export function pageShell(
  { page, language }: Snapshot,
  { base }: Edition,
  { title, description, content }: Pick<Shell, 'title' | 'description' | 'content'>,
): string {
  return shellText({
    ...{ language, title, description, content, accent: page.theme.accent ?? null },
    isIndexed: page.is_indexed && page.access === 'public',
    head: html`<link rel="alternate" type="application/rss+xml" title="RSS" href="${base}/history.rss">
<link rel="alternate" type="application/atom+xml" title="Atom" href="${base}/history.atom">
`,
  })
}

export function ageNote(snapshot: Snapshot, { age }: Edition): Html | null {
  if (age === null) return null
  const moment = momentText(snapshot.madeAt, snapshot)
  const text = statusPageText(age, snapshot.language, { moment })
  return age === 'as_of' ? html`<p class="stale" role="alert">${text}</p>` : html`<p class="dim">${text}</p>`
}

export function pageFooter({ language, zone }: Snapshot, { base, subscribe }: Edition): Html {
  const links: readonly (readonly [address: string, text: string])[] = [
    [subscribe, subscriptionText('subscribe', language)],
    [`${base}/history.html`, statusPageText('history', language)],
    [`${base}/history.rss`, 'RSS'],
    [`${base}/history.atom`, 'Atom'],
    [`${base}/maintenance.ics`, statusPageText('calendar', language)],
    [`${base}/api/v2/summary.json`, 'JSON'],
  ]
  return html`<footer>
<nav aria-label="${statusPageText('more', language)}">${links.map(([address, text]) => html`<a href="${address}">${text}</a>`)}</nav>
<p>${statusPageText('zone', language, { zone })} ${statusPageText('made_by', language)}</p>
</footer>`
}
