import type { DayBar } from '../domain/history-bars.ts'
import { type Html, html } from '../wording/html.ts'
import { formatDuration } from '../wording/moments.ts'
import { formatPercent } from '../wording/numbers.ts'
import { statusPageText } from '../wording/status-pages.ts'
import type { ShownComponent, Snapshot } from './snapshot.ts'

/** A day failed much if it failed longer than this share of its watched time. */
const muchShare = 0.05

type DayColor = 'ok' | 'little' | 'much' | 'none'

function colorOf({ ok, failure }: DayBar): DayColor {
  if (ok + failure === 0) return 'none'
  if (failure === 0) return 'ok'
  return failure / (ok + failure) > muchShare ? 'much' : 'little'
}

/** Units of the drawing: a bar with the gap behind it. The gaps are dashes of the stroke, see the style. */
const dayWidth = 4

/** Days of one color that follow each other are one line. */
function lines(colors: readonly DayColor[], color: DayColor): string {
  const parts: string[] = []
  for (let at = 0; at < colors.length; at++) {
    if (colors[at] !== color) continue
    const start = at
    while (colors[at + 1] === color) at++
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
  const colors = bars.map(colorOf)
  const label = statusPageText('bars', language, {
    days: bars.length,
    uptime: uptimeText(component, snapshot),
    failures: bars.filter(({ failure }) => failure > 0).length,
  })
  const plain = (['ok', 'none'] as const).map((color) => {
    const path = lines(colors, color)
    return path === '' ? html`` : html`<path class="${color}" d="${path}"/>`
  })
  const failing = bars.map(({ date, failure }, index) => {
    if (failure === 0) return html``
    const title = statusPageText('day_down', language, { date, duration: formatDuration(failure) })
    return html`<path class="${colors[index] ?? 'much'}" d="M${index * dayWidth} 5h3"><title>${title}</title></path>`
  })
  const width = bars.length * dayWidth - 1
  return html`<svg class="bars" viewBox="0 0 ${width} 10" preserveAspectRatio="none" role="img" aria-label="${label}">${plain}${failing}</svg>`
}
