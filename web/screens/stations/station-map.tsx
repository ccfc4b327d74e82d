import { useEffect, useRef, useState } from 'react'
import { Icon } from '../../parts/icon.tsx'
import { useWords } from '../../words/words.ts'
import { mapRatio, spread, type View, viewOf, worldView } from './map-layout.ts'
import { globePath, gridPath, landPath } from './outline.ts'
import { type Point, project } from './projection.ts'
import { type Station, type StationState, stateIcons } from './station.ts'
import { stationsWords } from './words.ts'

export interface ShownStation {
  readonly station: Station
  readonly state: StationState
}

interface MapProps {
  readonly shown: readonly ShownStation[]
  readonly pointed: number | null
  readonly point: (id: number | null) => void
  /** Goes to the station in the list. */
  readonly choose: (id: number) => void
}

/** Pixels between the middles of two points, so that each can be touched. */
const gap = 34
const mostLabels = 12

/** A map of the stations, with a button for each. */
export function StationMap({ shown, pointed, point, choose }: MapProps) {
  const words = useWords(stationsWords)
  const [isWorld, setWorld] = useState(false)
  const [box, width] = useWidth()
  const placed = shown.flatMap(({ station, state }) => {
    const { latitude, longitude } = station
    return latitude === null || longitude === null ? [] : [{ station, state, at: project(latitude, longitude) }]
  })
  const view = isWorld ? worldView : viewOf(placed.map(({ at }) => at))
  const height = width / mapRatio
  const inBox = ({ x, y }: Point) => ({
    x: ((x - view.x) / view.width) * width,
    y: ((y - view.y) / view.height) * height,
  })
  const places = placed.map(({ at }) => inBox(at))
  const points = width === 0 ? places : spread(places, gap, { width, height })
  const missing = shown.length - placed.length
  return (
    <section className="station-map card" aria-label={words.map}>
      <div ref={box} className="map-box">
        <Ground view={view} />
        <svg className="leads" aria-hidden="true">
          {points.map((to, index) => {
            const from = places[index] ?? to
            if (Math.hypot(to.x - from.x, to.y - from.y) < 3) return null
            return (
              <g key={placed[index]?.station.id}>
                <line x1={from.x} y1={from.y} x2={to.x} y2={to.y} />
                <circle cx={from.x} cy={from.y} r="2.5" />
              </g>
            )
          })}
        </svg>
        <ul>
          {placed.map(({ station, state }, index) => {
            const { x, y } = points[index] ?? { x: 0, y: 0 }
            const isPointed = station.id === pointed
            const side = x > width * 0.62 ? 'left' : 'right'
            return (
              <li
                key={station.id}
                style={{ left: `${x}px`, top: `${y}px` }}
                className={isPointed ? 'pointed' : undefined}
              >
                <button
                  type="button"
                  id={`point-${station.id}`}
                  className={`point ${state}`}
                  aria-label={words.pointName(station.name, words.states[state])}
                  onClick={() => choose(station.id)}
                  onFocus={() => point(station.id)}
                  onBlur={() => point(null)}
                  onPointerEnter={() => point(station.id)}
                  onPointerLeave={() => point(null)}
                >
                  <Icon name={stateIcons[state]} />
                </button>
                {isPointed || placed.length <= mostLabels ? (
                  <span className={`label ${side}`} aria-hidden="true">
                    {station.name}
                  </span>
                ) : null}
              </li>
            )
          })}
        </ul>
      </div>
      <footer className="spread">
        <Legend shown={shown} />
        {placed.length === 0 ? null : (
          <button type="button" className="button small" aria-pressed={isWorld} onClick={() => setWorld(!isWorld)}>
            {words.world}
          </button>
        )}
        {missing === 0 ? null : <p className="hint">{words.missing(missing)}</p>}
      </footer>
    </section>
  )
}

function Ground({ view: { x, y, width, height } }: { readonly view: View }) {
  return (
    <svg className="ground" viewBox={`${x} ${y} ${width} ${height}`} aria-hidden="true">
      <path className="globe" d={globePath} />
      <path className="grid" d={gridPath} />
      <path className="land" d={landPath} />
    </svg>
  )
}

/** The meaning of each shape, with the number of stations that have it. */
function Legend({ shown }: Pick<MapProps, 'shown'>) {
  const words = useWords(stationsWords)
  const states = (['seen', 'older', 'silent', 'never'] as const).filter((state) =>
    shown.some((one) => one.state === state),
  )
  return (
    <ul className="legend">
      {states.map((state) => (
        <li key={state}>
          <span className={`point ${state}`} aria-hidden="true">
            <Icon name={stateIcons[state]} />
          </span>
          {words.states[state]}: {shown.filter((one) => one.state === state).length}
        </li>
      ))}
    </ul>
  )
}

/** The width of an element in pixels, as it is now. */
function useWidth() {
  const element = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    if (element.current === null) return undefined
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0))
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  return [element, width] as const
}
