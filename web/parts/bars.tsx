import { memo } from 'react'
import type { Day } from '../api/answers.ts'
import { useFormat } from '../reader.tsx'
import { useWords } from '../words/words.ts'
import { partWords } from './words.ts'
import './bars.css'

/** A day is a column of 4 by 28 with a gap of 2. */
const step = 6
const width = 4
const height = 28
/** A failure of seconds is drawn at least this high, so that it is seen. */
const leastFailure = 4

/** Degraded seconds of less than a tenth of the day are seen as well. */
const leastDegraded = 3

const kinds = ['ok', 'degraded', 'failure', 'paused', 'none'] as const

/** Share of the day's known seconds that were good; null when nothing was monitored. */
function levelOf(days: readonly Pick<Day, 'ok' | 'failure'>[]): number | null {
  let [ok, failure] = [0, 0]
  for (const day of days) {
    ok += day.ok
    failure += day.failure
  }
  return ok + failure === 0 ? null : ok / (ok + failure)
}

/** One path for each colour: cheap to draw in a list of thousands. */
function pathsOf(days: readonly Day[]): Readonly<Record<(typeof kinds)[number], string>> {
  const paths = { ok: '', degraded: '', failure: '', paused: '', none: '' }
  days.forEach((day, at) => {
    const x = at * step
    const known = day.ok + day.failure
    if (known === 0) {
      if (day.paused > 0) paths.paused += `M${x} ${height}v-6h${width}v6z`
      // The service was not there yet: its place shows how many days there would be.
      else paths.none += `M${x} ${height}v-2h${width}v2z`
      return
    }
    const bad = day.failure === 0 ? 0 : Math.max(leastFailure, Math.round((day.failure / known) * height))
    const room = height - bad
    const share = Math.round((day.degraded / known) * height)
    const worse = day.degraded === 0 ? 0 : Math.min(room, Math.max(leastDegraded, share))
    const top = room - worse
    if (worse > 0) paths.degraded += `M${x} ${room}v-${worse}h${width}v${worse}z`
    if (top > 0) paths.ok += `M${x} ${top}V0h${width}V${top}z`
    if (bad > 0) paths.failure += `M${x} ${height}v-${bad}h${width}v${bad}z`
  })
  return paths
}

interface BarsProps {
  /** Undefined while it is being read: nothing moves when it comes. */
  readonly days: readonly Day[] | undefined
  readonly count: number
}

/**
 * The service level of days: one column each, with failures at the bottom and degraded time above them. The text gives
 * the total; a pointer over a day gives that day's.
 */
export const Bars = memo(function Bars({ days, count }: BarsProps) {
  const words = useWords(partWords)
  const format = useFormat()
  if (days === undefined)
    return <svg className="bars" viewBox={`0 0 ${count * step - 2} ${height}`} aria-hidden="true" />
  const paths = pathsOf(days)
  const level = levelOf(days)
  const text = level === null ? words.barsNoData(days.length) : words.bars(days.length, format.percent(level))
  const dayAt = (event: React.PointerEvent<SVGSVGElement>) => {
    const { left, width: shown } = event.currentTarget.getBoundingClientRect()
    const day = days[Math.floor(((event.clientX - left) / shown) * days.length)]
    const title = event.currentTarget.querySelector('title')
    if (day === undefined || title === null) return
    const ofDay = levelOf([day])
    const said = ofDay === null ? words.noData : format.percent(ofDay)
    title.textContent = words.day(format.day(day.date), said, day.failures)
  }
  return (
    <svg
      className="bars"
      viewBox={`0 0 ${count * step - 2} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={text}
      onPointerMove={dayAt}
    >
      <title>{text}</title>
      {kinds.map((kind) => (paths[kind] === '' ? null : <path key={kind} className={kind} d={paths[kind]} />))}
    </svg>
  )
})
