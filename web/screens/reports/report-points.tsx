import type { ReportDocument } from '../../api/answers.ts'
import type { Format } from '../../format/format.ts'
import { useReader } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { reportWords } from './words.ts'

type ReportPoint = ReportDocument['results'][number]
type Level = NonNullable<ReportPoint['service_level_summary']>

interface Keyed {
  readonly point: ReportPoint
  readonly id: string
}

function useNameOf() {
  const words = useWords(reportWords)
  return ({ scope }: ReportPoint) =>
    scope.type === 'summary' ? words.leaf.summary : (scope.service ?? scope.group ?? scope.account)?.name
}

function usePercent() {
  const { format } = useReader()
  const words = useWords(reportWords)
  return (level: Level | undefined) =>
    level?.availability_percent == null ? words.noData : format.percent(level.availability_percent / 100)
}

/** A line for each point of the report. */
export function Overview({ points }: { readonly points: readonly Keyed[] }) {
  const words = useWords(reportWords)
  const { format } = useReader()
  const nameOf = useNameOf()
  const percent = usePercent()
  return (
    <section className="card" aria-labelledby="overview">
      <header>
        <h2 id="overview">{words.overview}</h2>
      </header>
      <div className="inside wide">
        <table>
          <thead>
            <tr>
              <th scope="col">{words.about}</th>
              <th scope="col">{words.availability}</th>
              <th scope="col">{words.failures}</th>
              <th scope="col">{words.failing}</th>
              <th scope="col">{words.response}</th>
            </tr>
          </thead>
          <tbody>
            {points.map(({ point, id }) => {
              const level = point.service_level_summary
              return (
                <tr key={id} className={point.scope.type}>
                  <th scope="row">
                    <a href={`#${id}`}>{nameOf(point)}</a>{' '}
                    <span className="hint">
                      {point.scope.type === 'account' || point.scope.type === 'group'
                        ? words.leaf[point.scope.type]
                        : ''}
                    </span>
                  </th>
                  <td>{percent(level)}</td>
                  <td>{level === undefined ? '–' : format.number(level.failures_count)}</td>
                  <td>
                    {level === undefined ? '–' : level.failure === 0 ? words.none : format.duration(level.failure)}
                  </td>
                  <td>
                    {point.average_response_time == null ? '–' : format.milliseconds(point.average_response_time)}
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </section>
  )
}

interface PointProps extends Keyed {
  /** In the zone of the report. */
  readonly format: Format
}

/** One point of a report. */
export function Point({ point, id, format }: PointProps) {
  const words = useWords(reportWords)
  const nameOf = useNameOf()
  const { scope } = point
  const checks = point.checks_summary
  return (
    <section className="card point" id={id} aria-label={nameOf(point)}>
      <header>
        <h2>{nameOf(point)}</h2>
        <span className="hint">
          {words.leaf[scope.type]}
          {scope.type === 'service' && scope.group !== undefined ? `, ${scope.group.name}` : ''}
        </span>
      </header>
      <div className="inside stack">
        {point.service_level_summary === undefined ? null : (
          <LevelPart level={point.service_level_summary} format={format} />
        )}
        {checks === undefined ? null : (
          <p>
            <span className="dim">{words.checks}:</span>{' '}
            {words.checksText(format.number(checks.ok), format.number(checks.error), format.number(checks.unknown))}
          </p>
        )}
        {point.average_response_time == null ? null : (
          <p>
            <span className="dim">{words.response}:</span> <b>{format.milliseconds(point.average_response_time)}</b>
          </p>
        )}
        <Performance point={point} format={format} />
      </div>
    </section>
  )
}

function LevelPart({ level, format }: { readonly level: Level; readonly format: Format }) {
  const words = useWords(reportWords)
  const percent = usePercent()
  return (
    <>
      <div className="figures">
        <p className="share">
          <span className="dim">{words.availability}</span>
          <b>{percent(level)}</b>
        </p>
        <dl>
          <div>
            <dt>{words.working}</dt>
            <dd>{format.duration(level.ok)}</dd>
          </div>
          <div className={level.failure > 0 ? 'bad' : ''}>
            <dt>{words.failing}</dt>
            <dd>{level.failure === 0 ? words.none : format.duration(level.failure)}</dd>
          </div>
          <div>
            <dt>{words.failures}</dt>
            <dd>{format.number(level.failures_count)}</dd>
          </div>
          <div>
            <dt>{words.longest}</dt>
            <dd>{level.longest_failure === 0 ? words.none : format.duration(level.longest_failure)}</dd>
          </div>
          <div>
            <dt>{words.notMonitored}</dt>
            <dd>{level.paused === 0 ? words.none : format.duration(level.paused)}</dd>
          </div>
        </dl>
      </div>
      <Course level={level} format={format} />
      {level.corrections_count === 0 ? null : <p className="hint">{words.corrections(level.corrections_count)}</p>}
      {level.failures === undefined || level.failures.length === 0 ? null : (
        <details>
          <summary>
            {words.failures} ({format.number(level.failures.length)})
          </summary>
          <ol className="failure-list">
            {level.failures.map(({ start_time, end_time, seconds }) => (
              <li key={start_time}>
                {format.moment(start_time)} – {format.moment(end_time)} <b>{format.duration(seconds)}</b>
              </li>
            ))}
          </ol>
        </details>
      )}
    </>
  )
}

const height = 36

/** The course of the time: failures from below, what was not monitored short. */
function Course({ level, format }: { readonly level: Level; readonly format: Format }) {
  const words = useWords(reportWords)
  const percent = usePercent()
  const paths = { ok: '', failure: '', paused: '' }
  const { parts } = level
  for (const [index, { ok, failure }] of parts.entries()) {
    const x = index * 10
    const known = ok + failure
    if (known === 0) {
      paths.paused += `M${x} ${height}v-6h8v6z`
      continue
    }
    const bad = failure === 0 ? 0 : Math.max(5, Math.round((failure / known) * height))
    if (bad < height) paths.ok += `M${x} ${height - bad}V0h8V${height - bad}z`
    if (bad > 0) paths.failure += `M${x} ${height}v-${bad}h8v${bad}z`
  }
  const [first, last] = [parts[0], parts.at(-1)]
  if (first === undefined || last === undefined) return null
  return (
    <figure className="course">
      <svg
        viewBox={`0 0 ${parts.length * 10 - 2} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${words.course}: ${percent(level)}`}
      >
        {(['ok', 'failure', 'paused'] as const).map((state) =>
          paths[state] === '' ? null : <path key={state} className={state} d={paths[state]} />,
        )}
      </svg>
      <figcaption className="spread hint">
        <span>{format.shortMoment(first.start_time)}</span>
        <span>{format.zone}</span>
        <span>{format.shortMoment(last.end_time)}</span>
      </figcaption>
    </figure>
  )
}

interface Row {
  readonly name: string
  readonly average: number | null
  readonly minimum: number | null
  readonly maximum: number | null
}

/** A Monday: the days of the week are named after its week. */
const someMonday = Date.UTC(2024, 0, 1)

function Performance({ point, format }: { readonly point: ReportPoint; readonly format: Format }) {
  const words = useWords(reportWords)
  const { language } = useReader()
  const days = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' })
  const byHour = point.performance_by_hour?.map((row) => ({ ...row, name: `${String(row.hour).padStart(2, '0')}:00` }))
  const byDay = point.performance_by_week_day?.map((row) => ({
    ...row,
    name: days.format(someMonday + (row.day_of_week - 1) * 86_400_000),
  }))
  return (
    <div className="two-tables">
      {byHour === undefined ? null : <Times title={words.byHour} head={words.hour} rows={byHour} format={format} />}
      {byDay === undefined ? null : <Times title={words.byDay} head={words.dayOfWeek} rows={byDay} format={format} />}
    </div>
  )
}

interface TimesProps {
  readonly title: string
  readonly head: string
  readonly rows: readonly Row[]
  readonly format: Format
}

function Times({ title, head, rows, format }: TimesProps) {
  const words = useWords(reportWords)
  const most = Math.max(1, ...rows.map(({ average }) => average ?? 0))
  if (rows.every(({ average }) => average === null)) return null
  return (
    <details>
      <summary>{title}</summary>
      <table className="times">
        <thead>
          <tr>
            <th scope="col">{head}</th>
            <th scope="col">{words.average}</th>
            <th scope="col">{words.between}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, average, minimum, maximum }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>
                <meter min={0} max={most} value={average ?? 0} aria-hidden="true" />
                {average === null ? '–' : format.milliseconds(average)}
              </td>
              <td className="dim">
                {minimum === null || maximum === null
                  ? '–'
                  : `${format.milliseconds(minimum)} – ${format.milliseconds(maximum)}`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
