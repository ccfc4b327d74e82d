import { type ServiceLevel, shareOf } from '../../parts/correct/intervals.ts'
import { useFormat } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import type { Step } from './level-queries.ts'
import { serviceLevelWords } from './words.ts'

const height = 48
/** A failure of seconds is drawn at least this high, so that it is seen. */
const leastFailure = 6

const states = ['ok', 'failure', 'paused'] as const

/** Columns as wide as their time: failures from below, what is not counted empty. */
function pathsOf(steps: readonly Step[], first: number, length: number) {
  const paths = { ok: '', failure: '', paused: '' }
  for (const { start_time, end_time, ok, failure } of steps) {
    const x = ((Date.parse(start_time) - first) / length) * 1000
    const width = Math.max(0.5, ((Date.parse(end_time) - Date.parse(start_time)) / length) * 1000 - 1)
    const known = ok + failure
    if (known === 0) {
      paths.paused += `M${x} ${height}v-8h${width}v8z`
      continue
    }
    const bad = failure === 0 ? 0 : Math.max(leastFailure, Math.round((failure / known) * height))
    if (bad < height) paths.ok += `M${x} ${height - bad}V0h${width}V${height - bad}z`
    if (bad > 0) paths.failure += `M${x} ${height}v-${bad}h${width}v${bad}z`
  }
  return paths
}

/** The course of a range. The text beside it says the whole; a pointer over a step says that step. */
export function LevelChart({ steps, level }: { readonly steps: readonly Step[]; readonly level: ServiceLevel }) {
  const words = useWords(serviceLevelWords)
  const format = useFormat()
  const first = Date.parse(steps[0]?.start_time ?? '')
  const length = Date.parse(steps.at(-1)?.end_time ?? '') - first
  if (!(length > 0)) return null
  const paths = pathsOf(steps, first, length)
  const said = (of: ServiceLevel) => {
    const share = shareOf(of)
    return share === null ? words.nothing : words.chartText(format.percent(share), format.duration(of.failure))
  }
  const point = (event: React.PointerEvent<SVGSVGElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const at = first + ((event.clientX - left) / width) * length
    const step = steps.find(({ end_time }) => Date.parse(end_time) > at)
    const title = event.currentTarget.querySelector('title')
    if (step === undefined || title === null) return
    title.textContent = `${format.shortMoment(step.start_time)} – ${format.shortMoment(step.end_time)}: ${said(step)}`
  }
  return (
    <svg
      className="level-chart"
      viewBox={`0 0 1000 ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${words.chart}: ${said(level)}`}
      onPointerMove={point}
    >
      <title>{said(level)}</title>
      {states.map((state) => (paths[state] === '' ? null : <path key={state} className={state} d={paths[state]} />))}
    </svg>
  )
}
