import { useQuery } from '@tanstack/react-query'
import { Refused, read } from '../../api/client.ts'
import { recipientOf, type Told } from '../../parts/addresses/told.ts'
import { Icon, type IconName } from '../../parts/icon.tsx'
import { NobodyTold } from '../../parts/nobody-told.tsx'
import { areOfStations, useChecks } from '../../parts/round-checks.ts'
import { Trouble } from '../../parts/trouble.tsx'
import { partWords } from '../../parts/words.ts'
import { useFormat, useReader } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import type { ShownService } from '../service/service-query.ts'
import { useAuthor } from './acknowledgement.tsx'
import { CommentForm, commentsPath, DeleteComment, type ShownComment, useComments } from './comments.tsx'
import { type ShownChange, useNotices } from './use-failure.ts'
import { failureWords } from './words.ts'

interface Event {
  readonly time: string
  readonly icon: IconName
  readonly kind: string
  readonly text: string
  readonly detail: string
  readonly comment?: ShownComment
}

/** The first failed check, the verdict, each notification and its fate, the end. */
export function Timeline({ service, change }: { readonly service: ShownService; readonly change: ShownChange }) {
  const words = useWords(failureWords)
  const parts = useWords(partWords)
  const format = useFormat()
  const nameOf = useAuthor()
  const { account } = useReader()
  // The log is the account's own: of a service that is shared nobody else reads it.
  const isOwn = [account.id, account.parent_account_id].includes(service.owner_id)
  const comments = useComments(service.id, change)
  const notices = useNotices(isOwn ? service.owner_id : undefined, service.id, change)
  const channels = useQuery({
    queryKey: ['notification_channels'],
    queryFn: ({ signal }) => read('/dictionaries/notification_channels?limit=1000', signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const { data: checks = [] } = useChecks(service.id, change.first_analysis_id ?? undefined)
  const failed = checks.filter(({ result }) => result === 'error')
  const channelName = (id: string) => channels.data?.find((channel) => channel.id === id)?.name ?? id
  const noticeOf = (notice: Told): Event => ({
    time: notice.time,
    icon: notice.status === 'failed' ? 'warning' : 'bell',
    kind: notice.status,
    text: words.told(channelName(notice.notification_channel_id), recipientOf(notice)),
    detail: [
      words.states[notice.status],
      notice.attempts > 1 ? words.attempts(notice.attempts) : '',
      notice.error_message ?? '',
    ]
      .filter((part) => part !== '')
      .join(', '),
  })
  const commentOf = (comment: ShownComment): Event => ({
    time: comment.time,
    icon: 'comment',
    kind: 'comment',
    text: comment.text,
    detail: nameOf(comment.account_id, comment.account),
    comment,
  })
  const acknowledged: Event[] =
    change.acknowledged_at === null
      ? []
      : [
          {
            time: change.acknowledged_at,
            icon: 'seen',
            kind: 'acknowledgement',
            text: parts.acknowledged,
            detail: change.acknowledged_by_name ?? nameOf(change.acknowledged_by_account_id, change.acknowledged_by),
          },
        ]
  const ended: Event[] =
    change.end_time === null ? [] : [{ time: change.end_time, icon: 'ok', kind: 'ok', text: words.ended, detail: '' }]
  const known: Event[] = [
    {
      time: change.start_time,
      icon: 'failure',
      kind: 'failure',
      text: words.verdict,
      detail: [
        failed[0]?.error_type?.name ?? '',
        areOfStations(checks) ? parts.seenBy(failed.length, checks.length) : '',
      ]
        .filter((part) => part !== '')
        .join(', '),
    },
    // Before those of the same moment who are told of it.
    ...ended,
    ...(notices.data ?? []).map(noticeOf),
    ...acknowledged,
    ...(comments.data ?? []).map(commentOf),
  ]
  const events = known.toSorted((one, other) => Date.parse(one.time) - Date.parse(other.time))
  const isForbidden = !isOwn || (notices.error instanceof Refused && notices.error.status === 403)
  return (
    <section className="card" aria-labelledby="timeline">
      <header>
        <h2 id="timeline">{words.timeline}</h2>
        <span className="hint">{format.zone}</span>
      </header>
      <ol className="timeline">
        {events.map((event) => (
          <li key={event.comment?.id ?? `${event.time} ${event.text} ${event.kind}`} className={event.kind}>
            <Icon name={event.icon} />
            <time dateTime={event.time} title={format.moment(event.time)}>
              {format.clock(event.time)}
            </time>
            <span>
              {event.comment === undefined ? event.text : <span className="prose">{event.text}</span>}
              {event.detail === '' ? null : <span className="hint"> {event.detail}</span>}
              {event.comment === undefined ? null : (
                <DeleteComment path={commentsPath(service.id, change)} comment={event.comment} />
              )}
            </span>
          </li>
        ))}
      </ol>
      {isForbidden ? <p className="inside hint">{words.logForbidden}</p> : null}
      {comments.error === null ? null : <Trouble error={comments.error} again={() => void comments.refetch()} />}
      {notices.data?.length === 0 ? (
        <div className="inside">
          <p className="hint">{words.notTold}</p>
          <NobodyTold service={service} />
        </div>
      ) : null}
      <CommentForm serviceId={service.id} change={change} />
    </section>
  )
}
