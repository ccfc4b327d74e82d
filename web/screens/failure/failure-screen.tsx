import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import type { Analysis } from '../../api/answers.ts'
import { HeldNotice } from '../../parts/depend/held.tsx'
import { Loading } from '../../parts/loading.tsx'
import { areOfStations, useChecks } from '../../parts/round-checks.ts'
import { State } from '../../parts/state.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { partWords } from '../../parts/words.ts'
import { useFormat } from '../../reader.tsx'
import { showTitle } from '../../shell/favicon.ts'
import { useWords } from '../../words/words.ts'
import { type ShownService, useService } from '../service/service-query.ts'
import { Acknowledgement } from './acknowledgement.tsx'
import { Corrections } from './corrections.tsx'
import { Escalating } from './escalating.tsx'
import { Evidence } from './evidence.tsx'
import { FailureActions } from './failure-actions.tsx'
import { Matrix } from './matrix.tsx'
import { Note } from './note.tsx'
import { Timeline } from './timeline.tsx'
import { type ShownChange, useAnalysis, useChange } from './use-failure.ts'
import { failureWords } from './words.ts'
import './failure.css'

interface FailureProps {
  readonly serviceId: number
  readonly changeId?: string
  /** A round, as mails name it; its failure is looked for. */
  readonly analysisId?: string
}

/** Everything about one failure: its course, the stations' results, the evidence, the notifications and the actions. */
export function FailureScreen({ serviceId, changeId, analysisId }: FailureProps) {
  const words = useWords(failureWords)
  const service = useService(serviceId)
  const asked = useAnalysis(serviceId, analysisId)
  const change = useChange(serviceId, changeId, asked.data)
  const [chosen, setChosen] = useState<Analysis | null>(null)
  const name = service.data?.name
  useEffect(() => showTitle(name === undefined ? words.services : words.title(name)), [name, words])
  const error = service.error ?? asked.error ?? change.error
  const again = () => void Promise.all([service.refetch(), change.refetch()])
  if (service.data === undefined || change.data === undefined)
    return error === null ? <Loading what={words.what} /> : <Trouble error={error} again={again} />
  const shown = chosen?.analysis_id ?? analysisId ?? change.data?.first_analysis_id ?? undefined
  return (
    <div className="failure-screen stack">
      <Head service={service.data} change={change.data} />
      {change.data?.end_time === null && service.data.status?.held_by_service_id != null ? (
        <HeldNotice by={service.data.status.held_by_service_id} />
      ) : null}
      {change.data === null ? null : <Acknowledgement serviceId={serviceId} change={change.data} />}
      <FailureActions service={service.data} change={change.data} />
      {change.data === null ? null : <Escalating change={change.data} />}
      {change.data === null ? null : (
        <div className="two">
          <Timeline service={service.data} change={change.data} />
          <div className="stack">
            <Note serviceId={serviceId} change={change.data} />
            <Corrections serviceId={serviceId} change={change.data} />
          </div>
        </div>
      )}
      <Matrix service={service.data} around={rangeOf(change.data, asked.data)} chosen={shown} choose={setChosen} />
      {shown === undefined ? null : <Evidence serviceId={serviceId} analysisId={shown} change={change.data} />}
    </div>
  )
}

function rangeOf(change: ShownChange | null, analysis: Analysis | undefined) {
  if (change !== null) return { from: change.start_time, to: change.end_time }
  return analysis === undefined ? null : { from: analysis.time, to: analysis.time }
}

function Head({ service, change }: { readonly service: ShownService; readonly change: ShownChange | null }) {
  const words = useWords(failureWords)
  return (
    <header className="failure-head">
      <p>
        <Link href="/services">{words.services}</Link> / <Link href={`/services/${service.id}`}>{service.name}</Link>
      </p>
      <h1>{change === null ? words.analysisTitle(service.name) : words.title(service.name)}</h1>
      {change === null ? <p className="dim">{words.noFailure}</p> : <Sentence service={service} change={change} />}
    </header>
  )
}

/** The whole in one sentence. */
function Sentence({ service, change }: { readonly service: ShownService; readonly change: ShownChange }) {
  const words = useWords(failureWords)
  const parts = useWords(partWords)
  const format = useFormat()
  const { data: checks = [] } = useChecks(service.id, change.first_analysis_id ?? undefined)
  const failed = checks.filter(({ result }) => result === 'error')
  const cause = failed[0]?.error_type?.name
  return (
    <p className="sentence">
      {change.end_time === null ? <State state="failure" /> : <State state="ok" word={words.over} />}{' '}
      <b>
        {change.end_time === null
          ? words.fails(format.duration(change.duration))
          : words.lasted(format.duration(change.duration))}
      </b>{' '}
      {change.end_time === null
        ? words.since(format.moment(change.start_time))
        : `${format.moment(change.start_time)} – ${format.moment(change.end_time)}`}{' '}
      ({format.zone}).
      {cause === undefined ? null : (
        <>
          {' '}
          <b>{cause}</b>
          {areOfStations(checks) ? `, ${parts.seenBy(failed.length, checks.length)}` : null}.
        </>
      )}
    </p>
  )
}
