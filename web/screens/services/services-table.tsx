import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, memo, useCallback, useEffect, useMemo, useRef } from 'react'
import { Link } from 'wouter'
import type { HistoryBars, ListedService, ServiceStatus } from '../../api/answers.ts'
import { Acknowledged } from '../../parts/acknowledged.tsx'
import { Ago } from '../../parts/ago.tsx'
import { Bars } from '../../parts/bars.tsx'
import { Icon } from '../../parts/icon.tsx'
import { State } from '../../parts/state.tsx'
import { useNarrow } from '../../parts/use-narrow.ts'
import { useFormat, useReader } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import type { Selection } from './bulk/selection.ts'
import { bulkWords } from './bulk/words.ts'
import { type Column, shownColumns } from './columns.ts'
import { useTypeNames } from './dictionaries.ts'
import type { ListAddress } from './list-address.ts'
import type { ServicePages } from './service-pages.ts'
import { servicesWords } from './words.ts'

const rowHeight = 52
const cardHeight = 76

interface TableProps {
  readonly pages: ServicePages
  readonly total: number
  readonly address: ListAddress
  readonly selection: Selection
  readonly onShown: (shown: { readonly first: number; readonly last: number }) => void
}

/** Only the rows on the screen exist; the others are space. On a phone each is a card of two lines. */
export function ServicesTable({ pages, total, address, selection, onShown }: TableProps) {
  const words = useWords(servicesWords)
  const { account, preferences } = useReader()
  const isNarrow = useNarrow()
  const list = useRef<HTMLDivElement>(null)
  const height = isNarrow ? cardHeight : rowHeight
  const virtual = useWindowVirtualizer({
    count: total,
    estimateSize: () => height,
    overscan: 8,
    scrollMargin: list.current?.offsetTop ?? 0,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows of another height are measured again
  useEffect(() => virtual.measure(), [virtual, height])
  const items = virtual.getVirtualItems()
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0]
  useEffect(() => onShown({ first, last }), [onShown, first, last])
  const shown = useMemo(
    () => shownColumns(preferences.hiddenColumns, !account.is_read_only),
    [preferences.hiddenColumns, account.is_read_only],
  )
  // The same function for every row and every time, so that only rows that changed are drawn again.
  const latest = useRef(pages)
  latest.current = pages
  const { toggle } = selection
  const select = useCallback(
    (index: number, isRange: boolean) => toggle(index, isRange, (at) => latest.current.rowAt(at)?.id),
    [toggle],
  )
  const typeNames = useTypeNames()
  const isByGroup = address.sort.startsWith('group.name')
  const grid = { '--columns': shown.map(({ width }) => width).join(' ') } as CSSProperties
  return (
    <div
      role="table"
      aria-label={words.title}
      aria-rowcount={total + 1}
      className="table"
      style={grid}
      aria-busy={pages.isStale}
    >
      <HeadRow columns={shown} address={address} />
      <div ref={list} role="rowgroup" className="rows" style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const row = pages.rowAt(index)
          return (
            <div
              key={index}
              role="row"
              data-row
              aria-rowindex={index + 2}
              className={isByGroup && startsGroup(pages, index) ? 'table-row starts-group' : 'table-row'}
              style={{ height, transform: `translateY(${start - virtual.options.scrollMargin}px)` }}
            >
              {row === undefined ? null : (
                <Cells
                  isSelected={selection.has(row.id)}
                  index={index}
                  select={select}
                  row={row}
                  status={pages.statusOf(row)}
                  bars={pages.barsOf(row)}
                  barDays={preferences.barDays}
                  columns={shown}
                  typeName={typeNames.get(row.type_id) ?? row.type_id}
                />
              )}
            </div>
          )
        })}
      </div>
    </div>
  )
}

/** Whether the row is the first of its group. */
function startsGroup(pages: ServicePages, index: number): boolean {
  return index === 0 || pages.rowAt(index)?.group_id !== pages.rowAt(index - 1)?.group_id
}

function HeadRow({ columns, address }: { readonly columns: readonly Column[]; readonly address: ListAddress }) {
  const words = useWords(servicesWords)
  const { preferences } = useReader()
  const [main = ''] = address.sort.split(',')
  const [field, isDown] = main.startsWith('-') ? [main.slice(1), true] : [main, false]
  return (
    <div role="rowgroup" className="head">
      <div role="row" aria-rowindex={1} className="table-row">
        {columns.map(({ id, sort }) => {
          const name =
            id === 'select' ? (
              <span className="only-read">{words.columnNames.select}</span>
            ) : id === 'bars' ? (
              words.lastDays(preferences.barDays)
            ) : (
              words.columnNames[id]
            )
          const isSorted = sort !== null && sort === field
          return (
            <div
              key={id}
              role="columnheader"
              className={`cell-${id}`}
              aria-sort={isSorted ? (isDown ? 'descending' : 'ascending') : undefined}
            >
              {sort === null ? (
                name
              ) : (
                <button type="button" onClick={() => address.set('sort', orderOf(sort, isSorted && !isDown))}>
                  {name}
                  {isSorted ? <Icon name={isDown ? 'down' : 'up'} /> : null}
                </button>
              )}
            </div>
          )
        })}
      </div>
    </div>
  )
}

/** Services that are alike in the field stand by their names. */
function orderOf(field: string, isDown: boolean): string {
  const main = isDown ? `-${field}` : field
  if (field === 'name') return main
  return field === 'group.name' ? `${main},status.summary,name` : `${main},name`
}

interface CellsProps {
  readonly isSelected: boolean
  /** Of the row in the list. */
  readonly index: number
  readonly select: (index: number, isRange: boolean) => void
  readonly row: ListedService
  readonly status: ServiceStatus | null
  readonly bars: HistoryBars | undefined
  readonly barDays: number
  readonly typeName: string
  readonly columns: readonly Column[]
}

const Cells = memo(function Cells({ columns, ...facts }: CellsProps) {
  return columns.map(({ id }) => (
    <div key={id} role="cell" className={`cell-${id}`}>
      <Cell id={id} {...facts} />
    </div>
  ))
})

function Cell({
  id,
  row,
  status,
  bars,
  barDays,
  index,
  isSelected,
  select,
  typeName,
}: Omit<CellsProps, 'columns'> & { readonly id: Column['id'] }) {
  const words = useWords(servicesWords)
  const format = useFormat()
  switch (id) {
    case 'select':
      return <SelectBox name={row.name} isSelected={isSelected} select={(isRange) => select(index, isRange)} />
    case 'state':
      return status === null ? null : (
        <>
          <State state={status.summary} />
          {status.is_acknowledged ? <Acknowledged /> : null}
        </>
      )
    case 'name':
      return (
        <>
          <span className="line">
            <Link href={`/services/${row.id}`} className="name-link" title={row.name}>
              {row.name}
            </Link>
            {status?.notifications_status === 'silent' ? (
              <span className="silent" title={words.silent}>
                <Icon name="silent" />
                <span className="only-read">{words.silent}</span>
              </span>
            ) : null}
          </span>
          <span className="line">
            <span className="address" title={row.address}>
              {row.address}
            </span>
            <Tags names={row.tags} />
          </span>
        </>
      )
    case 'type':
      return <span title={typeName}>{typeName}</span>
    case 'response':
      return status?.last_response_time == null
        ? null
        : format.milliseconds(Math.max(status.last_response_time, leastShown))
    case 'group':
      return <span title={row.group?.name}>{row.group?.name}</span>
    case 'interval':
      return format.duration(row.interval)
    case 'changed':
      return status?.last_check_status_change_time == null ? (
        <span className="dim">{words.never}</span>
      ) : (
        <Ago moment={status.last_check_status_change_time} />
      )
    case 'bars':
      return <Bars days={bars?.days} count={barDays} />
  }
}

/** Less than a millisecond is stored as none. */
const leastShown = 0.5
const mostTags = 2

function Tags({ names }: { readonly names: readonly string[] }) {
  const words = useWords(servicesWords)
  if (names.length === 0) return null
  const rest = names.slice(mostTags)
  return (
    <span className="tags">
      {names.slice(0, mostTags).map((name) => (
        <span key={name} className="tag" title={name}>
          {name}
        </span>
      ))}
      {rest.length === 0 ? null : (
        <span className="tag" title={rest.join(', ')}>
          +{rest.length}
          <span className="only-read"> {words.moreTags(rest.join(', '))}</span>
        </span>
      )}
    </span>
  )
}

interface SelectBoxProps {
  readonly name: string
  readonly isSelected: boolean
  readonly select: (isRange: boolean) => void
}

function SelectBox({ name, isSelected, select }: SelectBoxProps) {
  const words = useWords(bulkWords)
  return (
    <input
      type="checkbox"
      aria-label={words.select(name)}
      checked={isSelected}
      onChange={({ nativeEvent }) => select(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
    />
  )
}
