import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { StatusChange } from '../../api/answers.ts'
import { callTo } from '../../api/calls.ts'
import { read } from '../../api/client.ts'
import { usePace } from '../../live/live.ts'
import { useErrorText } from '../../parts/heartbeat-reason.ts'
import { Icon } from '../../parts/icon.tsx'
import { Reason } from '../../parts/reason.tsx'
import { areOfStations, roundChecks } from '../../parts/round-checks.ts'
import { useChange } from '../../parts/use-change.ts'
import { partWords } from '../../parts/words.ts'
import { useFormat } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { DegradedNow } from './degraded-now.tsx'
import { QuietNow } from './quiet-hours.tsx'
import type { ShownService } from './service-query.ts'
import { WeeklyNow } from './weekly-now.tsx'
import { serviceWords } from './words.ts'

const everyMs = 15_000
const suspensionsEveryMs = 30_000

/**
 * The service's present state with its beginning. Null if the history and the status differ, as in the moment of a
 * change.
 */
export function useChangeNow({ id, status }: ShownService): StatusChange | null {
  const { data } = useQuery({
    queryKey: ['status_change', id, 'latest'],
    queryFn: async ({ signal }) => {
      const rows = await read(`/services/${id}/history/status_changes?sort=-start_time&limit=1`, signal)
      return rows[0] ?? null
    },
    refetchInterval: usePace(everyMs),
  })
  const summary = status?.summary === 'suspended' ? 'paused' : status?.summary
  return data != null && data.status === summary ? data : null
}

/** Why the service is as it is: what the stations met, or who stopped the monitoring and until when. */
export function StateNow({
  service,
  change,
}: {
  readonly service: ShownService
  readonly change: StatusChange | null
}) {
  return (
    <>
      {change?.status === 'failure' ? <FailingNow service={service} change={change} /> : null}
      <DegradedNow service={service} />
      {change?.status === 'paused' ? <PausedNow change={change} /> : null}
      <SuspensionsNow id={service.id} />
      <WideSuspensionsNow id={service.id} />
      <WeeklyNow id={service.id} change={change} />
      <QuietNow service={service} />
    </>
  )
}

/** The error of the newest failed round, otherwise of the round that began the failure. */
function FailingNow({ service, change }: { readonly service: ShownService; readonly change: StatusChange }) {
  const words = useWords(serviceWords)
  const parts = useWords(partWords)
  const errorText = useErrorText()
  const round = service.status?.last_failure_analysis_id ?? change.first_analysis_id ?? undefined
  const { data: checks = [] } = useQuery({ ...roundChecks(service.id, round), placeholderData: keepPreviousData })
  const failed = checks.filter(({ result }) => result === 'error')
  const [first] = failed
  const isSeen = failed.length > 0 && areOfStations(checks)
  const reason = [first?.error_type?.name, first && errorText(first)].filter((part) => part != null && part !== '')
  return (
    <p className="notice bad row">
      <Icon name="failure" />
      <span>
        {reason.length === 0 ? null : (
          <>
            <b>{reason.join(': ')}</b>
            {isSeen ? ', ' : '. '}
          </>
        )}
        {isSeen ? `${parts.seenBy(failed.length, checks.length)}. ` : null}
        <Link href={`/services/${service.id}/failures/${change.change_id}`}>{words.toFailure}</Link>
      </span>
    </p>
  )
}

function PausedNow({ change }: { readonly change: StatusChange }) {
  const { pauseReasons } = useWords(partWords)
  const reason = pauseReasons[change.pause_reason ?? '']
  // A state that ends at a known moment is shown below, with that moment.
  const isBelow = change.pause_reason === 'suspension' || change.pause_reason === 'weekly_suspension'
  if (reason === undefined || isBelow) return null
  return (
    <p className="notice row">
      <Icon name="paused" />
      {reason}.
    </p>
  )
}

function rangeNow(): string {
  const now = Date.now()
  return `from=${new Date(now).toISOString()}&to=${new Date(now + 1000).toISOString()}`
}

/** Suspensions of its group, its tags and its account. The calendar changes them: they are not its own alone. */
function WideSuspensionsNow({ id }: { readonly id: number }) {
  const words = useWords(serviceWords)
  const format = useFormat()
  const { data } = useQuery({
    queryKey: ['wide_suspensions', 'now', id],
    queryFn: ({ signal }) => read(`/services/${id}/wide_suspensions?${rangeNow()}&sort=end_time`, signal),
    refetchInterval: suspensionsEveryMs,
  })
  return data?.map(({ id: suspension, end_time, only_notifications, description, group_id: groupId, tag }) => (
    <p key={suspension} className={only_notifications ? 'notice why-silent row' : 'notice row'}>
      <Icon name={only_notifications ? 'silent' : 'suspended'} />
      <span>
        {(only_notifications ? words.quietUntil : words.suspendedUntil)(format.moment(end_time))}{' '}
        {words.suspendedWith(groupId !== null, tag)}
        {description === '' ? null : ` ${description}`}{' '}
        <Link href={`/calendar?service_id=${id}`}>{words.toCalendar}</Link>
      </span>
    </p>
  ))
}

export function useSuspensionsNow(id: number) {
  return useQuery({
    queryKey: ['suspensions', 'now', id],
    queryFn: ({ signal }) => read(`/services/${id}/suspensions?${rangeNow()}&embed=permissions&sort=end_time`, signal),
    refetchInterval: suspensionsEveryMs,
  })
}

/** The suspensions that hold now, with the moment when each ends. */
function SuspensionsNow({ id }: { readonly id: number }) {
  const words = useWords(serviceWords)
  const format = useFormat()
  const { mutate, isPending, error } = useChange()
  const { data } = useSuspensionsNow(id)
  return data?.map(({ id: suspension, end_time, only_notifications, description, permissions }) => (
    <p key={suspension} className={only_notifications ? 'notice why-silent row' : 'notice row'}>
      <Icon name={only_notifications ? 'silent' : 'suspended'} />
      <span>
        {(only_notifications ? words.quietUntil : words.suspendedUntil)(format.moment(end_time))}
        {description === '' ? null : ` ${description}`}
      </span>
      {permissions.update ? (
        <button
          type="button"
          className="button small"
          disabled={isPending}
          onClick={() => mutate(callTo('PUT', `/suspensions/${suspension}`, { end_time: new Date().toISOString() }))}
        >
          {words.endNow}
        </button>
      ) : null}
      {error === null ? null : (
        <span className="problem">
          <Reason error={error} />
        </span>
      )}
    </p>
  ))
}
