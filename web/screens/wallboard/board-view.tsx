import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Board } from '../../api/answers.ts'
import { Icon, type IconName } from '../../parts/icon.tsx'
import { Logo } from '../../parts/logo.tsx'
import { useFormat } from '../../reader.tsx'
import { showFailingCount, showTitle } from '../../shell/favicon.ts'
import { useWords } from '../../words/words.ts'
import { wallboardWords } from './words.ts'

type Group = Board['groups'][number]

/** A tile is at least so large, in pixels; what does not fit goes to the next page. */
const least = { width: 190, height: 108 }
const mostTiles = 60
const pageMs = 15_000
/** How much wider than high tiles are wanted. */
const wantedShape = 1.9

interface ViewProps {
  readonly board: Board
  /** When it could not be read any more; null while it can. */
  readonly staleSince: string | null
  /** Actions beside the view. */
  readonly children?: ReactNode
}

/** The states of groups, readable from across a room. It never scrolls: pages take turns. */
export function BoardView({ board, staleSince, children }: ViewProps) {
  const words = useWords(wallboardWords)
  const [area, size] = useSize()
  const grid = gridFor(board.groups.length, size)
  const [page, setPage, isTurning, setTurning] = usePages(grid.pages)
  const isStale = staleSince !== null
  const failing = board.groups.reduce((sum, group) => sum + group.failure, 0)
  useEffect(() => {
    showTitle(board.name ?? words.title)
    showFailingCount(failing)
  }, [board.name, failing, words])
  const shown = board.groups.slice(page * grid.perPage, (page + 1) * grid.perPage)
  return (
    <main className="wallboard">
      <header className={`board-head ${isStale ? 'stale' : failing > 0 ? 'failing' : 'ok'}`}>
        <h1>
          <Logo />
          {board.name ?? words.title}
        </h1>
        <p className="board-sum" role="status">
          <Icon name={isStale ? 'unknown' : failing > 0 ? 'failure' : 'ok'} />
          {isStale ? words.notKnown : failing > 0 ? words.failing(failing) : words.allOk}
        </p>
        <Clock />
      </header>
      {staleSince === null ? null : <Stale since={staleSince} />}
      <div ref={area} className="board-area">
        {board.groups.length === 0 ? <p className="board-nothing">{words.nothing}</p> : null}
        <ul
          className={isStale ? 'tiles stale' : 'tiles'}
          style={{
            gridTemplateColumns: `repeat(${grid.columns}, minmax(0, 1fr))`,
            gridTemplateRows: `repeat(${grid.rows}, minmax(0, 1fr))`,
          }}
        >
          {shown.map((group, index) => (
            <Tile key={group.id ?? `${index} ${group.name}`} group={group} />
          ))}
        </ul>
      </div>
      <footer className="board-foot">
        {grid.pages > 1 ? <Pages {...{ page, setPage, isTurning, setTurning }} pages={grid.pages} /> : <span />}
        <span className="row">
          {children}
          <button type="button" className="button plain small" onClick={() => void switchFullScreen()}>
            {words.fullScreen}
          </button>
        </span>
      </footer>
    </main>
  )
}

async function switchFullScreen(): Promise<void> {
  await (document.fullscreenElement === null ? document.documentElement.requestFullscreen() : document.exitFullscreen())
}

/** Rows and columns whose tiles are as near the wanted shape as can be. */
function gridFor(count: number, { width, height }: { readonly width: number; readonly height: number }) {
  const most = {
    columns: Math.max(1, Math.floor(width / least.width)),
    rows: Math.max(1, Math.floor(height / least.height)),
  }
  const perPage = Math.max(1, Math.min(mostTiles, most.columns * most.rows))
  const shown = Math.max(1, Math.min(count, perPage))
  const wanted = Math.round(Math.sqrt((shown * width) / (height * wantedShape)))
  const columns = Math.max(1, Math.min(most.columns, Math.max(wanted, Math.ceil(shown / most.rows))))
  return { columns, rows: Math.ceil(shown / columns), perPage, pages: Math.max(1, Math.ceil(count / perPage)) }
}

function useSize() {
  const area = useRef<HTMLDivElement>(null)
  const [size, setSize] = useState({ width: 1280, height: 720 })
  useEffect(() => {
    const element = area.current
    if (element === null) return
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setSize({ width: entry.contentRect.width, height: entry.contentRect.height })
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [area, size] as const
}

/** The page that is shown; pages turn by themselves until that is stopped. */
function usePages(pages: number) {
  const [page, setPage] = useState(0)
  const [isTurning, setTurning] = useState(true)
  useEffect(() => {
    if (!isTurning || pages < 2) return
    const timer = setInterval(() => setPage((before) => (before + 1) % pages), pageMs)
    return () => clearInterval(timer)
  }, [isTurning, pages])
  return [Math.min(page, pages - 1), setPage, isTurning, setTurning] as const
}

interface PagesProps {
  readonly page: number
  readonly pages: number
  readonly setPage: (page: number) => void
  readonly isTurning: boolean
  readonly setTurning: (isTurning: boolean) => void
}

function Pages({ page, pages, setPage, isTurning, setTurning }: PagesProps) {
  const words = useWords(wallboardWords)
  const turn = (by: number) => {
    setTurning(false)
    setPage((page + by + pages) % pages)
  }
  return (
    <span className="row">
      <button type="button" className="button plain small" aria-label={words.previous} onClick={() => turn(-1)}>
        <Icon name="left" />
      </button>
      <span>{words.page(page + 1, pages)}</span>
      <button type="button" className="button plain small" aria-label={words.next} onClick={() => turn(1)}>
        <Icon name="right" />
      </button>
      <button type="button" className="button plain small" onClick={() => setTurning(!isTurning)}>
        {isTurning ? words.stop : words.go}
      </button>
    </span>
  )
}

function stateOf({ failure, unknown, degraded, ok, suspended }: Group): IconName & keyof Group {
  if (failure > 0) return 'failure'
  if (unknown > 0) return 'unknown'
  if (degraded > 0) return 'degraded'
  if (ok > 0) return 'ok'
  return suspended > 0 ? 'suspended' : 'paused'
}

/** Lines of failing services that a tile shows. */
const lines = 4

function Tile({ group }: { readonly group: Group }) {
  const words = useWords(wallboardWords)
  const format = useFormat()
  const state = stateOf(group)
  const { failure, unknown, degraded, ok, suspended, paused } = group
  const all = failure + unknown + ok + suspended + paused
  const rest = [
    ...(degraded > 0 ? [words.degraded(degraded)] : []),
    ...(ok > degraded ? [words.ok(ok - degraded)] : []),
    ...(unknown > 0 ? [words.unknown(unknown)] : []),
    ...(suspended > 0 ? [words.suspended(suspended)] : []),
    ...(paused > 0 ? [words.paused(paused)] : []),
  ]
  const hidden = failure - Math.min(lines, group.failing.length)
  return (
    <li className={`tile ${state}`}>
      <h2>{group.name}</h2>
      <p className="tile-state">
        <Icon name={state} />
        <span>{failure > 0 ? words.of(failure, all) : rest.join(', ')}</span>
      </p>
      {failure === 0 ? null : (
        <ul className="tile-failing">
          {group.failing.slice(0, lines).map(({ id, name, address, since }, index) => (
            <li key={id ?? `${index} ${name}`}>
              <b>{name}</b>
              {address === null ? null : <span className="tile-address">{address}</span>}
              {since === null ? null : (
                <time dateTime={since} title={format.moment(since)}>
                  {words.since(format.duration(Math.max(0, (Date.now() - Date.parse(since)) / 1000)))}
                </time>
              )}
            </li>
          ))}
          {hidden > 0 ? <li>{words.more(hidden)}</li> : null}
        </ul>
      )}
    </li>
  )
}

function Clock() {
  const format = useFormat()
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  const iso = new Date(now).toISOString()
  return (
    <p className="board-clock">
      <time dateTime={iso}>{format.clock(iso)}</time>
      <span>{format.zone}</span>
    </p>
  )
}

function Stale({ since }: { readonly since: string }) {
  const words = useWords(wallboardWords)
  const format = useFormat()
  return (
    <p className="board-stale" role="alert">
      <Icon name="warning" />
      {words.stale(format.clock(since))}
    </p>
  )
}
