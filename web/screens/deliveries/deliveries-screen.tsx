import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { read, readPage } from '../../api/client.ts'
import { usePace } from '../../live/live.ts'
import type { AddressPath } from '../../parts/addresses/address-queries.ts'
import { type ShownAddress, useChannels } from '../../parts/addresses/address-queries.ts'
import { Icon } from '../../parts/icon.tsx'
import { Loading } from '../../parts/loading.tsx'
import { NotFound } from '../../parts/not-found.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { useFormat } from '../../reader.tsx'
import { showTitle } from '../../shell/favicon.ts'
import { useWords } from '../../words/words.ts'
import { DeliveryRow, listedFields } from './delivery-row.tsx'
import { NewSecret } from './new-secret.tsx'
import { deliveriesWords } from './words.ts'

const collections = { notifications: '/notification_addresses', 'on-call': '/contact_addresses' } as const
type Place = keyof typeof collections

function isPlace(text: string): text is Place {
  return Object.hasOwn(collections, text)
}

interface ScreenProps {
  /** The part of the console that the address belongs to, as the address bar has it. */
  readonly place: string
  readonly id: number
}

/** The messages sent to one address of an integration, with the answers. */
export function DeliveriesScreen({ place, id }: ScreenProps) {
  return isPlace(place) ? <OfAddress place={place} path={`${collections[place]}/${id}`} /> : <NotFound />
}

function OfAddress({ place, path }: { readonly place: Place; readonly path: AddressPath }) {
  const words = useWords(deliveriesWords)
  const { data, error, refetch } = useQuery({
    queryKey: ['address', path],
    queryFn: ({ signal }) => read(`${path}?embed=permissions`, signal),
  })
  const title = words.title(data?.address ?? '…')
  useEffect(() => showTitle(title), [title])
  return (
    <div className="address-deliveries stack">
      <p>
        <Link href={`/${place}`} className="back">
          <Icon name="left" />
          {words.back[place]}
        </Link>
      </p>
      {data === undefined ? (
        error === null ? (
          <Loading what={words.what} />
        ) : (
          <Trouble error={error} again={() => void refetch()} />
        )
      ) : (
        <>
          <Head address={data} title={title} path={path} />
          <List path={path} mayChange={data.permissions.update} />
        </>
      )}
    </div>
  )
}

interface HeadProps {
  readonly address: ShownAddress
  readonly title: string
  readonly path: AddressPath
}

function Head({ address, title, path }: HeadProps) {
  const words = useWords(deliveriesWords)
  const { data: channels = [] } = useChannels()
  const { notification_channel_id: channelId, description } = address
  const name = channels.find(({ id }) => id === channelId)?.name ?? channelId
  return (
    <div className="spread">
      <div>
        <h1>{title}</h1>
        <p className="dim">
          {name}
          {description === '' ? null : `, ${description}`}
        </p>
        <p className="dim">{words.about}</p>
      </div>
      {address.permissions.update && channelId === 'webhook' ? <NewSecret path={path} /> : null}
    </div>
  )
}

const rowsOfPage = 50
const everyMs = 10_000

function List({ path, mayChange }: { readonly path: AddressPath; readonly mayChange: boolean }) {
  const words = useWords(deliveriesWords)
  const format = useFormat()
  const [isFailedOnly, setFailedOnly] = useState(false)
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['deliveries', path, isFailedOnly],
    queryFn: ({ pageParam, signal }) => {
      const filter = isFailedOnly ? '&status=failed&status=retried' : ''
      const page = `limit=${rowsOfPage}&offset=${pageParam}` as const
      return readPage(`${path}/deliveries?fields=${listedFields}&${page}${filter}`, signal)
    },
    initialPageParam: 0,
    getNextPageParam: ({ total }, pages) => (pages.length * rowsOfPage < total ? pages.length * rowsOfPage : undefined),
    // Open rows stay open when the filter changes.
    placeholderData: (before) => before,
    refetchInterval: usePace(everyMs),
  })
  const rows = data?.pages.flatMap((page) => page.rows) ?? []
  return (
    <section className="card" aria-label={words.what}>
      <header>
        <span className="hint">{format.zone}</span>
        <label className="row">
          <input type="checkbox" checked={isFailedOnly} onChange={({ target }) => setFailedOnly(target.checked)} />
          {words.onlyFailed}
        </label>
      </header>
      {data === undefined ? (
        <div className="inside">
          {error === null ? <Loading what={words.what} /> : <Trouble error={error} again={() => void refetch()} />}
        </div>
      ) : rows.length === 0 ? (
        <p className="inside dim">{words.none}</p>
      ) : (
        <ol>
          {rows.map((row) => (
            <li key={row.id}>
              <DeliveryRow row={row} path={`${path}/deliveries`} mayChange={mayChange} />
            </li>
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
