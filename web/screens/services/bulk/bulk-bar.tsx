import { lazy, Suspense, useState } from 'react'
import { callTo } from '../../../api/calls.ts'
import { useFormat } from '../../../reader.tsx'
import { useWords } from '../../../words/words.ts'
import type { ListAddress } from '../list-address.ts'
import type { AskingAction } from './bulk-dialog.tsx'
import { BulkProgress } from './bulk-progress.tsx'
import { type BulkAction, useBulkRun } from './bulk-run.ts'
import type { Selection } from './selection.ts'
import { bulkWords } from './words.ts'
import './bulk.css'

const BulkDialog = lazy(() => import('./bulk-dialog.tsx').then((file) => ({ default: file.BulkDialog })))

const atOnce = [
  { name: 'activate', path: '/services/bulk_activate' },
  { name: 'pause', path: '/services/bulk_pause' },
  { name: 'check', path: '/services/bulk_force_analysis' },
] as const
const asking: readonly AskingAction[] = ['suspend', 'move', 'interval', 'tags', 'remove']

interface BulkBarProps {
  readonly selection: Selection
  readonly total: number
  readonly address: ListAddress
}

/** The actions for the selected services; then the progress, and the refused ones. */
export function BulkBar({ selection, total, address }: BulkBarProps) {
  const words = useWords(bulkWords)
  const format = useFormat()
  const { run, start, stop, close } = useBulkRun()
  const [asked, setAsked] = useState<AskingAction | null>(null)
  const count = selection.count(total)
  const go = (action: BulkAction) => {
    setAsked(null)
    void start(action, selection.isAll ? address.conditions : selection.ids)
  }
  if (run !== null)
    return (
      <BulkProgress
        run={run}
        stop={stop}
        close={() => {
          close()
          selection.clear()
        }}
      />
    )
  if (count === 0) return null
  return (
    <section className="bulk" aria-label={words.actions}>
      <p role="status">
        <b>{words.selected(format.number(count), count)}</b>
      </p>
      {selection.isAll || count === total ? null : (
        <button type="button" className="button plain small" onClick={selection.selectAll}>
          {words.selectAll(format.number(total))}
        </button>
      )}
      <button type="button" className="button plain small" onClick={selection.clear}>
        {words.clear}
      </button>
      <span className="row">
        {atOnce.map(({ name, path }) => (
          <button
            key={name}
            type="button"
            className="button small"
            onClick={() => go((ids) => callTo('POST', path, { ids }))}
          >
            {words[name]}
          </button>
        ))}
        {asking.map((name) => (
          <button
            key={name}
            type="button"
            className={`button small${name === 'remove' ? ' danger' : ''}`}
            onClick={() => setAsked(name)}
          >
            {words[name]}
          </button>
        ))}
      </span>
      {asked === null ? null : (
        <Suspense fallback={null}>
          <BulkDialog action={asked} count={count} go={go} close={() => setAsked(null)} />
        </Suspense>
      )}
    </section>
  )
}
