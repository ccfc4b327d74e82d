import { type ReactNode, useRef } from 'react'
import type { Sent } from '../api/bodies.ts'
import { checkedCall } from '../api/calls.ts'
import { useWords } from '../words/words.ts'
import { Dialog } from './dialog.tsx'
import { Form } from './form.tsx'
import { type Change, useChange } from './use-change.ts'
import { type Editing, useEditing } from './use-editing.ts'
import { existing } from './use-versioned.ts'
import { partWords } from './words.ts'

interface DialogProps<State, A extends string, B extends Sent<'PUT', A> & object, Answer> {
  readonly title: string
  readonly action: string
  readonly className?: string
  readonly editing: Editing<State, A, B>
  /** Makes a new one; not for dialogs that only change. */
  readonly making?: Change<Answer>
  /** Members of the body that are secrets, beside those whose names say so. */
  readonly secrets?: readonly string[]
  /** Gets the answer for a new one. */
  readonly done?: (made: Answer | undefined) => void
  readonly closed: () => void
  readonly children: ReactNode
}

/** A dialog that makes an object or changes one, in the version that the dialog was opened with. Rendered: open. */
export function EditDialog<State, const A extends string, B extends Sent<'PUT', A> & object, Answer = unknown>(
  props: DialogProps<State, A, B, Answer>,
) {
  const parts = useWords(partWords)
  const dialog = useRef<HTMLDialogElement>(null)
  const { path, state, body } = props.editing
  const making = useChange<Answer>()
  const call: Change<Answer> =
    path === null ? existing(props.making) : checkedCall({ method: 'PUT', path, body: body(state) })
  const { saving, send, resolvingFor, managed } = useEditing(props.editing)
  const close = () => dialog.current?.close()
  const done = (settle: () => void, answer?: Answer) => {
    settle()
    // The focus is back where it was before anything else happens.
    close()
    props.done?.(answer)
  }
  const submit = (settle: () => void) => {
    if (path !== null) return send(() => done(settle))
    const onSuccess = (answer: Answer) => done(settle, answer)
    making.mutate(call, { onSuccess })
  }
  return (
    <Dialog ref={dialog} title={props.title} className={props.className} closed={props.closed}>
      <Form
        outcome={path === null ? making : saving}
        submit={submit}
        resolving={resolvingFor(done)}
        managed={managed}
        call={{ ...call, ...(props.secrets === undefined ? {} : { secrets: props.secrets }) }}
        action={props.action}
        look="primary"
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
