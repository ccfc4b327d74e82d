import { type ReactNode, useRef } from 'react'
import { useWords } from '../words/words.ts'
import { Dialog } from './dialog.tsx'
import { Form } from './form.tsx'
import type { Managed } from './managed.tsx'
import { type Change, useChange } from './use-change.ts'
import { partWords } from './words.ts'

interface DialogProps<Answer> {
  readonly title: string
  /** The text of the button. */
  readonly action: string
  readonly isDangerous?: boolean
  /** False while something that the change needs is missing. */
  readonly isReady?: boolean
  readonly className?: string
  /** The object that is deleted or changed. */
  readonly managed?: Managed | null | undefined
  readonly request: () => Change<Answer>
  readonly done?: (answer: Answer) => void
  /** After the dialog has closed and the focus is back where it came from. */
  readonly closed: () => void
  readonly children?: ReactNode
}

/** A dialog that sends one change; it stays open with the reasons while the API refuses. Rendered: open. */
export function FormDialog<Answer>(props: DialogProps<Answer>) {
  const parts = useWords(partWords)
  const dialog = useRef<HTMLDialogElement>(null)
  const changing = useChange<Answer>()
  const close = () => dialog.current?.close()
  const send = (settle: () => void) =>
    changing.mutate(props.request(), {
      onSuccess: (answer) => {
        settle()
        // The focus is back where it was before anything else happens.
        close()
        props.done?.(answer)
      },
    })
  return (
    <Dialog ref={dialog} title={props.title} className={props.className} closed={props.closed}>
      <Form
        outcome={changing}
        submit={send}
        call={props.isDangerous || props.isReady === false ? null : props.request()}
        action={props.action}
        look={props.isDangerous ? 'danger' : 'primary'}
        isReady={props.isReady}
        // A name typed to confirm a deletion is nothing to lose.
        {...(props.isDangerous === true ? { isUnsaved: false } : {})}
        managed={props.managed}
        isRemoval={props.isDangerous === true}
        more={
          <button type="button" className="button" onClick={close}>
            {parts.cancel}
          </button>
        }
      >
        {props.children}
      </Form>
    </Dialog>
  )
}
