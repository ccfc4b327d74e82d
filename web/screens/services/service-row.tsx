import { lazy, memo, Suspense } from 'react'
import type { HistoryBars, ServiceStatus } from '../../api/answers.ts'
import { prefix } from '../../api/prefix.ts'
import type { Format } from '../../format/format.ts'
import { Acknowledged } from '../../parts/acknowledged.tsx'
import { Ago } from '../../parts/ago.tsx'
import { Bars } from '../../parts/bars.tsx'
import { Icon } from '../../parts/icon.tsx'
import { ManagedMark } from '../../parts/managed.tsx'
import { withPort } from '../../parts/port-place.ts'
import { State, shownState } from '../../parts/state.tsx'
import { useFormat } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import type { Column } from './columns.ts'
import type { ListedService } from './list-address.ts'
import { servicesWords } from './words.ts'

const HeldMark = lazy(() => import('../../parts/depend/held.tsx').then((file) => ({ default: file.HeldMark })))

interface RowProps {
  /** Its place in the list, from 0. */
  readonly index: number
  /** Pixels, from the top of the list. */
  readonly top: number
  readonly height: number
  readonly startsGroup: boolean
  readonly columns: readonly Column[]
  /** Undefined while its page is being read. */
  readonly row: ListedService | undefined
  readonly isSelected: boolean
  readonly select: (index: number, isRange: boolean) => void
  readonly open: (path: string) => void
  readonly status: ServiceStatus | null
  readonly bars: HistoryBars | undefined
  readonly barDays: number
  readonly typeName: string
  readonly groupName: string
}

/**
 * A row is drawn again when one of its facts changes. Its cells are not components, because a scrolled page draws a
 * hundred of them.
 */
export const ServiceRow = memo(function ServiceRow({ columns, top, height, startsGroup, row, ...facts }: RowProps) {
  const words = useWords(servicesWords)
  const format = useFormat()
  return (
    <div
      role="row"
      data-row
      aria-rowindex={facts.index + 2}
      className={startsGroup ? 'table-row starts-group' : 'table-row'}
      style={{ height, transform: `translateY(${top}px)` }}
    >
      {row === undefined
        ? null
        : columns.map(({ id }) => (
            <div key={id} role="cell" className={`cell-${id}`}>
              {contentOf(id, { ...facts, row, words, format })}
            </div>
          ))}
    </div>
  )
})

interface Facts extends Omit<RowProps, 'columns' | 'top' | 'height' | 'startsGroup' | 'row'> {
  readonly row: ListedService
  readonly words: (typeof servicesWords)['en']
  readonly format: Format
}

function contentOf(id: Column['id'], facts: Facts) {
  const { row, status, words, format } = facts
  switch (id) {
    case 'select':
      return selectBox(facts)
    case 'state':
      return status === null ? null : (
        <>
          <State state={shownState(status)} />
          {status.is_acknowledged ? <Acknowledged /> : null}
        </>
      )
    case 'name':
      return (
        <>
          <span className="line">
            {nameLink(facts)}
            {status?.notifications_status === 'silent' ? (
              <span className="silent" title={words.silent}>
                <Icon name="silent" />
                <span className="only-read">{words.silent}</span>
              </span>
            ) : null}
          </span>
          <span className="line">
            <span className="address" title={addressOf(row)}>
              {addressOf(row)}
            </span>
            {held(status)}
            <ManagedMark of={row} />
            {tags(facts)}
          </span>
        </>
      )
    case 'type':
      return <span title={facts.typeName}>{facts.typeName}</span>
    case 'response':
      return status?.last_response_time == null
        ? null
        : format.milliseconds(Math.max(status.last_response_time, leastShown))
    case 'group':
      return <span title={facts.groupName}>{facts.groupName}</span>
    case 'interval':
      return format.duration(row.interval)
    case 'changed': {
      const since = status?.degraded_since ?? status?.last_check_status_change_time
      return since == null ? <span className="dim">{words.never}</span> : <Ago moment={since} />
    }
    case 'expires':
      return row.expires_at === null ? null : (
        <time dateTime={row.expires_at} title={format.moment(row.expires_at)}>
          {format.day(row.expires_at.slice(0, 10))}
        </time>
      )
    case 'bars':
      return <Bars days={facts.bars?.days} count={facts.barDays} />
  }
}

/** A service of DNS has the domain that is asked for beside its name server. */
function addressOf({ address, port, query_name: name }: ListedService): string {
  const shown = port === null ? address : withPort(address, String(port))
  return name === null ? shown : `${shown} · ${name}`
}

/** A link of the router asks for the address of the page once more in each row: this one is told how to open. */
function nameLink({ row, open }: Facts) {
  const path = `/services/${row.id}`
  return (
    <a
      href={prefix + path}
      className="name-link"
      title={row.name}
      onClick={(event) => {
        if (event.button !== 0 || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
        event.preventDefault()
        open(path)
      }}
    >
      {row.name}
    </a>
  )
}

/** Less than a millisecond is stored as none. */
const leastShown = 0.5
const mostTags = 2

function tags({ row: { tags: names }, words }: Facts) {
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

/** Names the service whose failure keeps this one quiet. Few rows need it, so it is loaded with the first. */
function held(status: ServiceStatus | null) {
  if (status?.held_by_service_id == null) return null
  return (
    <Suspense fallback={null}>
      <HeldMark by={status.held_by_service_id} />
    </Suspense>
  )
}

function selectBox({ row, index, isSelected, select, words }: Facts) {
  return (
    <input
      type="checkbox"
      aria-label={words.select(row.name)}
      checked={isSelected}
      onChange={({ nativeEvent }) => select(index, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
    />
  )
}
