import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { Delivery, RowAt } from '../../api/answers.ts'
import { change } from '../../api/calls.ts'
import { read, readPage } from '../../api/client.ts'
import type { AddressPath } from '../../parts/addresses/address-queries.ts'
import { Icon, type IconName } from '../../parts/icon.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Reason } from '../../parts/reason.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { useFormat } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { deliveriesWords } from './words.ts'

export const listedFields = 'id,time,attempt,status,error_message,duration,response_status'
export type ListedDelivery = RowAt<`${DeliveriesPath}?fields=${typeof listedFields}`>

const icons: Readonly<Record<Delivery['status'], IconName>> = {
  sent: 'ok',
  unconfirmed: 'unknown',
  retried: 'again',
  failed: 'failure',
}

export type DeliveriesPath = `${AddressPath}/deliveries`
type DeliveryPath = `${DeliveriesPath}/${number}`

interface RowProps {
  readonly row: ListedDelivery
  /** The path of the list in the API. */
  readonly path: DeliveriesPath
  readonly mayChange: boolean
}

/** One attempt; opened, what was sent and answered. */
export function DeliveryRow({ row, path, mayChange }: RowProps) {
  const words = useWords(deliveriesWords)
  const format = useFormat()
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="delivery" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <time dateTime={row.time} title={`${format.moment(row.time)} (${format.zone})`}>
          {format.shortMoment(row.time)}
        </time>
        <span className={`how ${row.status}`}>
          <Icon name={icons[row.status]} /> {words.states[row.status]}
        </span>
        <span>{answerOf(row, words)}</span>
        <span className="dim">
          {words.attempt(row.attempt)}, {format.milliseconds(row.duration)}
        </span>
        {row.error_message === null ? null : <span className="problem why">{row.error_message}</span>}
      </summary>
      {isOpen ? <Detail path={`${path}/${row.id}`} list={path} mayChange={mayChange} /> : null}
    </details>
  )
}

function answerOf({ response_status: status }: ListedDelivery, words: { readonly noAnswer: string }): string {
  return status === null ? words.noAnswer : `HTTP ${status}`
}

interface DetailProps {
  readonly path: DeliveryPath
  readonly list: DeliveriesPath
  readonly mayChange: boolean
}

function Detail({ path, list, mayChange }: DetailProps) {
  const words = useWords(deliveriesWords)
  const { data, error, refetch } = useQuery({
    queryKey: ['delivery', path],
    queryFn: ({ signal }) => read(path, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (data === undefined)
    return (
      <div className="inside">
        {error === null ? <Loading what={words.loadingOne} /> : <Trouble error={error} again={() => void refetch()} />}
      </div>
    )
  const { request, response } = data
  return (
    <div className="inside stack">
      {mayChange ? <SendAgain path={path} list={list} /> : null}
      <Part title={words.request} first={`${request.method} ${request.url}`} {...request} />
      {response === null ? (
        <p className="dim">{words.noResponse}</p>
      ) : (
        <Part title={words.response} first={`HTTP ${response.status}`} {...response} />
      )}
    </div>
  )
}

interface PartProps {
  readonly title: string
  readonly first: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** A request or an answer. */
function Part({ title, first, headers, body }: PartProps) {
  const words = useWords(deliveriesWords)
  const id = useId()
  const text = readable(body ?? '')
  const lines = Object.entries(headers)
  return (
    <section aria-labelledby={id} className="part">
      <h2 id={id}>{title}</h2>
      <p className="mono">{first}</p>
      {lines.length === 0 ? null : (
        <dl className="mono" aria-label={words.headers}>
          {lines.map(([name, value]) => (
            <div key={name}>
              <dt>{name}:</dt> <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {text === '' ? (
        <p className="dim">{words.noBody}</p>
      ) : (
        <textarea
          readOnly
          className="mono"
          aria-label={`${title}: ${words.body}`}
          rows={Math.min(20, text.split('\n').length + 1)}
          value={text}
        />
      )}
    </section>
  )
}

/** JSON with line breaks; anything else as it is. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

const askedEveryMs = 1000
/** After so many questions the reader need not wait. */
const patience = 20

/** Sends the message once more, and says what became of it. */
function SendAgain({ path, list }: { readonly path: DeliveryPath; readonly list: DeliveriesPath }) {
  const words = useWords(deliveriesWords)
  const sending = useMutation({
    mutationFn: () => change('POST', `${path}/redeliver`),
  })
  const id = sending.data?.notification_id
  const { outcome, isLate } = useOutcome(list, id)
  return (
    <div className="again">
      <button
        type="button"
        className="button small"
        aria-disabled={sending.isPending}
        onClick={() => {
          if (!sending.isPending) sending.mutate()
        }}
      >
        <Icon name="again" />
        {words.sendAgain}
      </button>
      <p role="status" className={sending.error !== null || outcome?.status === 'failed' ? 'problem' : 'hint'}>
        <Reason error={sending.error} />
        {id === undefined
          ? null
          : outcome !== null
            ? words.outcome(words.states[outcome.status], outcome.error_message ?? answerOf(outcome, words))
            : isLate
              ? words.waiting
              : words.underWay}
      </p>
      <p className="hint">{words.sendAgainHint}</p>
    </div>
  )
}

/** The first attempt of a notification, as soon as there is one. */
function useOutcome(list: DeliveriesPath, notificationId: number | undefined) {
  const client = useQueryClient()
  const queryKey = ['redelivery', list, notificationId]
  const { data: outcome = null } = useQuery({
    queryKey,
    enabled: notificationId !== undefined,
    queryFn: async ({ signal }) => {
      const path = `${list}?notification_id=${notificationId}&fields=${listedFields}&limit=1` as const
      const [found = null] = (await readPage(path, signal)).rows
      if (found !== null) void client.invalidateQueries({ queryKey: ['deliveries'] })
      return found
    },
    refetchInterval: ({ state }) => (state.data ? false : askedEveryMs),
  })
  const times = client.getQueryState(queryKey)?.dataUpdateCount ?? 0
  return { outcome, isLate: times > patience }
}
