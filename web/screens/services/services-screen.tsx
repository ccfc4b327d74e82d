import { useCallback, useEffect, useState } from 'react'
import { Link, Redirect } from 'wouter'
import { Refused } from '../../api/client.ts'
import { Icon } from '../../parts/icon.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { useReader } from '../../reader.tsx'
import { showTitle } from '../../shell/favicon.ts'
import { useWords } from '../../words/words.ts'
import { BulkBar } from './bulk/bulk-bar.tsx'
import { type Selection, useSelection } from './bulk/selection.ts'
import { ColumnPicker } from './column-picker.tsx'
import { useListAddress } from './list-address.ts'
import { ListFilters } from './list-filters.tsx'
import { NobodyTold } from './nobody-told.tsx'
import { SavedViews } from './saved-views.tsx'
import { type PageRange, pageRange, useServicePages } from './service-pages.ts'
import { ServicesTable } from './services-table.tsx'
import { StateChips } from './state-chips.tsx'
import { servicesWords } from './words.ts'
import './services.css'

/** All services of the reader: failures first, searched, filtered and sorted by the server, page by page. */
export function ServicesScreen() {
  const words = useWords(servicesWords)
  const address = useListAddress()
  const { account, preferences } = useReader()
  const selection = useSelection()
  const [range, setRange] = useState<PageRange>({ from: 0, to: 0 })
  const pages = useServicePages(address, range, preferences.barDays)
  const onShown = useCallback((first: number, last: number) => setRange((before) => pageRange(before, first, last)), [])
  useEffect(() => showTitle(words.title), [words])
  return (
    <div className="services stack">
      <div className="spread">
        <h1>{words.title}</h1>
        {account.is_read_only ? null : (
          <Link href="/services/new" className="button primary">
            <Icon name="add" />
            {words.add}
          </Link>
        )}
      </div>
      <div className="spread">
        <StateChips address={address} />
        <div className="row">
          <SavedViews />
          <ColumnPicker />
        </div>
      </div>
      <ListFilters address={address} />
      <NobodyTold hasServices={pages.total !== null && pages.total > 0} />
      <Announced count={pages.changed} reload={pages.reload} />
      <Content pages={pages} address={address} selection={selection} onShown={onShown} />
      <BulkBar selection={selection} total={pages.total ?? 0} address={address} />
    </div>
  )
}

/** Says that rows have changed, without moving them. */
function Announced({ count, reload }: { readonly count: number; readonly reload: () => void }) {
  const words = useWords(servicesWords)
  return (
    <div role="status" className="announced">
      {count === 0 ? null : (
        <>
          {words.changedSince(count)}
          <button type="button" className="button small" onClick={reload}>
            {words.show}
          </button>
        </>
      )}
    </div>
  )
}

interface ContentProps {
  readonly pages: ReturnType<typeof useServicePages>
  readonly address: ReturnType<typeof useListAddress>
  readonly selection: Selection
  readonly onShown: (firstRow: number, lastRow: number) => void
}

function Content({ pages, address, selection, onShown }: ContentProps) {
  const words = useWords(servicesWords)
  if (pages.error instanceof Refused && pages.error.status === 422)
    return <BadAddress error={pages.error} address={address} />
  if (pages.error !== null && pages.total === null) return <Trouble error={pages.error} again={pages.reload} />
  if (pages.isLoading || pages.total === null) return <Loading what={words.what} />
  if (pages.total === 0) return <Nothing address={address} />
  return <ServicesTable pages={pages} total={pages.total} address={address} selection={selection} onShown={onShown} />
}

/** The API says which part of the address it does not know. */
function BadAddress({ error, address }: { readonly error: Refused; readonly address: ContentProps['address'] }) {
  const words = useWords(servicesWords)
  return (
    <div className="empty" role="alert">
      <h2>{words.badAddress}</h2>
      {error.problems.map(({ field, message }) => (
        <p key={`${field} ${message}`}>
          <code>{field?.replace(/^query\./, '')}</code> {message}
        </p>
      ))}
      <button type="button" className="button" onClick={address.reset}>
        {words.reset}
      </button>
    </div>
  )
}

function Nothing({ address }: { readonly address: ContentProps['address'] }) {
  const words = useWords(servicesWords)
  const { account, preferences } = useReader()
  if (address.isFiltered) {
    return (
      <div className="empty">
        <h2>{words.noneMatch}</h2>
        <p>{words.noneMatchText}</p>
        <button type="button" className="button" onClick={address.reset}>
          {words.reset}
        </button>
      </div>
    )
  }
  if (!account.is_read_only && !preferences.isWelcomed) return <Redirect to="/welcome" replace />
  return (
    <div className="empty">
      <h2>{words.noneTitle}</h2>
      <p>{words.noneText}</p>
      {account.is_read_only ? null : (
        <Link href="/services/new" className="button primary">
          {words.add}
        </Link>
      )}
    </div>
  )
}
