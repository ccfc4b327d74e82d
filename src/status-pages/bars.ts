import { dayGrade } from '../domain/service-level/day-grade.ts'
import { type Html, html } from '../wording/html.ts'
import { formatDuration } from '../wording/moments.ts'
import { formatPercent } from '../wording/numbers.ts'
import { statusPageText } from '../wording/status-pages.ts'
import type { ShownComponent, Snapshot } from './snapshot.ts'

/** Units of the drawing: a bar with the gap behind it. The gaps are dashes of the stroke, see the style. */
const dayWidth = 4

/** The line of a failing part, by its height from the bottom of the bar: more failure is higher, not only redder. */
const failingLines: Readonly<Record<string, number>> = { slight: 8.75, little: 7.5, some: 6.25, much: 5 }

/** Days that follow each other are one line. */
function lines(isMeant: readonly boolean[]): string {
  const parts: string[] = []
  for (let at = 0; at < isMeant.length; at++) {
    if (isMeant[at] !== true) continue
    const start = at
    while (isMeant[at + 1] === true) at++
    parts.push(`M${start * dayWidth} 5h${(at - start + 1) * dayWidth - 1}`)
  }
  return parts.join('')
}

export function uptimeText({ uptime }: ShownComponent, { language }: Snapshot): string {
  return uptime === null
    ? statusPageText('no_uptime', language)
    : statusPageText('uptime', language, { percent: formatPercent(uptime, language) })
}

/** The days of a component as a picture; each day with a failure says how long it lasted. */
export function barsOf(component: ShownComponent, snapshot: Snapshot): Html {
  const { bars } = component
  const { language } = snapshot
  const grades = bars.map(dayGrade)
  const label = statusPageText('bars', language, {
    days: bars.length,
    uptime: uptimeText(component, snapshot),
    failures: bars.filter(({ failure }) => failure > 0).length,
  })
  const grounds = [
    ['ok', grades.map((grade, at) => grade !== 'much' && (bars[at]?.ok ?? 0) > 0)],
    ['none', grades.map((grade, at) => grade !== 'much' && !((bars[at]?.ok ?? 0) > 0))],
  ] as const
  const plain = grounds.map(([name, isMeant]) => {
    const path = lines(isMeant)
    return path === '' ? html`` : html`<path class="${name}" d="${path}"/>`
  })
  const failing = bars.map(({ date, failure }, index) => {
    if (failure === 0) return html``
    const grade = grades[index] ?? 'much'
    const title = statusPageText('day_down', language, { date, duration: formatDuration(failure) })
    return html`<path class="${grade}" d="M${index * dayWidth} ${failingLines[grade] ?? 5}h3"><title>${title}</title></path>`
  })
  const width = bars.length * dayWidth - 1
  return html`<svg class="bars" viewBox="0 0 ${width} 10" preserveAspectRatio="none" role="img" aria-label="${label}">${plain}${failing}</svg>`
}
