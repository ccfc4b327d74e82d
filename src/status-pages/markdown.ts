import { statusPageText } from '../wording/status-pages.ts'
import { uptimeText } from './bars.ts'
import { affectedNames, spanText } from './incident-html.ts'
import { momentText } from './moments.ts'
import { type Heading, headlineOf } from './page-html.ts'
import { comingOf, lastingOf, lateOf, presentOf } from './sections.ts'
import { inSlices } from './slices.ts'
import { leavesOf, type PublishedIncident, type Snapshot } from './snapshot.ts'

/** Characters that would be markup, as themselves. */
function marked(text: string): string {
  const line = text
    .split('\n')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(' ')
  return line.replaceAll(/[\\`*_{}[\]()#+\-.!|<>&~]/g, (character) => `\\${character}`)
}

function incidentText(incident: PublishedIncident, snapshot: Snapshot): string {
  const { language } = snapshot
  const { name, status, updates } = incident
  const names = affectedNames(incident, snapshot).map(marked).join(', ')
  return [
    `### ${marked(name)}`,
    `${marked(statusPageText(status, language))}, ${spanText(incident, snapshot)}`,
    ...(names === '' ? [] : [statusPageText('affects', language, { names })]),
    ...updates.toReversed().map((said) => `- ${momentText(said.display_at, snapshot)}: ${marked(said.body)}`),
  ].join('\n\n')
}

async function section(
  heading: Heading,
  incidents: readonly PublishedIncident[],
  snapshot: Snapshot,
): Promise<readonly string[]> {
  if (incidents.length === 0) return []
  const texts = await inSlices(incidents, (one) => incidentText(one, snapshot))
  return [`## ${statusPageText(heading, snapshot.language)}`, ...texts]
}

/** The page for programs that read text, in the order of the page. */
export async function markdown(snapshot: Snapshot, url: string): Promise<string> {
  const { page, language } = snapshot
  const rows = await inSlices(leavesOf(snapshot), (one) => {
    const uptime = one.bars.length === 0 ? '' : ` (${uptimeText(one, snapshot)})`
    return `- **${marked(one.name)}**: ${statusPageText(one.status, language)}${uptime}`
  })
  return `${[
    `# ${marked(page.title)}`,
    ...(page.description === '' ? [] : [marked(page.description)]),
    `**${headlineOf(snapshot)}**`,
    ...(await section('current_incidents', lastingOf(snapshot), snapshot)),
    ...(await section('current_maintenance', presentOf(snapshot), snapshot)),
    ...(await section('planned_maintenance', comingOf(snapshot), snapshot)),
    `## ${statusPageText('components', language)}`,
    ...(rows.length === 0 ? [statusPageText('no_components', language)] : [rows.join('\n')]),
    ...(await section('past_incidents', lateOf(snapshot), snapshot)),
    `[${statusPageText('history', language)}](<${url}/history.html>)`,
  ].join('\n\n')}\n`
}
