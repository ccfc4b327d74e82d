import { useState } from 'react'
import { Link } from 'wouter'
import { Refused } from '../../../api/client.ts'
import { partWords } from '../../../parts/words.ts'
import { useFormat } from '../../../reader.tsx'
import { useWords } from '../../../words/words.ts'
import type { BulkRun } from './bulk-run.ts'
import { bulkWords } from './words.ts'

/** Lines that come at once. */
const moreRefusals = 100

interface ProgressProps {
  readonly run: BulkRun
  readonly stop: () => void
  readonly close: () => void
}

/** How far a bulk action is; afterwards what was refused and why, one line for each service. */
export function BulkProgress({ run, stop, close }: ProgressProps) {
  const words = useWords(bulkWords)
  const parts = useWords(partWords)
  const format = useFormat()
  const { done, all, refused, state, isWaiting, error } = run
  const isRunning = state === 'running'
  return (
    <section className="bulk" aria-label={words.actions}>
      {isRunning ? (
        <>
          <progress max={Math.max(1, all)} value={done} aria-label={words.actions} />
          <span>{words.progress(format.number(done), format.number(all))}</span>
          <span role="status" className="hint">
            {isWaiting ? words.waiting : ''}
          </span>
        </>
      ) : null}
      <p role="status">
        {isRunning ? '' : state === 'stopped' ? `${words.stopped} ` : ''}
        {isRunning ? '' : words.finished(format.number(done - refused.length))}{' '}
        {refused.length === 0 ? '' : <b className="problem">{words.refused(format.number(refused.length))}</b>}
      </p>
      {isRunning ? (
        <button type="button" className="button small" onClick={stop}>
          {words.stop}
        </button>
      ) : (
        <button type="button" className="button small" onClick={close}>
          {words.close}
        </button>
      )}
      {error === null ? null : (
        <p className="problem" role="alert">
          {error instanceof Refused ? error.message : parts.unreachable}
        </p>
      )}
      <Refusals refused={refused} />
    </section>
  )
}

function Refusals({ refused }: Pick<BulkRun, 'refused'>) {
  const words = useWords(bulkWords)
  const format = useFormat()
  const [shown, setShown] = useState(moreRefusals)
  const rest = refused.length - shown
  if (refused.length === 0) return null
  return (
    <>
      <ul className="refused">
        {refused.slice(0, shown).map(({ id, service_id: service = id ?? 0, problems }) => (
          <li key={service}>
            <Link href={`/services/${service}`}>{words.serviceNumber(service)}</Link>:{' '}
            {problems.map(({ message }) => message).join(' ')}
          </li>
        ))}
      </ul>
      {rest > 0 ? (
        <button type="button" className="button plain small" onClick={() => setShown(shown + moreRefusals)}>
          {words.moreRefused(format.number(rest))}
        </button>
      ) : null}
    </>
  )
}
