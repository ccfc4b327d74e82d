import { createFormat } from '../../format/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { useReader } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import type { NamedService } from './calendar-queries.ts'
import type { Day, Occurrence } from './week.ts'
import { useTitleOf } from './week-grid.tsx'
import { calendarWords } from './words.ts'

interface ListProps {
  readonly days: readonly Day[]
  readonly occurrences: readonly Occurrence[]
  readonly services: ReadonlyMap<number, NamedService>
  readonly zone: string
  readonly now: number
  readonly open: (occurrence: Occurrence) => void
}

/** The days of a week one below the other, each with what is suspended on it. */
export function DayList({ days, occurrences, services, zone, now, open }: ListProps) {
  const words = useWords(calendarWords)
  const { language } = useReader()
  const format = createFormat(language, zone)
  const titleOf = useTitleOf(services)
  const moment = (at: number) => format.shortMoment(new Date(at).toISOString())
  return (
    <ol className="day-list">
      {days.map((day) => {
        const within = occurrences
          .filter(({ from, to }) => to > day.start && from < day.end)
          .toSorted((one, other) => one.from - other.from)
        const isToday = now >= day.start && now < day.end
        return (
          <li key={day.date} className="card">
            <header>
              <h2 className={isToday ? 'today' : ''}>{format.day(day.date)}</h2>
              {day.shift === null ? null : (
                <span className="hint">{words.hours(format.number((day.end - day.start) / 3_600_000))}</span>
              )}
            </header>
            {within.length === 0 ? <p className="inside dim">{words.nothing}</p> : null}
            <ul className={within.length === 0 ? 'empty-day' : 'inside'}>
              {within.map((one) => (
                <li key={`${one.plan.key} ${one.from}`}>
                  <button
                    type="button"
                    className={one.plan.onlyNotifications ? 'block quiet' : 'block'}
                    onClick={() => open(one)}
                  >
                    <span className="block-title">
                      <Icon name={one.plan.onlyNotifications ? 'silent' : 'suspended'} />
                      {titleOf(one)}
                    </span>
                    <span>
                      {moment(one.from)} – {moment(one.to)}
                      {one.plan.kind === 'weekly' ? `, ${words.weekly}` : ''} ·{' '}
                      {one.plan.onlyNotifications ? words.quiet : words.stopped}
                    </span>
                    {one.plan.description === '' ? null : <span className="block-why">{one.plan.description}</span>}
                  </button>
                </li>
              ))}
            </ul>
          </li>
        )
      })}
    </ol>
  )
}
