import { useEffect, useMemo, useRef, useState } from 'react'
import type { Format } from '../../format/format.ts'
import { useFormat } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { type Drawing, draw, type Frame, nearest, type ResponsePoint } from './chart-drawing.ts'
import { isMidnight } from './round-moments.ts'
import { serviceWords } from './words.ts'

export type { ResponsePoint } from './chart-drawing.ts'

const height = 220
const margins = { left: 56, right: 8, top: 12, bottom: 28 }

interface ChartProps {
  readonly points: readonly ResponsePoint[]
  /** Longer than a day: moments are told with their day. */
  readonly isLong: boolean
}

/** The average with the band from the quickest to the slowest check; failed checks are ticks at the bottom. */
export function ResponseChart({ points, isLong }: ChartProps) {
  const words = useWords(serviceWords)
  const [box, width] = useWidth()
  const [at, setAt] = useState<number | null>(null)
  const frame = useMemo((): Frame => ({ ...margins, width, height }), [width])
  const { zone } = useFormat()
  const drawing = useMemo(() => draw(points, frame, zone), [points, frame, zone])
  const chosen = at === null ? undefined : points[at]
  const move = (by: number) => setAt((before) => clamp((before ?? (by > 0 ? -1 : points.length)) + by, points.length))
  const keys = new Map([
    ['ArrowLeft', () => move(-1)],
    ['ArrowRight', () => move(1)],
    ['Home', () => setAt(0)],
    ['End', () => setAt(points.length - 1)],
    ['Escape', () => setAt(null)],
  ])
  return (
    <div ref={box}>
      {/* biome-ignore lint/a11y/useSemanticElements: a picture that the arrow keys read, value by value, is no fieldset */}
      <div
        className="chart"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
        tabIndex={0}
        role="group"
        aria-label={`${words.response}. ${words.chartHint}`}
        onKeyDown={(event) => {
          const act = keys.get(event.key)
          if (act === undefined) return
          event.preventDefault()
          act()
        }}
        onBlur={() => setAt(null)}
        onPointerMove={(event) => {
          const { left } = event.currentTarget.getBoundingClientRect()
          setAt(nearest(points, drawing, event.clientX - left))
        }}
        onPointerLeave={() => setAt(null)}
      >
        <Picture drawing={drawing} frame={frame} isLong={isLong} />
        {chosen === undefined ? null : <div className="cursor" style={{ left: drawing.x(middleOf(chosen)) }} />}
      </div>
      <div className="readout" aria-live="polite">
        {chosen === undefined ? <Legend /> : <Values point={chosen} isLong={isLong} />}
      </div>
    </div>
  )
}

function Legend() {
  const words = useWords(serviceWords)
  const format = useFormat()
  return (
    <>
      <span className="key line">{words.average}</span>
      <span className="key band">{words.between}</span>
      <span className="key ticks">{words.errors}</span>
      <span className="hint">{format.zone}</span>
    </>
  )
}

function Values({ point, isLong }: { readonly point: ResponsePoint; readonly isLong: boolean }) {
  const words = useWords(serviceWords)
  const format = useFormat()
  const moment = isLong ? format.shortMoment : format.clock
  return (
    <>
      <b>{words.point(moment(point.start_time), moment(point.end_time))}</b>
      {point.average === null ? null : (
        <span>
          {words.average} {format.milliseconds(point.average)}, {words.minimum}{' '}
          {format.milliseconds(point.minimum ?? 0)}, {words.maximum} {format.milliseconds(point.maximum ?? 0)}
        </span>
      )}
      <span>{words.checks(point.checks)}</span>
      {point.errors > 0 ? <span className="problem">{words.failed(point.errors)}</span> : null}
    </>
  )
}

function Picture({
  drawing,
  frame,
  isLong,
}: {
  readonly drawing: Drawing
  readonly frame: Frame
  readonly isLong: boolean
}) {
  const format = useFormat()
  const texts = momentTexts(format, drawing.moments, isLong)
  return (
    <svg width={frame.width} height={frame.height} aria-hidden="true">
      {drawing.levels.map((level) => (
        <g key={level}>
          <line
            className="grid"
            x1={frame.left}
            x2={frame.width - frame.right}
            y1={drawing.y(level)}
            y2={drawing.y(level)}
          />
          <text x={frame.left - 8} y={drawing.y(level) + 4} textAnchor="end">
            {format.milliseconds(level)}
          </text>
        </g>
      ))}
      {drawing.moments.map((moment, index) => (
        <text
          key={moment}
          x={drawing.x(moment)}
          y={frame.height - 8}
          textAnchor={drawing.x(moment) > frame.width - halfText ? 'end' : 'middle'}
        >
          {texts[index]}
        </text>
      ))}
      <path className="band" d={drawing.band} />
      <path className="line" d={drawing.line} />
      <path className="line dots" d={drawing.dots} />
      <path className="ticks" d={drawing.errors} />
    </svg>
  )
}

/** Half of a text: nearer to the edge of the picture it would be cut. */
const halfText = 24

/** Clock times; of several days the beginning of each has its date. */
function momentTexts(format: Format, moments: readonly number[], withDay: boolean): readonly string[] {
  const isos = moments.map((moment) => new Date(moment).toISOString())
  const clocks = format.clocks(isos)
  return moments.map((at, index) =>
    withDay && isMidnight(at, format.zone)
      ? format.shortMoment(isos[index] ?? '').replace(/, .*$/, '')
      : (clocks[index] ?? ''),
  )
}

function middleOf({ start_time, end_time }: ResponsePoint): number {
  return (Date.parse(start_time) + Date.parse(end_time)) / 2
}

function clamp(index: number, count: number): number {
  return Math.max(0, Math.min(count - 1, index))
}

/** The width of an element, as it changes. */
function useWidth() {
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(600)
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const observer = new ResizeObserver(([entry]) => setWidth(Math.max(240, entry?.contentRect.width ?? 0)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [box, width] as const
}
