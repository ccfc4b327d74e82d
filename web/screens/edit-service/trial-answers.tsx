import { useQuery } from '@tanstack/react-query'
import { read } from '../../api/client.ts'
import { Icon, type IconName } from '../../parts/icon.tsx'
import { useFormat } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { useStations } from './edit-queries.ts'
import type { Trial, TrialCheck } from './use-trial.ts'
import { editWords } from './words.ts'

const icons: Readonly<Record<TrialCheck['result'], IconName>> = { ok: 'ok', error: 'failure', unknown: 'unknown' }
const verdictIcons = { ok: 'ok', failure: 'failure', none: 'unknown' } as const

/** What each station answered, as the answers come. */
export function TrialAnswers({ trial, cancel }: { readonly trial: Trial; readonly cancel: () => void }) {
  const words = useWords(editWords)
  const stations = useStations()
  const { state, checks, verdict } = trial
  if (state === 'idle') return null
  const nameOf = (id: number) => stations.data?.find((station) => station.id === id)?.name ?? String(id)
  return (
    <section className="card trial" aria-labelledby="trial">
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
        <ul className="answers">
          {checks.map((check) => (
            <Answer key={check.sensor_id} check={check} station={nameOf(check.sensor_id)} />
          ))}
        </ul>
      </div>
    </section>
  )
}

function Answer({ check, station }: { readonly check: TrialCheck; readonly station: string }) {
  const words = useWords(editWords)
  const format = useFormat()
  const { result, error_type_id: errorTypeId } = check
  const errorType = useQuery({
    queryKey: ['error_type', errorTypeId, document.documentElement.lang],
    queryFn: ({ signal }) =>
      read<{ readonly name: string; readonly diagnosis: string }>(`/error_types/${errorTypeId}`, signal),
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
      {errorType === undefined && check.error_message === null ? null : (
        <div className="why">
          {errorType === undefined ? null : <b>{errorType.name}</b>}
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
