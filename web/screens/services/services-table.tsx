import { useWindowVirtualizer } from '@tanstack/react-virtual'
import {
  type CSSProperties,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useLocation } from 'wouter'
import { useGroupNames } from '../../parts/group-names.ts'
import { Icon } from '../../parts/icon.tsx'
import { useNarrow } from '../../parts/use-narrow.ts'
import { useReader } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import type { Selection } from './bulk/selection.ts'
import { type Column, shownColumns } from './columns.ts'
import { useTypeNames } from './dictionaries.ts'
import type { ListAddress } from './list-address.ts'
import type { ServicePages } from './service-pages.ts'
import { ServiceRow } from './service-row.tsx'
import { servicesWords } from './words.ts'

const rowHeight = 52
const cardHeight = 76

interface TableProps {
  readonly pages: ServicePages
  readonly total: number
  readonly address: ListAddress
  readonly selection: Selection
  readonly onShown: (firstRow: number, lastRow: number) => void
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
    scrollMargin: useTop(list),
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows of another height are measured again
  useEffect(() => virtual.measure(), [virtual, height])
  const items = virtual.getVirtualItems()
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0]
  useEffect(() => onShown(first, last), [onShown, first, last])
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
  const [, open] = useLocation()
  const typeNames = useTypeNames()
  const groups = useGroupNames()
  const namesOfGroups = useMemo(() => new Map(groups.map(({ id, name }) => [id, name])), [groups])
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
            <ServiceRow
              key={index}
              index={index}
              height={height}
              top={start - virtual.options.scrollMargin}
              startsGroup={isByGroup && startsGroup(pages, index)}
              row={row}
              status={row === undefined ? null : pages.statusOf(row)}
              bars={row === undefined ? undefined : pages.barsOf(row)}
              isSelected={row !== undefined && selection.has(row.id)}
              select={select}
              open={open}
              barDays={preferences.barDays}
              columns={shown}
              groupName={row === undefined ? '' : (namesOfGroups.get(row.group_id) ?? row.group?.name ?? '')}
              typeName={row === undefined ? '' : (typeNames.get(row.type_id) ?? row.type_id)}
            />
          )
        })}
      </div>
    </div>
  )
}

/**
 * Pixels from the top of the page to the element. It is measured when the page's size changes; measuring at each
 * drawing would mean at each step of scrolling.
 */
function useTop(element: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    const measured = element.current
    if (measured === null) return
    const observer = new ResizeObserver(() => setTop(measured.offsetTop))
    setTop(measured.offsetTop)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [element])
  return top
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
  // A degraded service is OK to the API, and worse than one that is only OK.
  if (field === 'status.summary') return `${main},${isDown ? '' : '-'}status.is_degraded,name`
  return field === 'group.name' ? `${main},status.summary,-status.is_degraded,name` : `${main},name`
}
