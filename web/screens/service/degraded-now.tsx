import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { ServiceStatus } from '../../api/answers.ts'
import { read } from '../../api/client.ts'
import { Icon } from '../../parts/icon.tsx'
import { roundChecks, type ShownCheck } from '../../parts/round-checks.ts'
import { shownState } from '../../parts/state.tsx'
import { partWords } from '../../parts/words.ts'
import { useFormat } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import type { ShownService } from './service-query.ts'
import { serviceWords } from './words.ts'

const dayMs = 86_400_000
/** Stations whose details are asked for the assertion that does not hold. */
const asked = 3

/** Why a service that works is degraded: each reason with its figures. */
export function DegradedNow({ service }: { readonly service: ShownService }) {
  const { status } = service
  return status === null || shownState(status) !== 'degraded' ? null : <Degraded service={service} status={status} />
}

interface DegradedProps {
  readonly service: ShownService
  readonly status: ServiceStatus
}

function Degraded({ service, status }: DegradedProps) {
  const words = useWords(serviceWords)
  const format = useFormat()
  const round = status.last_analysis_id ?? undefined
  const { data: checks = [] } = useQuery({ ...roundChecks(service.id, round), placeholderData: keepPreviousData })
  const textOf = useReasonText(service, status, checks)
  const isAssertion = status.degraded_reasons.includes('assertion')
  const since = status.degraded_since
  return (
    <div className="notice warning row">
      <Icon name="degraded" />
      <div>
        {status.degraded_reasons.map((reason, at) => (
          <p key={reason}>
            <b>{textOf(reason)}</b>
            {at > 0 || since === null ? null : `, ${words.degradedSince(format.moment(since))}`}.{' '}
            {at > 0 || round === undefined ? null : (
              <Link href={`/services/${service.id}/analyses/${round}`}>{words.toFailure}</Link>
            )}
          </p>
        ))}
        {isAssertion ? <Assertions checks={checks} /> : null}
      </div>
    </div>
  )
}

type Reason = ServiceStatus['degraded_reasons'][number]

/** A reason with its figures, or its name while they are not known. */
function useReasonText(
  { extended_settings: settings }: ShownService,
  status: ServiceStatus,
  checks: readonly ShownCheck[],
) {
  const words = useWords(serviceWords).degraded
  const { degradedReasons } = useWords(partWords)
  const format = useFormat()
  return (reason: Reason): string => {
    if (reason === 'assertion') return words.assertion
    if (reason === 'slow') {
      const { degraded_response_time: limit } = settings as { readonly degraded_response_time?: number | null }
      const took = status.last_response_time
      return limit == null || took === null
        ? degradedReasons.slow
        : words.slow(format.milliseconds(took), format.milliseconds(limit))
    }
    if (reason === 'minority') {
      const failed = checks.filter(({ result }) => result === 'error').length
      return failed === 0 ? degradedReasons.minority : words.minority(failed, checks.length)
    }
    const days = status.expires_at === null ? null : Math.floor((Date.parse(status.expires_at) - Date.now()) / dayMs)
    return days === null ? degradedReasons[reason] : words[reason](Math.max(0, days))
  }
}

/** The assertions that do not hold, as the first station tells that saw one. */
function Assertions({ checks }: { readonly checks: readonly ShownCheck[] }) {
  const good = checks.filter(({ result, sensor_id: id }) => result === 'ok' && id !== null).slice(0, asked)
  const paths = good.map(
    ({ service_id: service, analysis_id: round, sensor_id: station }) =>
      `/services/${service}/history/analyses/${round}/checks/${station}/details` as const,
  )
  const { data } = useQuery({
    queryKey: ['failed_assertions', ...paths],
    enabled: paths.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      for (const path of paths) {
        const { facts } = await read(path, signal)
        const { failed_assertions: failed } = (facts ?? {}) as { readonly failed_assertions?: string }
        if (failed !== undefined) return failed.split('\n')
      }
      return []
    },
  })
  return data === undefined || data.length === 0 ? null : (
    <ul className="mono">
      {data.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  )
}
