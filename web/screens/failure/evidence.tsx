import { lazy, Suspense, useState } from 'react'
import { Link } from 'wouter'
import type { Artifact, CheckDetails } from '../../api/answers.ts'
import { useErrorText } from '../../parts/heartbeat-reason.ts'
import { Loading } from '../../parts/loading.tsx'
import { isOfRegistry, type ShownCheck, useChecks } from '../../parts/round-checks.ts'
import { Trouble } from '../../parts/trouble.tsx'
import { useFormat } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { Content, Download } from './artifacts.tsx'
import { Screenshots } from './screenshots.tsx'
import { type ShownChange, useAnalysis, useEvidence } from './use-failure.ts'
import { failureWords } from './words.ts'

const Waterfall = lazy(() => import('./waterfall.tsx').then((file) => ({ default: file.Waterfall })))

interface EvidenceProps {
  readonly serviceId: number
  readonly analysisId: string
  /** The failure that the round lies in. */
  readonly change: ShownChange | null
}

/** The stations' evidence of one round, a tab for each; the first failed one is open. */
export function Evidence({ serviceId, analysisId, change }: EvidenceProps) {
  const words = useWords(failureWords)
  const format = useFormat()
  const analysis = useAnalysis(serviceId, analysisId)
  const { data: checks, error, refetch } = useChecks(serviceId, analysisId)
  const [asked, setAsked] = useState<number | null>(null)
  if (checks === undefined)
    return error === null ? <Loading what={words.evidence} /> : <Trouble error={error} again={() => void refetch()} />
  const open =
    checks.find(({ sensor_id }) => sensor_id === asked) ?? checks.find(({ result }) => result === 'error') ?? checks[0]
  return (
    <section className="card" aria-labelledby="evidence">
      <header>
        <h2 id="evidence">{words.evidence}</h2>
        <span className="dim">
          {analysis.data === undefined ? null : words.roundOf(format.moment(analysis.data.time))}
        </span>
      </header>
      <div className="tabs">
        {checks.map((check) => (
          <button
            key={check.sensor_id}
            type="button"
            aria-pressed={check === open}
            onClick={() => setAsked(check.sensor_id)}
          >
            {check.sensor?.name ?? check.sensor_id ?? (isOfRegistry(check) ? words.registry : words.job)}{' '}
            <span className={`result ${check.result}`}>{words.results[check.result]}</span>
          </button>
        ))}
      </div>
      {open === undefined ? null : open.sensor_id === null && !isOfRegistry(open) ? (
        <Job check={open} />
      ) : (
        <Station key={`${open.analysis_id} ${open.sensor_id}`} check={open} change={change} />
      )}
    </section>
  )
}

function Station({ check, change }: { readonly check: ShownCheck; readonly change: ShownChange | null }) {
  const words = useWords(failureWords)
  const format = useFormat()
  const { data, error, refetch } = useEvidence(check)
  return (
    <div className="inside stack">
      <Explained check={check} />
      <dl className="facts">
        {check.response_time === null ? null : (
          <>
            <dt>{words.response}</dt>
            <dd>{format.milliseconds(check.response_time)}</dd>
          </>
        )}
        {data === undefined ? null : <Facts details={data.details} />}
      </dl>
      {error === null ? null : <Trouble error={error} again={() => void refetch()} />}
      {data === undefined ? null : (
        <Kept check={check} change={change} details={data.details} artifacts={data.artifacts} />
      )}
    </div>
  )
}

/** The facts of a heartbeat's round: no station was there, so nothing is read by its number. */
function Job({ check }: { readonly check: ShownCheck }) {
  const words = useWords(failureWords)
  const format = useFormat()
  return (
    <div className="inside stack">
      <Explained check={check} />
      {check.response_time === null ? null : (
        <dl className="facts">
          <dt>{words.runTime}</dt>
          <dd>{format.milliseconds(check.response_time)}</dd>
        </dl>
      )}
      <Link href={`/services/${check.service_id}`}>{words.toPings}</Link>
    </div>
  )
}

function Explained({ check }: { readonly check: ShownCheck }) {
  const words = useWords(failureWords)
  const text = useErrorText()(check)
  const { error_type: type } = check
  if (type == null) return null
  return (
    <div className="explained">
      <h3>{type.name}</h3>
      {text === null ? null : <p className={check.sensor_id === null ? '' : 'mono'}>{text}</p>}
      <p>{type.description}</p>
      {type.diagnosis === '' ? null : (
        <p>
          <b>{words.advice}:</b> {type.diagnosis}
        </p>
      )}
    </div>
  )
}

function Facts({ details }: { readonly details: CheckDetails }) {
  const words = useWords(failureWords)
  const format = useFormat()
  const phases = Object.entries(details.phases ?? {}).flatMap(([name, value]) =>
    typeof value === 'number' ? [`${words.phaseNames[name] ?? name} ${format.milliseconds(value)}`] : [],
  )
  const facts = Object.entries(details.facts ?? {}).filter(([, value]) => value !== null && value !== '')
  return (
    <>
      {details.status_code === null ? null : (
        <>
          <dt>{words.statusCode}</dt>
          <dd>{details.status_code}</dd>
        </>
      )}
      {details.ip_address === null ? null : (
        <>
          <dt>{words.ip}</dt>
          <dd className="mono">{details.ip_address}</dd>
        </>
      )}
      {phases.length === 0 ? null : (
        <>
          <dt>{words.phases}</dt>
          <dd>{phases.join(' · ')}</dd>
        </>
      )}
      {facts.map(([name, value]) => (
        <div key={name} className="pair">
          <dt>{name.replaceAll('_', ' ')}</dt>
          <dd className="prose">{String(value)}</dd>
        </div>
      ))}
    </>
  )
}

interface KeptProps {
  readonly check: ShownCheck
  readonly change: ShownChange | null
  readonly details: CheckDetails
  readonly artifacts: readonly Artifact[]
}

function Kept({ check, change, details, artifacts }: KeptProps) {
  const words = useWords(failureWords)
  const format = useFormat()
  const [isHarOpen, setHarOpen] = useState(false)
  const named = (id: Artifact['id']) => artifacts.find((artifact) => artifact.id === id)
  const [screenshot, har, content] = [named('screenshot'), named('har'), named('content')]
  const hasGood = change?.last_good_screenshot != null
  const arePictures = screenshot !== undefined || (hasGood && check.result === 'error')
  return (
    <>
      {details.step_data === null ? null : (
        <ol className="steps">
          {details.step_data.map(({ name, result, response_time }) => (
            <li key={name} className={result}>
              {name} {response_time === null ? null : <span className="dim">{format.milliseconds(response_time)}</span>}
            </li>
          ))}
        </ol>
      )}
      {arePictures ? <Screenshots check={check} artifact={screenshot} change={change} /> : null}
      {har === undefined ? null : (
        <details onToggle={(event) => setHarOpen(event.currentTarget.open)}>
          <summary>
            {words.har} <span className="hint">{format.bytes(har.size)}</span>
          </summary>
          <Download check={check} artifact={har} />
          {isHarOpen ? (
            <Suspense fallback={<Loading what={words.har} />}>
              <Waterfall check={check} />
            </Suspense>
          ) : null}
        </details>
      )}
      {content === undefined ? null : <Content check={check} artifact={content} />}
      {details.response_headers === null ? null : (
        <details open>
          <summary>{words.headers}</summary>
          <pre className="text">{details.response_headers}</pre>
        </details>
      )}
      {details.missing_artifacts.length === 0 ? null : (
        <p className="hint">
          {words.missing} {details.missing_artifacts.map((missing) => JSON.stringify(missing)).join(', ')}
        </p>
      )}
      {artifacts.length === 0 && details.response_headers === null && check.result === 'error' ? (
        <p className="hint">{words.noEvidence}</p>
      ) : null}
    </>
  )
}
