import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { read } from '../../api/client.ts'
import { Icon, type IconName } from '../../parts/icon.tsx'
import { partWords } from '../../parts/words.ts'
import { useFormat } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { mostAssertions } from './assertion-draft.ts'
import { assertionWords } from './assertion-words.ts'
import { useStations } from './edit-queries.ts'
import type { DegradedReason, Trial, TrialCheck } from './use-trial.ts'
import { editWords } from './words.ts'

const icons: Readonly<Record<TrialCheck['result'], IconName>> = { ok: 'ok', error: 'failure', unknown: 'unknown' }
const verdictIcons = { ok: 'ok', failure: 'failure', none: 'unknown' } as const

interface AnswersProps {
  readonly trial: Trial
  /** The two names of a service of DNS; null for others. */
  readonly asked: AskedNames | null
  readonly cancel: () => void
}

interface AskedNames {
  readonly server: string
  readonly name: string
}

/** The stations' answers, as they arrive. */
export function TrialAnswers({ trial, asked, cancel }: AnswersProps) {
  const words = useWords(editWords)
  const stations = useStations()
  const { state, checks, verdict, reasons } = trial
  const card = useRef<HTMLElement>(null)
  // The focus stays on the button; what is new is brought into view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer makes the card longer
  useEffect(() => {
    card.current?.scrollIntoView({ block: 'nearest' })
  }, [state, checks.length])
  if (state === 'idle') return null
  const nameOf = (id: number | null) =>
    id === null ? words.trialRegistry : (stations.data?.find((station) => station.id === id)?.name ?? String(id))
  return (
    <section ref={card} className="card trial" aria-labelledby="trial">
      <header>
        <h2 id="trial">{words.trial}</h2>
        {state === 'running' ? (
          <button type="button" className="button small" onClick={cancel}>
            {words.trialCancel}
          </button>
        ) : null}
      </header>
      <div className="inside stack">
        <p role="status" className={`verdict ${verdict ?? ''}`}>
          {verdict === null ? null : <Icon name={verdictIcons[verdict]} />}
          {verdict === null
            ? words.trialStates[state](checks.length)
            : words.trialVerdicts[verdict === 'none' && checks.length === 0 ? 'nobody' : verdict]}
        </p>
        {verdict === 'ok' ? <Degraded reasons={reasons} /> : null}
        <ul className="answers">
          {checks.map((check) => (
            <Answer key={check.sensor_id} check={check} asked={asked} station={nameOf(check.sensor_id)} />
          ))}
        </ul>
      </div>
    </section>
  )
}

/** Why a good check or trial would still leave the service degraded. */
function Degraded({ reasons }: { readonly reasons: readonly DegradedReason[] }) {
  const [words, shared] = [useWords(editWords), useWords(partWords)]
  if (reasons.length === 0) return null
  return (
    <p className="result degraded">
      <Icon name="warning" />
      {words.trialDegraded}: {reasons.map((reason) => shared.degradedReasons[reason]).join('; ')}
    </p>
  )
}

/** The phases of a check, the end of what it saw, and the facts of a registry. */
function Measured({ check: { details, expires_at } }: { readonly check: TrialCheck }) {
  const words = useWords(editWords)
  const format = useFormat()
  const phases = Object.entries(details?.phases ?? {}).flatMap(([name, value]) =>
    value === null ? [] : [`${words.trialPhases[name] ?? name} ${format.milliseconds(value)}`],
  )
  const ofDomain = Object.entries(words.trialFacts).flatMap(([name, said]) => {
    const value = details?.facts[name]
    return typeof value === 'string' && value !== '' ? [`${said} ${value}`] : []
  })
  const end = expires_at === null ? [] : [words.trialValidUntil(format.moment(expires_at))]
  const told = [...phases, ...end, ...ofDomain]
  return told.length === 0 ? null : <p className="dim">{told.join(' · ')}</p>
}

/** The name server said something, and it was not what is wanted. */
const answered = /^dns\.dns_(name_not_found|server_failure|refused|unexpected_rcode|no_answer|unexpected_answer)$/

/** A check of DNS has two names that may not be found: the server's, and the one it is asked for. */
function WhichName({ what, asked: { server, name } }: { readonly what: string; readonly asked: AskedNames }) {
  const words = useWords(editWords)
  if (what.startsWith('name.')) return <p>{words.trialServerName(server)}</p>
  return answered.test(what) && name !== '' ? <p>{words.trialAskedName(name)}</p> : null
}

const said = { ok: 'ok', failure: 'failure', degraded: 'warning', unknown: 'unknown' } as const

/** The expectation of each assertion and the value that came, in their order. */
function Assertions({ facts }: { readonly facts: Readonly<Record<string, unknown>> }) {
  const words = useWords(assertionWords)
  const rows = Array.from({ length: mostAssertions }, (_none, index) => {
    const of = (part: string) => String(facts[`assertion_${index + 1}_${part}`] ?? '')
    const result = (Object.keys(said) as readonly (keyof typeof said)[]).find((one) => one === of('result'))
    return { number: index + 1, result, expected: of('expected'), came: of('came') }
  })
  const told = rows.flatMap((row) => (row.result === undefined ? [] : [{ ...row, result: row.result }]))
  if (told.length === 0) return null
  return (
    <ol className="said" aria-label={words.judged}>
      {told.map(({ number, result, expected, came }) => (
        <li key={number}>
          <span className={`result ${result}`}>
            <Icon name={said[result]} />
            {words.results[result]}
          </span>
          <span>
            {words.expected} <code>{expected}</code>, {words.came} <code>{came}</code>
          </span>
        </li>
      ))}
    </ol>
  )
}

interface AnswerProps {
  readonly check: TrialCheck
  readonly asked: AskedNames | null
  readonly station: string
}

function Answer({ check, asked, station }: AnswerProps) {
  const words = useWords(editWords)
  const format = useFormat()
  const { result, error_type_id: errorTypeId } = check
  const errorType = useQuery({
    queryKey: ['error_type', errorTypeId, document.documentElement.lang],
    queryFn: ({ signal }) => read(`/error_types/${errorTypeId}`, signal),
    enabled: errorTypeId !== null,
    staleTime: Number.POSITIVE_INFINITY,
  }).data
  return (
    <li>
      <span className={`result ${result}`}>
        <Icon name={icons[result]} />
        {words.trialResults[result]}
      </span>
      <b>{station}</b>
      {check.response_time === null ? null : <span className="dim">{format.milliseconds(check.response_time)}</span>}
      <Measured check={check} />
      <Degraded reasons={check.degraded_reasons} />
      <Assertions facts={check.details?.facts ?? {}} />
      {errorType === undefined && check.error_message === null ? null : (
        <div className="why">
          {errorType === undefined ? null : <b>{errorType.name}</b>}
          {errorType === undefined || asked === null ? null : <WhichName what={errorType.extra_info} asked={asked} />}
          {check.error_message === null ? null : <p className="mono">{check.error_message}</p>}
          {errorType === undefined || errorType.diagnosis === '' ? null : (
            <p>
              {words.trialAdvice}: {errorType.diagnosis}
            </p>
          )}
        </div>
      )}
    </li>
  )
}
