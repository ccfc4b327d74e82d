import { useEffect, useMemo, useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { CorrectDialog, type Correcting } from '../../parts/correct/correct-dialog.tsx'
import { type Interval, intervalsOf, type ServiceLevel, shareOf } from '../../parts/correct/intervals.ts'
import { Icon } from '../../parts/icon.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { useReader } from '../../reader.tsx'
import { showTitle } from '../../shell/favicon.ts'
import { useWords } from '../../words/words.ts'
import { IntervalsList } from './intervals-list.tsx'
import { LevelChart } from './level-chart.tsx'
import { type ShownService, useChanges, useCorrections, useLevel, useService, useSteps } from './level-queries.ts'
import { addressOf, readRange, type ShownRange } from './range-address.ts'
import { RangePicker } from './range-picker.tsx'
import { serviceLevelWords } from './words.ts'
import './service-level.css'

const everyMs = 60_000

/** The moment that ranges end at: it goes on by minutes, so that what is on the screen is of one moment. */
function useNow(): number {
  const [now, setNow] = useState(wholeSecond)
  useEffect(() => {
    const timer = setInterval(() => setNow(wholeSecond()), everyMs)
    return () => clearInterval(timer)
  }, [])
  return now
}

function wholeSecond(): number {
  return Math.floor(Date.now() / 1000) * 1000
}

/** The service level of any range, with every second of it accounted for, and its corrections. */
export function ServiceLevelScreen({ id }: { readonly id: number }) {
  const words = useWords(serviceLevelWords)
  const { zone } = useReader()
  const now = useNow()
  const [search, setSearch] = useSearchParams()
  const range = useMemo(() => readRange(search, now, zone), [search, now, zone])
  const { data: service, error, refetch } = useService(id)
  useEffect(() => showTitle(service === undefined ? words.title : words.titleOf(service.name)), [service, words])
  if (service === undefined)
    return error === null ? <Loading what={words.what} /> : <Trouble error={error} again={() => void refetch()} />
  return (
    <div className="service-level stack">
      <header className="level-head">
        <p>
          <Link href="/services">{words.services}</Link> / <Link href={`/services/${id}`}>{service.name}</Link>
        </p>
        <h1>{words.titleOf(service.name)}</h1>
      </header>
      <RangePicker range={range} choose={(chosen) => setSearch(addressOf(chosen))} />
      <Range service={service} range={range} now={now} />
    </div>
  )
}

interface RangeProps {
  readonly service: ShownService
  readonly range: ShownRange
  readonly now: number
}

function Range({ service, range, now }: RangeProps) {
  const words = useWords(serviceLevelWords)
  const level = useLevel(service.id, range)
  const steps = useSteps(service.id, range)
  const counted = clip(service, range, now)
  if (counted.to <= counted.from) return <p className="empty">{words.empty}</p>
  if (level.data === undefined)
    return level.error === null ? (
      <Loading what={words.what} />
    ) : (
      <Trouble error={level.error} again={() => void level.refetch()} />
    )
  return (
    <>
      <section className="card" aria-labelledby="sum" aria-busy={level.isPlaceholderData}>
        <Sum service={service} range={range} counted={counted} level={level.data} />
        <div className="inside chart-space">
          {steps.data === undefined ? null : <LevelChart steps={steps.data} level={level.data} />}
        </div>
      </section>
      <Intervals service={service} counted={counted} shown={range} />
    </>
  )
}

/** The part of a range that counts: not before the service was added, nor after now. */
function clip({ created_at }: ShownService, { from, to }: ShownRange, now: number) {
  return { from: Math.max(from, Date.parse(created_at)), to: Math.min(to, now) }
}

interface SumProps {
  readonly service: ShownService
  readonly range: ShownRange
  readonly counted: { readonly from: number; readonly to: number }
  readonly level: ServiceLevel
}

function Sum({ service, range, counted, level }: SumProps) {
  const words = useWords(serviceLevelWords)
  const { format } = useReader()
  const share = shareOf(level)
  const moment = (at: number) => format.moment(new Date(at).toISOString())
  return (
    <>
      <header>
        <h2 id="sum">
          {moment(range.from)} – {moment(range.to)} <span className="hint">{format.zone}</span>
        </h2>
      </header>
      <div className="inside sum">
        <p className="share">
          <b>{share === null ? '–' : format.percent(share)}</b>
          <span className="dim">{words.of(format.duration((counted.to - counted.from) / 1000))}</span>
        </p>
        <dl>
          {(['ok', 'failure', 'paused'] as const).map((state) => (
            <div key={state} className={state}>
              <dt>{words.states[state]}</dt>
              <dd>
                {format.duration(level[state])} <span className="hint">{format.number(level[state])} s</span>
              </dd>
            </div>
          ))}
        </dl>
        <p className="hint">{words.leftOut}</p>
        {counted.from > range.from ? <p className="hint">{words.created(format.moment(service.created_at))}</p> : null}
        {counted.to < range.to ? <p className="hint">{words.upToNow}</p> : null}
      </div>
    </>
  )
}

interface IntervalsProps {
  readonly service: ShownService
  readonly counted: { readonly from: number; readonly to: number }
  readonly shown: ShownRange
}

function Intervals({ service, counted, shown }: IntervalsProps) {
  const words = useWords(serviceLevelWords)
  const [doing, setDoing] = useState<Correcting | null>(null)
  const [said, setSaid] = useState('')
  const changes = useChanges(service.id, counted)
  const corrections = useCorrections(service.id, counted)
  const intervals = useMemo(() => {
    const rows = changes.data?.pages.flatMap((page) => page.rows).toReversed()
    if (rows === undefined || corrections.data === undefined) return undefined
    // Unread parts show nothing.
    const from = changes.hasNextPage ? Math.max(counted.from, Date.parse(rows[0]?.start_time ?? '')) : counted.from
    return intervalsOf({ changes: rows, corrections: corrections.data }, from, counted.to).toReversed()
  }, [changes.data, changes.hasNextPage, corrections.data, counted.from, counted.to])
  const mayCorrect = service.permissions['update'] === true
  const error = changes.error ?? corrections.error
  const again = () => void Promise.all([changes.refetch(), corrections.refetch()])
  const add = ({ from, to }: Pick<Interval, 'from' | 'to'>, isLasting = false) =>
    setDoing({ kind: 'add', range: { from, to }, isLasting })
  return (
    <section className="card" aria-labelledby="intervals">
      <header>
        <h2 id="intervals">{words.intervals}</h2>
        <span className="row">
          <span role="status" className="dim">
            {said || (corrections.data === undefined ? '' : words.corrections(corrections.data.length))}
          </span>
          {mayCorrect ? (
            <button type="button" className="button" onClick={() => add(lastHour(counted))}>
              <Icon name="edit" />
              {words.add}
            </button>
          ) : null}
        </span>
      </header>
      <p className="inside hint">{words.intervalsHint}</p>
      {intervals === undefined ? (
        <div className="inside">
          {error === null ? <Loading what={words.intervals} /> : <Trouble error={error} again={again} />}
        </div>
      ) : (
        <IntervalsList
          serviceId={service.id}
          intervals={intervals}
          mayCorrect={mayCorrect}
          correct={(interval) => add(interval, interval.to === counted.to && interval.change?.end_time === null)}
          change={(correction) => setDoing({ kind: 'change', correction })}
          remove={(correction) => setDoing({ kind: 'remove', correction })}
        />
      )}
      {changes.hasNextPage ? (
        <button
          type="button"
          className="button plain"
          disabled={changes.isFetchingNextPage}
          onClick={() => void changes.fetchNextPage()}
        >
          {words.earlier}
        </button>
      ) : null}
      {doing === null ? null : (
        <CorrectDialog
          serviceId={service.id}
          what={doing}
          shown={shown}
          close={(isDone) => {
            setDoing(null)
            setSaid(isDone ? words.done : '')
          }}
        />
      )}
    </section>
  )
}

function lastHour({ from, to }: { readonly from: number; readonly to: number }) {
  return { from: Math.max(from, to - 3_600_000), to }
}
