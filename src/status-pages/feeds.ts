import { calendarText } from '../domain/calendars/icalendar.ts'
import { formatMoment } from '../domain/calendars/time.ts'
import { type Html, html } from '../wording/html.ts'
import { statusPageText } from '../wording/status-pages.ts'
import { incidentName } from './incident-html.ts'
import { momentText, rangeText } from './moments.ts'
import { inSlices } from './slices.ts'
import { nextOfSeries, type PublishedIncident, type Snapshot } from './snapshot.ts'

/** The history of a page in the forms of other programs. */

function newestFirst({ incidents, maintenances }: Snapshot): readonly PublishedIncident[] {
  return [...incidents, ...nextOfSeries(maintenances)].toSorted((one, other) => other.updatedAt - one.updatedAt)
}

/** XML has no way to write control characters. */
function plain(text: string): string {
  return text.replaceAll(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '')
}

/** HTML as a text of XML, which readers of both feeds expect; the status comes last if no update says it. */
async function entryText(incident: PublishedIncident, snapshot: Snapshot): Promise<readonly Html[]> {
  const { language } = snapshot
  const { scheduledFor, scheduledUntil, status, updates } = incident
  const isPlanned = scheduledFor !== null && scheduledUntil !== null
  const said = await inSlices(updates.toReversed(), (update) => {
    const at = momentText(update.display_at, snapshot)
    const lines = plain(update.body)
      .split('\n')
      .map((line) => html`<br>${line}`)
    return asText(html`<p><b>${statusPageText(update.status, language)}</b> – ${at}${lines}</p>`)
  })
  const isSaid = updates.at(-1)?.status === status
  return [
    ...(isPlanned ? [asText(html`<p>${rangeText(scheduledFor, scheduledUntil, snapshot)}</p>`)] : []),
    ...said,
    ...(isSaid ? [] : [asText(html`<p><b>${statusPageText(status, language)}</b></p>`)]),
  ]
}

/** Markup as the text of an element. */
function asText({ markup }: Html): Html {
  return html`${markup}`
}

/** Characters of a feed: its readers fetch it whole each time. Older entries are left out, never all. */
const longestFeed = 2 ** 20

/** The entries in the words of a feed; one of many updates is made in slices too. */
async function entriesOf(
  snapshot: Snapshot,
  make: (incident: PublishedIncident, text: readonly Html[]) => Html,
): Promise<readonly Html[]> {
  const made: Html[] = []
  let length = 0
  for (const one of newestFirst(snapshot)) {
    const entry = make(one, await entryText(one, snapshot))
    length += entry.markup.length
    if (made.length > 0 && length > longestFeed) break
    made.push(entry)
  }
  return made
}

/** RFC 822, as RSS has its moments. */
function rssMoment(at: number): string {
  return new Date(at).toUTCString()
}

const declaration: Html = { markup: '<?xml version="1.0" encoding="utf-8"?>\n' }

/** RSS 2.0 */
export async function rss(snapshot: Snapshot, url: string): Promise<string> {
  const { page, language, updatedAt } = snapshot
  const items = await entriesOf(
    snapshot,
    (one, described) => html`<item>
<title>${plain(one.name)}</title>
<link>${url}/${incidentName(one)}</link>
<guid isPermaLink="false">${url}#incident-${one.id}</guid>
<pubDate>${rssMoment(one.updatedAt)}</pubDate>
<atom:updated>${formatMoment(one.updatedAt)}</atom:updated>
<description>${described}</description>
</item>
`,
  )
  return html`${declaration}<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>${plain(page.title)}</title>
<link>${url}</link>
<atom:link href="${url}/history.rss" rel="self" type="application/rss+xml"/>
<description>${plain(page.description === '' ? page.title : page.description)}</description>
<language>${language}</language>
<pubDate>${rssMoment(updatedAt)}</pubDate>
<lastBuildDate>${rssMoment(updatedAt)}</lastBuildDate>
${items}</channel>
</rss>
`.markup
}

/** RFC 4287 */
export async function atom(snapshot: Snapshot, url: string): Promise<string> {
  const { page, language, updatedAt } = snapshot
  const entries = await entriesOf(
    snapshot,
    (one, described) => html`<entry>
<id>${url}#incident-${one.id}</id>
<title>${plain(one.name)}</title>
<link href="${url}/${incidentName(one)}"/>
<published>${formatMoment(one.createdAt)}</published>
<updated>${formatMoment(one.updatedAt)}</updated>
<content type="html">${described}</content>
</entry>
`,
  )
  return html`${declaration}<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${language}">
<id>${url}</id>
<title>${plain(page.title)}</title>
<updated>${formatMoment(updatedAt)}</updated>
<author><name>${plain(page.title)}</name></author>
<link href="${url}"/>
<link rel="self" href="${url}/history.atom"/>
${entries}</feed>
`.markup
}

export function calendar(snapshot: Snapshot, url: string): string {
  return calendarText({
    name: snapshot.page.title,
    stampAt: snapshot.updatedAt,
    events: snapshot.maintenances.flatMap(({ id, name, scheduledFor: startAt, scheduledUntil: endAt }) =>
      startAt === null || endAt === null ? [] : [{ uid: `${id}@${new URL(url).host}`, summary: name, startAt, endAt }],
    ),
  })
}
