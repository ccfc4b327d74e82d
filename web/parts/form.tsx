import { type ReactNode, type SyntheticEvent, useRef, useState } from 'react'
import { useUnsaved } from '../leaving/unsaved.ts'
import { AsCode } from './as-code.tsx'
import type { ApiCall } from './code-text.ts'
import { ConflictNote, type Resolving } from './conflict-note.tsx'
import { type Managed, ManagedNote } from './managed.tsx'
import { Problems } from './problems.tsx'
import { RefusalNote, useRefusal } from './refusal.tsx'

interface FormProps {
  /** The outcome of the form's change; a mutation is one. */
  readonly outcome: { readonly error: unknown; readonly isPending: boolean; readonly isSuccess?: boolean }
  /** Gets what says that the form is saved: leaving does not ask then. */
  readonly submit: (settle: () => void) => void
  /** The form's call, to show as code; null: it is incomplete, or more than one call. */
  readonly call: ApiCall | null
  /** The text of the button; null: the reader may not change anything. */
  readonly action: string | null
  readonly look?: 'primary' | 'danger' | undefined
  /** False while something that the change needs is missing. */
  readonly isReady?: boolean | undefined
  /** The other buttons. */
  readonly more?: ReactNode
  /** Whether something is not saved; without it, whatever was typed is not. */
  readonly isUnsaved?: boolean
  /** Somebody saved another version meanwhile. */
  readonly resolving?: Resolving | null
  readonly className?: string
  /** The object as files manage it. */
  readonly managed?: Managed | null | undefined
  readonly isRemoval?: boolean
  /** The message after saving. */
  readonly saved?: string
  readonly children?: ReactNode
}

/** Every form that changes something: leaving it asks first, and a refusal is told beside its button. */
export function Form({ outcome, submit, isUnsaved, resolving = null, className, call, children, ...more }: FormProps) {
  const { managed, isRemoval = false, ...foot } = more
  const form = useRef<HTMLFormElement>(null)
  const [isTouched, setTouched] = useState(false)
  const { refusal, hear } = useRefusal(form, outcome.error)
  const letGo = useUnsaved(isUnsaved ?? isTouched)
  const settle = () => {
    letGo()
    setTouched(false)
  }
  const edit = ({ target }: SyntheticEvent) => {
    setTouched(true)
    hear(target)
  }
  return (
    <>
      <form
        ref={form}
        className={className}
        noValidate
        onInput={edit}
        onSubmit={(event) => {
          event.preventDefault()
          if (!outcome.isPending && foot.isReady !== false) submit(settle)
        }}
      >
        <ManagedNote of={managed} isRemoval={isRemoval} />
        <Problems problems={refusal.problems}>{children}</Problems>
        {resolving === null ? (
          <RefusalNote refusal={refusal} form={form} />
        ) : (
          <ConflictNote resolving={resolving} settle={settle} form={form} />
        )}
        <Foot {...foot} isPending={outcome.isPending} isSaved={outcome.isSuccess === true && !isTouched} />
      </form>
      {call === null || foot.action === null ? null : <AsCode {...call} />}
    </>
  )
}

interface FootProps extends Pick<FormProps, 'action' | 'look' | 'isReady' | 'more' | 'saved'> {
  readonly isPending: boolean
  readonly isSaved: boolean
}

/** The button keeps the focus while the change is under way. */
function Foot({ action, look, isReady, more, saved, isPending, isSaved }: FootProps) {
  if (action === null && more === undefined) return null
  return (
    <div className="row">
      {action === null ? null : (
        <button
          type="submit"
          className={look === undefined ? 'button' : `button ${look}`}
          disabled={isReady === false}
          aria-disabled={isPending}
        >
          {action}
        </button>
      )}
      {more}
      {saved === undefined ? null : (
        <span role="status" className="hint">
          {isSaved ? saved : ''}
        </span>
      )}
    </div>
  )
}
