import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useWords } from '../words/words.ts'
import { Problems } from './fields.tsx'
import { type Change, useChange } from './use-change.ts'
import { partWords } from './words.ts'

interface DialogProps {
  readonly title: string
  /** What the button says. */
  readonly action: string
  readonly isDangerous?: boolean
  /** False while something that the change needs is missing. */
  readonly isReady?: boolean
  readonly request: () => Change
  readonly done?: (answer: unknown) => void
  /** After the dialog has closed and the focus is back where it came from. */
  readonly closed: () => void
  readonly children: ReactNode
}

/** A dialog that sends one change; it stays open with the reasons while the API refuses. Rendered: open. */
export function FormDialog(props: DialogProps) {
  const parts = useWords(partWords)
  const dialog = useRef<HTMLDialogElement>(null)
  const title = useId()
  const { mutate, isPending, error } = useChange()
  useEffect(() => {
    if (dialog.current?.open === false) dialog.current.showModal()
  }, [])
  const close = () => dialog.current?.close()
  return (
    <dialog ref={dialog} aria-labelledby={title} onClose={props.closed}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          mutate(props.request(), {
            onSuccess: (answer) => {
              props.done?.(answer)
              close()
            },
          })
        }}
      >
        <h2 id={title}>{props.title}</h2>
        <Problems error={error}>{props.children}</Problems>
        {error === null ? null : (
          <p className="problem" role="alert">
            {error.message}
          </p>
        )}
        <div className="row">
          <button
            type="submit"
            className={`button ${props.isDangerous ? 'danger' : 'primary'}`}
            disabled={isPending || props.isReady === false}
          >
            {props.action}
          </button>
          <button type="button" className="button" onClick={close}>
            {parts.cancel}
          </button>
        </div>
      </form>
    </dialog>
  )
}
