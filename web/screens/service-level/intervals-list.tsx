import { Link } from 'wouter'
import type { Correction } from '../../api/answers.ts'
import type { Interval } from '../../parts/correct/intervals.ts'
import { correctWords } from '../../parts/correct/words.ts'
import { State } from '../../parts/state.tsx'
import { partWords } from '../../parts/words.ts'
import { useFormat } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { useNames } from './level-queries.ts'
import { serviceLevelWords } from './words.ts'

interface ListProps {
  readonly serviceId: number
  /** Newest first. */
  readonly intervals: readonly Interval[]
  readonly mayCorrect: boolean
  readonly correct: (interval: Interval) => void
  readonly change: (correction: Correction) => void
  readonly remove: (correction: Correction) => void
}

/** Every second of the range, with why it counts as it does. */
export function IntervalsList(props: ListProps) {
  const authors = props.intervals.flatMap(({ correction }) => correction?.created_by_account_id ?? [])
  const names = useNames(authors)
  return (
    <ol className="intervals">
      {props.intervals.map((interval) => (
        <Row key={`${interval.from} ${interval.correction?.id ?? ''}`} {...props} interval={interval} names={names} />
      ))}
    </ol>
  )
}

interface RowProps extends ListProps {
  readonly interval: Interval
  readonly names: ReadonlyMap<number, string>
}

function Row({ interval, names, ...props }: RowProps) {
  const format = useFormat()
  const words = useWords(serviceLevelWords)
  const { from, to, status, correction } = interval
  const [start, end] = [new Date(from).toISOString(), new Date(to).toISOString()]
  return (
    <li className={`interval ${status}`}>
      <span>
        <time dateTime={start}>{format.moment(start)}</time> – <time dateTime={end}>{format.moment(end)}</time>
      </span>
      <span className="lasted">{format.duration((to - from) / 1000)}</span>
      <span>
        <State {...shownState(interval, words.states.paused)} />
      </span>
      <span className="why">
        <Why interval={interval} serviceId={props.serviceId} />
        {correction === null ? null : <Author correction={correction} names={names} />}
        {props.mayCorrect ? <Actions interval={interval} {...props} /> : null}
      </span>
    </li>
  )
}

/** Time without a service's own word for it is not monitored. */
function shownState({ status, change, correction }: Interval, notMonitored: string) {
  if (status !== 'paused') return { state: status }
  if (correction !== null || change === null) return { state: status, word: notMonitored }
  return { state: change.pause_reason?.includes('suspension') === true ? ('suspended' as const) : status }
}

function Why({
  interval: { change, correction },
  serviceId,
}: {
  readonly interval: Interval
  readonly serviceId: number
}) {
  const words = useWords(serviceLevelWords)
  const parts = useWords(partWords)
  const { states } = useWords(correctWords)
  const before = change?.status ?? 'paused'
  return (
    <>
      {correction === null ? null : correction.status === before ? (
        <span className="dim">{words.confirmed(states[before])}</span>
      ) : (
        <b>{words.corrected(states[correction.status], states[before])}</b>
      )}
      {change === null ? <span className="dim">{words.notYet}</span> : null}
      {change?.status === 'paused' ? <span>{parts.pauseReasons[change.pause_reason ?? ''] ?? ''}</span> : null}
      {change?.status === 'failure' ? (
        <Link href={`/services/${serviceId}/failures/${change.change_id}`}>{words.toFailure}</Link>
      ) : null}
      {change === null || change.description === '' ? null : <span className="dim">{change.description}</span>}
    </>
  )
}

function Author({
  correction,
  names,
}: {
  readonly correction: Correction
  readonly names: ReadonlyMap<number, string>
}) {
  const words = useWords(serviceLevelWords)
  const format = useFormat()
  const who = names.get(correction.created_by_account_id ?? 0) ?? words.somebody
  return (
    <>
      {correction.description === '' ? null : <span>{correction.description}</span>}
      <span className="hint">{words.by(who, format.moment(correction.created_at))}</span>
    </>
  )
}

function Actions({ interval, correct, change, remove }: Omit<RowProps, 'names'>) {
  const words = useWords(serviceLevelWords)
  const format = useFormat()
  const { correction } = interval
  const from = format.moment(new Date(interval.from).toISOString())
  const button = (text: string, label: string, act: () => void) => (
    <button type="button" className="button plain small" aria-label={label} onClick={act}>
      {text}
    </button>
  )
  return (
    <span className="interval-actions">
      {correction === null ? (
        button(words.correct, words.correctThis(from), () => correct(interval))
      ) : (
        <>
          {button(words.change, words.changeThis(from), () => change(correction))}
          {button(words.remove, words.removeThis(from), () => remove(correction))}
        </>
      )}
    </span>
  )
}
