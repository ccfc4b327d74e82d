import { useId, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { useChange } from '../../parts/use-change.ts'
import { partWords } from '../../parts/words.ts'
import { useWords } from '../../words/words.ts'
import type { EditedService } from './edit-queries.ts'
import { editWords } from './words.ts'

interface FateProps {
  readonly service: EditedService
  readonly again: () => void
  /** The form above has changes that are not saved. */
  readonly isDirty: boolean
}

/** Pauses, archives or deletes: what the reader is permitted to. */
export function Fate({ service, again, isDirty }: FateProps) {
  const words = useWords(editWords)
  const { mutate, isPending, error } = useChange()
  const dialog = useRef<HTMLDialogElement>(null)
  const { id, is_active: isActive, is_archived: isArchived, permissions } = service
  const send = (method: 'POST' | 'PUT', path: string, body?: unknown) => {
    if (isDirty && !window.confirm(words.loseChanges)) return
    mutate({ method, path, body }, { onSuccess: again })
  }
  const canPause = permissions['update'] === true && !isArchived
  const canMove = permissions[isArchived ? 'restore' : 'archive'] === true
  const canDelete = permissions['delete'] === true
  if (!canPause && !canMove && !canDelete) return null
  return (
    <section className="card fate">
      <header>
        <h2>{words.fate}</h2>
      </header>
      <div className="inside row">
        {canPause ? (
          <button
            type="button"
            className="button"
            disabled={isPending}
            onClick={() => send('PUT', `/services/${id}`, { is_active: !isActive })}
          >
            {isActive ? words.pause : words.activate}
          </button>
        ) : null}
        {canMove ? (
          <button
            type="button"
            className="button"
            disabled={isPending}
            onClick={() => send('POST', `/services/${id}/${isArchived ? 'restore' : 'archive'}`)}
          >
            {isArchived ? words.restore : words.archive}
          </button>
        ) : null}
        {canDelete ? (
          <button type="button" className="button danger" onClick={() => dialog.current?.showModal()}>
            {words.delete}
          </button>
        ) : null}
        <span role="status" className="problem">
          {error?.message}
        </span>
      </div>
      <DeleteDialog ref={dialog} service={service} />
    </section>
  )
}

function DeleteDialog({
  ref,
  service,
}: {
  readonly ref: React.RefObject<HTMLDialogElement | null>
  readonly service: EditedService
}) {
  const words = useWords(editWords)
  const parts = useWords(partWords)
  const [, navigate] = useLocation()
  const { mutate, isPending, error } = useChange()
  const [typed, setTyped] = useState('')
  const id = useId()
  const isSame = typed.trim() === service.name.trim()
  return (
    <dialog ref={ref} aria-labelledby={`${id}-title`} onClose={() => setTyped('')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (!isSame) return
          mutate({ method: 'DELETE', path: `/services/${service.id}` }, { onSuccess: () => navigate('/services') })
        }}
      >
        <h2 id={`${id}-title`}>{words.deleteTitle}</h2>
        <div className="field">
          <label htmlFor={id}>
            {words.deleteText} <b>{service.name}</b>
          </label>
          <input
            id={id}
            type="text"
            autoComplete="off"
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
          {error === null ? null : (
            <p className="problem" role="alert">
              {error.message}
            </p>
          )}
        </div>
        <div className="row">
          <button type="submit" className="button danger" disabled={!isSame || isPending}>
            {words.delete}
          </button>
          <button type="button" className="button" onClick={() => ref.current?.close()}>
            {parts.cancel}
          </button>
        </div>
      </form>
    </dialog>
  )
}
