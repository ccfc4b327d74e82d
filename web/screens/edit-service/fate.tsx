import { useState } from 'react'
import { useLocation } from 'wouter'
import { callTo } from '../../api/calls.ts'
import { giveUp, whenLeft } from '../../leaving/unsaved.ts'
import { TextField } from '../../parts/fields.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Reason } from '../../parts/reason.tsx'
import { useChange } from '../../parts/use-change.ts'
import { useWords } from '../../words/words.ts'
import type { EditedService } from './edit-queries.ts'
import { editWords } from './words.ts'

interface FateProps {
  readonly service: EditedService
  readonly again: () => void
}

/** Pauses, archives or deletes: what the reader is permitted to. */
export function Fate({ service, again }: FateProps) {
  const words = useWords(editWords)
  const { mutate, isPending, error } = useChange()
  const [isDeleting, setDeleting] = useState(false)
  const { id, is_active: isActive, is_archived: isArchived, permissions } = service
  const pause = () => mutate(callTo('PUT', `/services/${id}`, { is_active: !isActive }), { onSuccess: again })
  // The form goes away with it, unlike with a pause.
  const archive = () =>
    mutate(callTo('POST', `/services/${id}/${isArchived ? 'restore' : 'archive'}`), { onSuccess: again })
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
          <button type="button" className="button" disabled={isPending} onClick={pause}>
            {isActive ? words.pause : words.activate}
          </button>
        ) : null}
        {canMove ? (
          <button type="button" className="button" disabled={isPending} onClick={() => void whenLeft(archive)}>
            {isArchived ? words.restore : words.archive}
          </button>
        ) : null}
        {canDelete ? (
          <button type="button" className="button danger" onClick={() => setDeleting(true)}>
            {words.delete}
          </button>
        ) : null}
        <span role="status" className="problem">
          <Reason error={error} />
        </span>
      </div>
      {isDeleting ? <DeleteDialog service={service} closed={() => setDeleting(false)} /> : null}
    </section>
  )
}

interface DeleteProps {
  readonly service: EditedService
  readonly closed: () => void
}

function DeleteDialog({ service, closed }: DeleteProps) {
  const words = useWords(editWords)
  const [, navigate] = useLocation()
  const [typed, setTyped] = useState('')
  return (
    <FormDialog
      title={words.deleteTitle}
      action={words.delete}
      isDangerous
      isReady={typed.trim() === service.name.trim()}
      request={() => callTo('DELETE', `/services/${service.id}`)}
      done={() => {
        giveUp()
        navigate('/services')
      }}
      closed={closed}
    >
      <TextField label={`${words.deleteText} ${service.name}`} name="name" value={typed} set={setTyped} />
    </FormDialog>
  )
}
