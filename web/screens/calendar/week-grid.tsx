import { useRef, useState } from 'react'
import { createFormat, type Format } from '../../format/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { useReader } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import type { NamedService } from './calendar-queries.ts'
import { type Block, blocksOf, clockOf, type Day, type Occurrence } from './week.ts'
import { calendarWords } from './words.ts'

/** Pixels of an hour. */
const hourHeight = 32
const hour = 3_600_000
const quarter = 900_000
/** Blocks of minutes are drawn at least this high, so that they can be read and hit. */
const leastHeight = 24

interface GridProps {
  readonly days: readonly Day[]
  readonly occurrences: readonly Occurrence[]
  readonly services: ReadonlyMap<number, NamedService>
  readonly zone: string
  readonly now: number
  readonly open: (occurrence: Occurrence) => void
  /** Null: the reader makes none. */
  readonly drag: ((from: number, to: number) => void) | null
}

export function useTitleOf(services: ReadonlyMap<number, NamedService>) {
  const words = useWords(calendarWords)
  return ({ plan }: Occurrence) => {
    if (plan.wide !== null) return words.wide(plan.wide.group, plan.wide.tag)
    const [only] = plan.serviceIds
    if (plan.serviceIds.length > 1 || only === undefined) return words.services(plan.serviceIds.length)
    return services.get(only)?.name ?? `#${only}`
  }
}

const pixels = (at: number, day: Day) => ((at - day.start) / hour) * hourHeight

/** Seven days side by side. A day at which clocks change is drawn as long as it is. */
export function WeekGrid(props: GridProps) {
  const { days, zone, now, drag } = props
  const words = useWords(calendarWords)
  const { language } = useReader()
  const format = createFormat(language, zone)
  const grid = useRef<HTMLDivElement>(null)
  const [dragged, setDragged] = useState<{ readonly start: number; readonly at: number } | null>(null)
  const momentAt = (event: React.PointerEvent) => {
    const columns = [...(grid.current?.querySelectorAll('.day-hours') ?? [])].map((one) => one.getBoundingClientRect())
    const place = columns.findIndex(({ right }) => event.clientX <= right)
    const [day, box] = [days[place === -1 ? 6 : place], columns[place === -1 ? 6 : place]]
    if (day === undefined || box === undefined) return null
    const at = day.start + ((event.clientY - box.top) / hourHeight) * hour
    return Math.max(day.start, Math.min(day.end, Math.floor(at / quarter) * quarter))
  }
  const selected = dragged === null ? null : rangeOf(dragged)
  const end = () => {
    if (selected !== null) drag?.(selected.from, selected.to)
    setDragged(null)
  }
  return (
    <div className="week">
      <Hours days={days} zone={zone} />
      <div
        ref={grid}
        className="days"
        onPointerDown={(event) => {
          const isFree = event.target instanceof Element && event.target.classList.contains('day-hours')
          // A finger moves the page.
          if (drag === null || event.button !== 0 || event.pointerType === 'touch' || !isFree) return
          const at = momentAt(event)
          if (at === null) return
          event.currentTarget.setPointerCapture(event.pointerId)
          event.preventDefault()
          setDragged({ start: at, at })
        }}
        onPointerMove={(event) => {
          const at = dragged === null ? null : momentAt(event)
          if (at !== null) setDragged((before) => before && { ...before, at })
        }}
        onPointerUp={end}
        onPointerCancel={() => setDragged(null)}
      >
        {days.map((day) => (
          <section key={day.date} className="day" aria-label={format.day(day.date)}>
            <DayHead day={day} format={format} isToday={now >= day.start && now < day.end} />
            <div
              className={day.shift === null ? 'day-hours' : 'day-hours shifted'}
              style={{ height: pixels(day.end, day) }}
            >
              {day.shift === null ? null : <Shift day={day} zone={zone} />}
              {now >= day.start && now < day.end ? (
                <div className="now-line" style={{ top: pixels(now, day) }} title={words.now} />
              ) : null}
              {selected === null ? null : <Ghost day={day} selected={selected} zone={zone} />}
              <Blocks {...props} day={day} />
            </div>
          </section>
        ))}
      </div>
    </div>
  )
}

/** A click alone means an hour. */
function rangeOf({ start, at }: { readonly start: number; readonly at: number }) {
  if (start === at) return { from: start, to: start + hour }
  return at > start ? { from: start, to: at + quarter } : { from: at, to: start + quarter }
}

function Hours({ days, zone }: Pick<GridProps, 'days' | 'zone'>) {
  const usual = days.find(({ shift }) => shift === null)
  if (usual === undefined) return null
  return (
    <div className="hour-names" aria-hidden="true">
      {Array.from({ length: 24 }, (_, index) => (
        <span key={clockOf(usual.start + index * hour, zone)} style={{ height: hourHeight }}>
          {clockOf(usual.start + index * hour, zone)}
        </span>
      ))}
    </div>
  )
}

interface HeadProps {
  readonly day: Day
  readonly format: Format
  readonly isToday: boolean
}

function DayHead({ day, format, isToday }: HeadProps) {
  const words = useWords(calendarWords)
  const length = (day.end - day.start) / hour
  return (
    <h3 className={isToday ? 'day-head today' : 'day-head'}>
      {format.day(day.date).replace(/,? \d{4}.*$/, '')}
      {day.shift === null ? null : <span className="length">{words.hours(format.number(length))}</span>}
    </h3>
  )
}

/** The hours of a day of its own length, and the moment at which clocks change. */
function Shift({ day, zone }: { readonly day: Day; readonly zone: string }) {
  const words = useWords(calendarWords)
  if (day.shift === null) return null
  const { at, by } = day.shift
  const before = clockOf(at - 60_000, zone).slice(0, 2)
  const time = `${String((Number(before) + 1) % 24).padStart(2, '0')}:00`
  const hours = Array.from({ length: Math.ceil((day.end - day.start) / hour) }, (_, index) => day.start + index * hour)
  return (
    <>
      {hours.map((at) => (
        <span key={at} className="own-hour" style={{ top: pixels(at, day) }} aria-hidden="true">
          {clockOf(at, zone)}
        </span>
      ))}
      <p className="shift" style={{ top: pixels(at, day) }}>
        {by > 0 ? words.forward(time) : words.back(time)}
      </p>
    </>
  )
}

interface GhostProps {
  readonly day: Day
  readonly selected: { readonly from: number; readonly to: number }
  readonly zone: string
}

function Ghost({ day, selected, zone }: GhostProps) {
  const [from, to] = [Math.max(selected.from, day.start), Math.min(selected.to, day.end)]
  if (to <= from) return null
  return (
    <div className="ghost" style={{ top: pixels(from, day), height: pixels(to, day) - pixels(from, day) }}>
      {from === selected.from ? `${clockOf(selected.from, zone)} – ${clockOf(selected.to, zone)}` : null}
    </div>
  )
}

function Blocks({ day, occurrences, services, zone, open }: GridProps & { readonly day: Day }) {
  const words = useWords(calendarWords)
  const titleOf = useTitleOf(services)
  const shown = (block: Block) => occurrences.find(({ plan, to }) => plan === block.plan && to >= block.to)
  return (
    <ul>
      {blocksOf(occurrences, day).map((block) => {
        const { plan, from, to, lane, lanes } = block
        const top = pixels(from, day)
        const whole = shown(block) ?? block
        const what = `${titleOf(block)}: ${plan.onlyNotifications ? words.quiet : words.stopped}`
        const style = {
          top,
          height: Math.max(leastHeight, pixels(to, day) - top) - 1,
          left: `${(lane / lanes) * 100}%`,
          width: `${100 / lanes}%`,
        }
        return (
          <li key={`${plan.key} ${from}`} style={style}>
            <button
              type="button"
              className={plan.onlyNotifications ? 'block quiet' : 'block'}
              title={`${what}${plan.description === '' ? '' : ` – ${plan.description}`}`}
              onClick={() => open(whole)}
            >
              <span className="block-title">
                <Icon name={plan.onlyNotifications ? 'silent' : 'suspended'} />
                {titleOf(block)}
              </span>
              <span className="only-read"> {plan.onlyNotifications ? words.quiet : words.stopped} </span>
              <span>
                {clockOf(from, zone)}–{clockOf(to, zone)}
                {plan.kind === 'weekly' ? `, ${words.weekly}` : ''}
              </span>
              {plan.description === '' ? null : <span className="block-why">{plan.description}</span>}
            </button>
          </li>
        )
      })}
    </ul>
  )
}
