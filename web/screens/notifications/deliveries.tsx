import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { Refused, readPage } from '../../api/client.ts'
import { usePace } from '../../live/live.ts'
import { useChannels } from '../../parts/addresses/address-queries.ts'
import { newestFirst, recipientOf, type Told } from '../../parts/addresses/told.ts'
import { notificationsWords } from '../../parts/addresses/words.ts'
import { Icon } from '../../parts/icon.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { useFormat } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'

const rowsOfPage = 25
const everyMs = 10_000

/** Messages of each log that earlier pages showed. */
interface Shown {
  readonly groups: number
  readonly contacts: number
}

const firstPage: Shown = { groups: 0, contacts: 0 }

/** The next messages of both logs, the newest first, and where the page after them begins. */
async function pageOf(shown: Shown, isFailedOnly: boolean, signal: AbortSignal) {
  const query = `sort=-time&limit=${rowsOfPage}${isFailedOnly ? '&status=failed' : ''}` as const
  const [groups, contacts] = await Promise.all([
    readPage(`/accounts/my_account/logs/notifications?${query}&offset=${shown.groups}`, signal),
    readPage(`/accounts/my_account/logs/contact_notifications?${query}&offset=${shown.contacts}&embed=contact`, signal),
  ])
  const rows = newestFirst(groups.rows, contacts.rows).slice(0, rowsOfPage)
  const ofContacts = rows.filter((row) => row.contact !== undefined).length
  const next = { groups: shown.groups + rows.length - ofContacts, contacts: shown.contacts + ofContacts }
  return { rows, next: next.groups + next.contacts < groups.total + contacts.total ? next : undefined }
}

/** The messages with their recipients and moments, and the reasons of failed ones. */
export function Deliveries() {
  const words = useWords(notificationsWords)
  const format = useFormat()
  const [isFailedOnly, setFailedOnly] = useState(false)
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['deliveries', isFailedOnly],
    queryFn: ({ pageParam, signal }) => pageOf(pageParam, isFailedOnly, signal),
    initialPageParam: firstPage,
    getNextPageParam: ({ next }) => next,
    refetchInterval: usePace(everyMs),
  })
  const rows = data?.pages.flatMap((page) => page.rows) ?? []
  if (error instanceof Refused && error.status === 403) return <p className="hint">{words.forbidden}</p>
  return (
    <section className="card" aria-labelledby="deliveries">
      <header>
        <div className="row">
          <h2 id="deliveries">{words.deliveries}</h2>
          <span className="hint">{format.zone}</span>
        </div>
        <label className="row">
          <input type="checkbox" checked={isFailedOnly} onChange={({ target }) => setFailedOnly(target.checked)} />
          {words.onlyFailed}
        </label>
      </header>
      {data === undefined ? (
        <div className="inside">
          {error === null ? (
            <Loading what={words.deliveries} />
          ) : (
            <Trouble error={error} again={() => void refetch()} />
          )}
        </div>
      ) : rows.length === 0 ? (
        <p className="inside dim">{words.noDeliveries}</p>
      ) : (
        <ol className="deliveries">
          {rows.map((row) => (
            <Delivery key={row.id} row={row} />
          ))}
        </ol>
      )}
      {hasNextPage ? (
        <button
          type="button"
          className="button plain"
          disabled={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {words.older}
        </button>
      ) : null}
    </section>
  )
}

function Delivery({ row }: { readonly row: Told }) {
  const words = useWords(notificationsWords)
  const format = useFormat()
  const { data: channels = [] } = useChannels()
  const channel = channels.find(({ id }) => id === row.notification_channel_id)?.name ?? row.notification_channel_id
  return (
    <li className={row.status}>
      <time dateTime={row.time} title={`${format.moment(row.time)} (${format.zone})`}>
        {format.shortMoment(row.time)}
      </time>
      <span>
        {row.service_id === null ? (
          row.subject
        ) : (
          <Link href={`/services/${row.service_id}`}>{row.subject ?? words.service(row.service_id)}</Link>
        )}
        <span className="dim">
          {' '}
          {channel}, {recipientOf(row)}
        </span>
        {row.error_message === null ? null : <span className="problem"> {row.error_message}</span>}
      </span>
      <span className={row.status === 'failed' ? 'problem' : 'dim'}>
        {row.status === 'failed' ? <Icon name="warning" /> : null} {words.states[row.status]}
        {row.attempts > 1 ? `, ${words.attempts(row.attempts)}` : ''}
      </span>
    </li>
  )
}
