import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import type { RowAt } from '../api/answers.ts'
import { type Path, readPage } from '../api/client.ts'
import { useFormat } from '../reader.tsx'
import { useWords } from '../words/words.ts'
import { listingWords } from './listing-words.ts'
import { Loading } from './loading.tsx'
import { Trouble } from './trouble.tsx'
import './listing.css'

const pageSize = 50
const typingMs = 300

interface ListingProps<A extends string> {
  /** The list of the API, with its sort and what it embeds. */
  readonly path: Path<'GET', A>
  readonly what: string
  readonly empty: string
  /** Filters that the address bar may hold beside search and page. */
  readonly filters?: readonly string[]
  readonly canSearch?: boolean
  readonly children: (rows: readonly RowAt<A>[]) => ReactNode
}

/** The list of the address bar: its search, filters and page are read by the server. */
export function Listing<const A extends string>(props: ListingProps<A>) {
  const { path, what, empty, filters = [], canSearch = false, children } = props
  const words = useWords(listingWords)
  const format = useFormat()
  const { search, show } = useListAddress()
  const offset = Number(search.get('offset') ?? 0) || 0
  const asked = new URLSearchParams({ limit: String(pageSize), offset: String(offset) })
  for (const name of ['query', ...filters]) {
    const value = search.get(name)
    if (value) asked.set(name, value)
  }
  const { data, error, refetch } = useQuery({
    queryKey: ['listing', path, asked.toString()],
    queryFn: ({ signal }) => readPage(path, signal, asked),
    placeholderData: (before) => before,
  })
  const isFiltered = ['query', ...filters].some((name) => search.has(name))
  // There is nothing to search for in an empty list.
  const isEmpty = data?.total === 0 && !isFiltered
  return (
    <div className="listing">
      {canSearch && !isEmpty ? <SearchField key={path} /> : null}
      {error !== null ? (
        <Trouble error={error} again={() => void refetch()} />
      ) : data === undefined ? (
        <Loading what={what} />
      ) : data.total === 0 ? (
        <p className="nothing">{isFiltered ? words.nothingMatches : empty}</p>
      ) : (
        <>
          {children(data.rows)}
          {data.total <= pageSize ? null : (
            <nav className="pages row" aria-label={words.pages}>
              <button
                type="button"
                className="button small"
                disabled={offset === 0}
                onClick={() => show({ offset: offset <= pageSize ? null : String(offset - pageSize) })}
              >
                {words.previous}
              </button>
              <span role="status">
                {words.shown(
                  format.number(offset + 1),
                  format.number(offset + data.rows.length),
                  format.number(data.total),
                )}
              </span>
              <button
                type="button"
                className="button small"
                disabled={offset + data.rows.length >= data.total}
                onClick={() => show({ offset: String(offset + pageSize) })}
              >
                {words.next}
              </button>
            </nav>
          )}
        </>
      )}
    </div>
  )
}

/** Reads and changes what the address bar says of a list. */
export function useListAddress() {
  const [place, go] = useLocation()
  const search = new URLSearchParams(useSearch())
  const show = (changes: Readonly<Record<string, string | null>>) => {
    const next = new URLSearchParams(search)
    for (const [name, value] of Object.entries(changes)) {
      if (value === null || value === '') next.delete(name)
      else next.set(name, value)
    }
    const text = next.toString()
    go(text === '' ? place : `${place}?${text}`, { replace: true })
  }
  return { search, show }
}

function SearchField() {
  const words = useWords(listingWords)
  const { search, show } = useListAddress()
  const kept = search.get('query') ?? ''
  const [typed, setTyped] = useState(kept)
  useEffect(() => {
    if (typed === kept) return undefined
    const timer = setTimeout(() => show({ query: typed, offset: null }), typingMs)
    return () => clearTimeout(timer)
  })
  return (
    <label className="field search">
      <span>{words.search}</span>
      <input type="search" value={typed} onChange={({ target }) => setTyped(target.value)} />
    </label>
  )
}
