import { useQuery } from '@tanstack/react-query'
import { type RefObject, useState } from 'react'
import { read } from '../../api/client.ts'
import { useChange } from '../../parts/use-change.ts'
import { partWords } from '../../parts/words.ts'
import { useFormat } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import type { ShownChange } from './use-failure.ts'
import { failureWords } from './words.ts'

const states = ['ok', 'paused'] as const
const month = 30 * 86_400

interface CorrectProps {
  readonly ref: RefObject<HTMLDialogElement | null>
  readonly serviceId: number
  readonly change: ShownChange
  readonly done: () => void
}

interface ServiceLevel {
  readonly ok: number
  readonly failure: number
}

/** Counts the time of a failure as something else; says beforehand what becomes of the service level. */
export function CorrectDialog({ ref, serviceId, change, done }: CorrectProps) {
  const words = useWords(failureWords)
  const parts = useWords(partWords)
  const format = useFormat()
  const [status, setStatus] = useState<(typeof states)[number]>('ok')
  const [reason, setReason] = useState('')
  const { mutate, isPending, error } = useChange()
  const preview = usePreview(serviceId, change, status)
  const save = () => {
    const end_time = change.end_time ?? new Date().toISOString()
    const body = { service_id: serviceId, start_time: change.start_time, end_time, status, description: reason }
    mutate({ method: 'POST', path: '/corrections', body }, { onSuccess: done })
  }
  return (
    <dialog ref={ref} aria-labelledby="correct-title">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <h2 id="correct-title">{words.correctTitle}</h2>
        <p>{words.correctText}</p>
        <p>
          {words.from} <b>{format.moment(change.start_time)}</b> {words.to.toLowerCase()}{' '}
          <b>{change.end_time === null ? words.until : format.moment(change.end_time)}</b>
        </p>
        <fieldset className="choices">
          <legend className="label">{words.countAs}</legend>
          {states.map((name) => (
            <label key={name} className="row">
              <input type="radio" name="status" checked={status === name} onChange={() => setStatus(name)} />
              {words.states2[name]}
            </label>
          ))}
        </fieldset>
        <label className="field">
          {words.reason}
          <input value={reason} maxLength={1000} onChange={({ target }) => setReason(target.value)} />
          <span className="hint">{words.reasonHint}</span>
        </label>
        {preview === null ? null : (
          <p>
            <b>{words.levels(format.percent(preview.before), format.percent(preview.after))}</b>
          </p>
        )}
        {error === null ? null : (
          <p className="problem" role="alert">
            {error.message}
          </p>
        )}
        <div className="row">
          <button type="submit" className="button primary" disabled={isPending}>
            {words.save}
          </button>
          <button type="button" className="button" onClick={() => ref.current?.close()}>
            {parts.cancel}
          </button>
        </div>
      </form>
    </dialog>
  )
}

/** The level of the last 30 days, and what it becomes: the seconds that count as failure now change their side. */
function usePreview(serviceId: number, change: ShownChange, status: 'ok' | 'paused') {
  const path = `/services/${serviceId}/history/service_level`
  const whole = useQuery({
    queryKey: ['service_level', serviceId, month],
    queryFn: ({ signal }) => read<ServiceLevel>(`${path}?from=-${month}`, signal),
  })
  const start = new Date(Math.max(Date.parse(change.start_time), Date.now() - month * 1000)).toISOString()
  const within = useQuery({
    queryKey: ['service_level', serviceId, change.change_id],
    queryFn: ({ signal }) =>
      read<ServiceLevel>(
        `${path}?from=${change.start_time}${change.end_time === null ? '' : `&to=${change.end_time}`}`,
        signal,
      ),
    enabled: change.end_time === null || start < change.end_time,
  })
  if (whole.data === undefined || within.data === undefined) return null
  const { ok, failure } = whole.data
  const moved = Math.min(failure, within.data.failure)
  const known = ok + failure
  if (known === 0 || moved === 0) return null
  return { before: ok / known, after: status === 'ok' ? (ok + moved) / known : ok / Math.max(1, known - moved) }
}
