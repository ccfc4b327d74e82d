import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect } from 'react'
import { Link } from 'wouter'
import type { StatusChange } from '../../api/answers.ts'
import { read } from '../../api/client.ts'
import { Acknowledged } from '../../parts/acknowledged.tsx'
import { Ago } from '../../parts/ago.tsx'
import { HeldNotice } from '../../parts/depend/held.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Loading } from '../../parts/loading.tsx'
import { ManagedMark } from '../../parts/managed.tsx'
import { NobodyTold } from '../../parts/nobody-told.tsx'
import { obstaclesIn } from '../../parts/obstacles.ts'
import { withPort } from '../../parts/port-place.ts'
import { State, shownState } from '../../parts/state.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { useFormat } from '../../reader.tsx'
import { showTitle } from '../../shell/favicon.ts'
import { useWords } from '../../words/words.ts'
import { Dependencies } from './dependencies.tsx'
import { Failures } from './failures.tsx'
import { Levels } from './levels.tsx'
import { NextCheck } from './next-check.tsx'
import { QuietHours } from './quiet-hours.tsx'
import { Response } from './response.tsx'
import { ServiceActions } from './service-actions.tsx'
import { ServiceCode } from './service-code.tsx'
import { type ShownService, useService } from './service-query.ts'
import { StateNow, useChangeNow } from './state-now.tsx'
import { serviceWords } from './words.ts'
import './service.css'

const Heartbeat = lazy(() => import('./heartbeat.tsx').then((file) => ({ default: file.Heartbeat })))
const Badge = lazy(() => import('./badge.tsx').then((file) => ({ default: file.Badge })))
const Hears = lazy(() => import('../../parts/on-call/hears.tsx').then((file) => ({ default: file.Hears })))

/** One service: how it is and since when, how reliable, how fast, and its failures. */
export function ServiceScreen({ id }: { readonly id: number }) {
  const words = useWords(serviceWords)
  const { data: service, error, refetch } = useService(id)
  useEffect(() => showTitle(service?.name ?? words.services), [service?.name, words])
  if (service === undefined)
    return error === null ? <Loading what={words.what} /> : <Trouble error={error} again={() => void refetch()} />
  return (
    <div className="service stack">
      <Shown service={service} />
    </div>
  )
}

function Shown({ service }: { readonly service: ShownService }) {
  const change = useChangeNow(service)
  const { id } = service
  return (
    <>
      <Head service={service} change={change} />
      <ServiceActions service={service} />
      <StateNow service={service} change={change} />
      <Expires service={service} />
      <Why service={service} />
      {service.type_id === 'heartbeat' ? (
        <Suspense fallback={null}>
          <Heartbeat service={service} />
        </Suspense>
      ) : null}
      <Levels id={id} />
      {service.type_id === 'domain' ? null : <Response service={service} />}
      <Dependencies service={service} />
      <div className="two">
        <Failures id={id} />
        <Definition service={service} />
      </div>
      {service.permissions['update'] === true ? (
        <Suspense fallback={null}>
          <Badge service={service} />
        </Suspense>
      ) : null}
    </>
  )
}

function Head({ service, change }: { readonly service: ShownService; readonly change: StatusChange | null }) {
  const words = useWords(serviceWords)
  const format = useFormat()
  const { status } = service
  const isHeartbeat = service.type_id === 'heartbeat'
  const since = status?.degraded_since ?? change?.start_time
  return (
    <header className="service-head">
      <p>
        <Link href="/services">{words.services}</Link>
        {service.group === null ? null : (
          <>
            {' / '}
            <Link href={`/services?group_id=${service.group_id}`}>{service.group.name}</Link>
          </>
        )}
      </p>
      <h1>{service.name}</h1>
      <div className="row">
        {status === null ? null : <State state={shownState(status)} big />}
        {status?.is_acknowledged === true ? <Acknowledged /> : null}
        {service.is_archived ? <span className="state paused">{words.archived}</span> : null}
        {since === undefined ? null : (
          <span className="dim">{words.since(format.shortMoment(since), format.ago(since, Date.now()))}</span>
        )}
        <span className="dim">
          {status?.last_analysis_time == null ? (
            // Nobody checks a heartbeat; what is said of its state names the reports.
            isHeartbeat ? null : (
              words.neverChecked
            )
          ) : (
            <>
              {words.lastCheck} <Ago moment={status.last_analysis_time} />
            </>
          )}
          {isHeartbeat ? null : (
            <>
              <NextCheck service={service} /> · {words.every(format.duration(service.interval))}
            </>
          )}
        </span>
        <span className="hint">{format.zone}</span>
        <ManagedMark of={service} />
      </div>
    </header>
  )
}

/** When the certificate or the domain ends. */
function Expires({ service: { expires_at: moment, type_id } }: { readonly service: ShownService }) {
  const words = useWords(serviceWords)
  const format = useFormat()
  if (moment === null) return null
  const days = Math.floor((Date.parse(moment) - Date.now()) / 86_400_000)
  const [ended, ends] =
    type_id === 'domain' ? [words.domainEnded, words.domainEnds] : [words.certificateEnded, words.certificateEnds]
  const said = days < 0 ? ended : ends(days)
  return (
    <p className="dim row">
      <Icon name={days < 0 ? 'warning' : 'suspended'} />
      <span>
        {said} <time dateTime={moment}>({format.moment(moment)})</time>
      </span>
    </p>
  )
}

/** Why nothing is known, or nobody is told. */
function Why({ service }: { readonly service: ShownService }) {
  const { status } = service
  const warnings = obstaclesIn(service.warnings)
  const words = useWords(serviceWords)
  const format = useFormat()
  return (
    <>
      {status?.unknown_reason_message == null ? null : (
        <p className="notice unknown">
          {status.unknown_since === null ? null : `${words.unknownSince} ${format.moment(status.unknown_since)}. `}
          {status.unknown_reason_message}
        </p>
      )}
      {warnings.length === 0 ? null : (
        <div className="notice warning">
          <h2>{words.warnings}</h2>
          <ul>
            {warnings.map(({ warning, message }) => (
              <li key={warning}>{message}</li>
            ))}
          </ul>
        </div>
      )}
      {status?.held_by_service_id == null ? null : <HeldNotice by={status.held_by_service_id} />}
      <NobodyTold service={service} />
      {status?.notifications_status === 'silent' ? <p className="notice silent">{words.silent}</p> : null}
    </>
  )
}

function Definition({ service }: { readonly service: ShownService }) {
  const words = useWords(serviceWords)
  const types = useQuery({
    queryKey: ['service_types', service.type_id],
    queryFn: ({ signal }) => read(`/service_types/${service.type_id}`, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const sensors = useQuery({
    queryKey: ['monitoring_sensors', service.id],
    queryFn: ({ signal }) => read(`/services/${service.id}/monitoring_sensors?fields=id,name,city&limit=1000`, signal),
  })
  return (
    <section className="card" aria-labelledby="definition">
      <header>
        <h2 id="definition">{words.settings}</h2>
        <span className="dim">{types.data?.name ?? service.type_id}</span>
      </header>
      <dl className="inside facts">
        {service.address === '' ? null : (
          <>
            <dt>{words.address}</dt>
            <dd className="mono">
              {types.data?.address_prefix}
              {service.port === null ? service.address : withPort(service.address, String(service.port))}
            </dd>
          </>
        )}
        {service.description === '' ? null : (
          <>
            <dt>{words.description}</dt>
            <dd className="prose">{service.description}</dd>
          </>
        )}
        <dt>{words.group}</dt>
        <dd>{service.group?.name}</dd>
        {service.tags.length === 0 ? null : (
          <>
            <dt>{words.tags}</dt>
            <dd className="row">
              {service.tags.map((tag) => (
                <Link key={tag} href={`/services?tags=${encodeURIComponent(tag)}`}>
                  {tag}
                </Link>
              ))}
            </dd>
          </>
        )}
        <dt>{words.told}</dt>
        <dd>
          <Suspense fallback={null}>
            <Hears service={service} />
          </Suspense>
        </dd>
        {service.silent_hours.includes('1') ? (
          <>
            <dt>{words.quietHours}</dt>
            <dd>
              <QuietHours service={service} />
            </dd>
          </>
        ) : null}
        {service.type_id === 'heartbeat' ? null : (
          <>
            <dt>{words.stations}</dt>
            <dd>
              {service.type_id === 'domain'
                ? words.asksRegistry
                : sensors.data?.map(({ name, city }) => (city === '' ? name : `${name} (${city})`)).join(', ')}
            </dd>
          </>
        )}
      </dl>
      <ServiceCode service={service} />
    </section>
  )
}
