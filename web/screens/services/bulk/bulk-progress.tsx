import { Link } from 'wouter'
import { Refused } from '../../../api/client.ts'
import { partWords } from '../../../parts/words.ts'
import { useFormat } from '../../../reader.tsx'
import { useWords } from '../../../words/words.ts'
import type { BulkRun } from './bulk-run.ts'
import { bulkWords } from './words.ts'

const shownRefusals = 100

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
  const { done, all, refused, state, error } = run
  const isRunning = state === 'running'
  return (
    <section className="bulk" aria-label={words.actions}>
      {isRunning ? (
        <>
          <progress max={Math.max(1, all)} value={done} aria-label={words.actions} />
          <span>{words.progress(format.number(done), format.number(all))}</span>
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
      {refused.length === 0 ? null : (
        <ul className="refused">
          {refused.slice(0, shownRefusals).map(({ id, problems }) => (
            <li key={id}>
              <Link href={`/services/${id}`}>{words.serviceNumber(id)}</Link>:{' '}
              {problems.map(({ message }) => message).join(' ')}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
