import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { readPage } from '../../api/client.ts'
import { usePace } from '../../live/live.ts'
import { Loading } from '../../parts/loading.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { useFormat } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { serviceWords } from './words.ts'

const rowsOfPage = 10

/** The failures of a service, newest first, each a link to its page. */
export function Failures({ id }: { readonly id: number }) {
  const words = useWords(serviceWords)
  const format = useFormat()
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['failures', id],
    queryFn: ({ pageParam, signal }) =>
      readPage(
        `/services/${id}/history/status_changes?status=failure&sort=-start_time&limit=${rowsOfPage}&offset=${pageParam}`,
        signal,
      ),
    initialPageParam: 0,
    getNextPageParam: ({ total }, pages) => (pages.length * rowsOfPage < total ? pages.length * rowsOfPage : undefined),
    refetchInterval: usePace(15_000),
  })
  const rows = data?.pages.flatMap((page) => page.rows) ?? []
  return (
    <section className="card" aria-labelledby="failures">
      <header>
        <h2 id="failures">{words.failures}</h2>
      </header>
      {data === undefined ? (
        <div className="inside">
          {error === null ? <Loading what={words.failures} /> : <Trouble error={error} again={() => void refetch()} />}
        </div>
      ) : rows.length === 0 ? (
        <p className="inside dim">{words.noFailures}</p>
      ) : (
        <ol className="failures">
          {rows.map((row) => (
            <li key={row.change_id}>
              <Link href={`/services/${id}/failures/${row.change_id}`}>{format.shortMoment(row.start_time)}</Link>
              <span className={row.end_time === null ? 'problem' : ''}>
                {row.end_time === null ? `${words.lasts} ` : ''}
                {format.duration(row.duration)}
              </span>
              {row.description === '' ? null : <span className="dim note">{row.description}</span>}
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
          {words.more}
        </button>
      ) : null}
    </section>
  )
}
