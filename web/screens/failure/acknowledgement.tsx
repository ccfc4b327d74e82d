import { useId, useRef, useState } from 'react'
import { Acknowledged } from '../../parts/acknowledged.tsx'
import { Icon } from '../../parts/icon.tsx'
import { useChange } from '../../parts/use-change.ts'
import { partWords } from '../../parts/words.ts'
import { useFormat, useReader } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import type { ShownChange } from './use-failure.ts'
import { failureWords } from './words.ts'

const maximumLength = 1000

interface AcknowledgementProps {
  readonly serviceId: number
  readonly change: ShownChange
}

/** Who knows of the failure and since when; those who may, acknowledge it or take that back. */
export function Acknowledgement({ serviceId, change }: AcknowledgementProps) {
  const words = useWords(failureWords)
  const format = useFormat()
  const nameOf = useAuthor()
  const { mutate, isPending, error } = useChange()
  const dialog = useRef<HTMLDialogElement>(null)
  const path = `/services/${serviceId}/history/status_changes/${change.change_id}`
  const { acknowledged_at: at, acknowledgement_comment: comment } = change
  if (at === null && !change.permissions.update) return null
  return (
    <div className="row acknowledgement">
      {at === null ? (
        <button
          type="button"
          className={change.end_time === null ? 'button primary' : 'button'}
          onClick={() => dialog.current?.showModal()}
        >
          <Icon name="seen" />
          {words.acknowledge}
        </button>
      ) : (
        <>
          <Acknowledged />
          <span>
            {words.acknowledgedBy(
              nameOf(change.acknowledged_by_account_id, change.acknowledged_by),
              format.moment(at),
              format.zone,
            )}
            {comment === null || comment === '' ? null : <q className="prose">{comment}</q>}
          </span>
          {change.permissions.update ? (
            <button
              type="button"
              className="button small"
              disabled={isPending}
              onClick={() => mutate({ method: 'POST', path: `${path}/unacknowledge` })}
            >
              {words.unacknowledge}
            </button>
          ) : null}
        </>
      )}
      <span role="status" className="problem">
        {error?.message}
      </span>
      <AcknowledgeDialog ref={dialog} path={path} isOngoing={change.end_time === null} />
    </div>
  )
}

interface DialogProps {
  readonly ref: React.RefObject<HTMLDialogElement | null>
  readonly path: string
  readonly isOngoing: boolean
}

function AcknowledgeDialog({ ref, path, isOngoing }: DialogProps) {
  const words = useWords(failureWords)
  const parts = useWords(partWords)
  const id = useId()
  const [comment, setComment] = useState('')
  const { mutate, isPending, error } = useChange()
  const send = () => {
    const body = comment.trim() === '' ? {} : { comment: comment.trim() }
    mutate({ method: 'POST', path: `${path}/acknowledge`, body }, { onSuccess: () => ref.current?.close() })
  }
  return (
    <dialog ref={ref} aria-labelledby={`${id}-title`} onClose={() => setComment('')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        <h2 id={`${id}-title`}>{words.acknowledge}</h2>
        {isOngoing ? <p>{words.acknowledgeText}</p> : null}
        <div className="field">
          <label htmlFor={id}>{words.acknowledgeComment}</label>
          <textarea
            id={id}
            rows={2}
            maxLength={maximumLength}
            value={comment}
            onChange={({ target }) => setComment(target.value)}
          />
          {error === null ? null : (
            <p className="problem" role="alert">
              {error.message}
            </p>
          )}
        </div>
        <div className="row">
          <button type="submit" className="button primary" disabled={isPending}>
            {words.acknowledge}
          </button>
          <button type="button" className="button" onClick={() => ref.current?.close()}>
            {parts.cancel}
          </button>
        </div>
      </form>
    </dialog>
  )
}

/** The name of an account, as far as the reader may know it. */
export function useAuthor() {
  const words = useWords(failureWords)
  const { account } = useReader()
  return (id: number | null, known: { readonly name: string; readonly username: string } | null | undefined) =>
    id === account.id ? words.you : ((known?.name || known?.username) ?? words.somebody)
}
