import { keepPreviousData, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import type { HistoryBars, ServiceStatus } from '../../api/answers.ts'
import { type Page, read, readPage } from '../../api/client.ts'
import { usePace } from '../../live/live.ts'
import { totalOf, useStateCounts } from '../../parts/state-counts.ts'
import { conditionsAsked, type ListAddress, type ListedService, pagePath, rowsOfPage } from './list-address.ts'

const statusEveryMs = 5000
const barsStaleMs = 300_000

export interface ServicePages {
  readonly total: number | null
  readonly error: unknown
  readonly isLoading: boolean
  /** True while an answer to another address is still shown. */
  readonly isStale: boolean
  readonly rowAt: (index: number) => ListedService | undefined
  /** The newest status of a row, where one is known. */
  readonly statusOf: (row: ListedService) => ServiceStatus | null
  readonly barsOf: (row: ListedService) => HistoryBars | undefined
  /** Rows that were read whose state is no longer the one they are sorted by. */
  readonly changed: number
  readonly reload: () => void
}

/** Numbers of the first and the last page that are on the screen. */
export interface PageRange {
  readonly from: number
  readonly to: number
}

/** The same object while the screen stays within the same pages, so that scrolling by a row draws nothing but rows. */
export function pageRange(before: PageRange, firstRow: number, lastRow: number): PageRange {
  const [from, to] = [Math.floor(firstRow / rowsOfPage), Math.floor(lastRow / rowsOfPage)]
  return from === before.from && to === before.to ? before : { from, to }
}

/** Reads the visible pages of the list: rows in order, their later changes, and their bars. */
export function useServicePages(address: ListAddress, { from, to }: PageRange, barDays: number): ServicePages {
  const client = useQueryClient()
  const first = useQuery(pageQuery(address, 0))
  const total = first.data?.total ?? null
  const numbers = pagesBetween(from, to, total)
  const further = useQueries({ queries: numbers.map((number) => pageQuery(address, number)) })
  const pages = new Map<number, Page<ListedService> | undefined>([[0, first.data]])
  for (const [at, number] of numbers.entries()) pages.set(number, further[at]?.data)
  const rowAt = (index: number) => pages.get(Math.floor(index / rowsOfPage))?.rows[index % rowsOfPage]

  const known = [...pages.values()].filter((page) => page !== undefined)
  const statuses = useStatuses(known.map(({ rows }) => rows))
  const bars = useBars(
    known.map(({ rows }) => rows.map(({ id }) => id)),
    barDays,
  )
  const statusOf = (row: ListedService) => statuses.get(row.id) ?? row.status
  const moved = known.flatMap(({ rows }) => rows.filter((row) => statusOf(row)?.summary !== row.status?.summary)).length
  const appeared = useAppeared(address, first)
  return {
    total,
    error: first.error ?? further.find(({ error }) => error !== null)?.error ?? null,
    isLoading: first.isPending,
    isStale: first.isPlaceholderData,
    rowAt,
    statusOf,
    barsOf: ({ id }) => bars.get(id),
    changed: Math.max(moved, appeared),
    reload: () => void client.resetQueries({ queryKey: ['services', 'page'] }),
  }
}

function pageQuery(address: ListAddress, number: number) {
  const path = pagePath(address, number)
  return {
    queryKey: ['services', 'page', path],
    queryFn: ({ signal }: { readonly signal: AbortSignal }) => readPage(path, signal),
    // The order stays as it was read until the reader asks for another one: nothing moves under the pointer.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    placeholderData: keepPreviousData,
  }
}

interface FirstPage {
  readonly data: Page<ListedService> | undefined
  readonly dataUpdatedAt: number
  readonly isPlaceholderData: boolean
}

/** How many rows have come to the list, or gone from it, since it was read. */
function useAppeared({ conditions }: ListAddress, { data, dataUpdatedAt, isPlaceholderData }: FirstPage): number {
  const counted = useStateCounts(String(conditionsAsked(conditions)))
  // Numbers that were asked for before the page was read may lack services that it has.
  if (data === undefined || isPlaceholderData || counted === undefined || counted.askedAt < dataUpdatedAt) return 0
  return Math.abs(totalOf(counted.counts) - data.total)
}

function pagesBetween(from: number, to: number, total: number | null): readonly number[] {
  const last = total === null ? 0 : Math.max(0, Math.ceil(total / rowsOfPage) - 1)
  const numbers: number[] = []
  for (let number = Math.max(1, from); number <= Math.min(to, last); number++) numbers.push(number)
  return numbers
}

/** By pages, so that scrolling asks for nothing that is known; the page came with its statuses. */
function useStatuses(pages: readonly (readonly ListedService[])[]): ReadonlyMap<number, ServiceStatus> {
  const refetchInterval = usePace(statusEveryMs)
  const answers = useQueries({
    queries: pages
      .filter((rows) => rows.length > 0)
      .map((rows) => {
        const ids = rows.map(({ id }) => id)
        return {
          queryKey: ['service_statuses', ids],
          queryFn: ({ signal }: { readonly signal: AbortSignal }) => {
            const asked = new URLSearchParams(ids.map((id) => ['id', String(id)]))
            return read(`/service_statuses?${asked}&limit=1000`, signal)
          },
          initialData: () => rows.flatMap(({ status }) => status ?? []),
          refetchInterval,
        }
      }),
  })
  return new Map(answers.flatMap(({ data }) => data).map((status) => [status.id, status]))
}

function useBars(pages: readonly (readonly number[])[], days: number): ReadonlyMap<number, HistoryBars> {
  const answers = useQueries({
    queries: pages
      .filter((ids) => ids.length > 0)
      .map((ids) => ({
        queryKey: ['history_bars', days, ids],
        queryFn: ({ signal }: { readonly signal: AbortSignal }) => {
          const asked = new URLSearchParams([...ids.map((id) => ['id', String(id)]), ['days', String(days)]])
          return read(`/services/history_bars?${asked}`, signal)
        },
        staleTime: barsStaleMs,
      })),
  })
  return new Map(answers.flatMap(({ data }) => data ?? []).map((bars) => [bars.service_id, bars]))
}
