import { type ReactNode, useRef } from 'react'
import type { Address } from '../api/address.ts'
import { useWords } from '../words/words.ts'
import { Dialog } from './dialog.tsx'
import { Form } from './form.tsx'
import { type Change, useChange } from './use-change.ts'
import { type Editing, useEditing } from './use-editing.ts'
import { existing } from './use-versioned.ts'
import { partWords } from './words.ts'

interface DialogProps<State, A extends string> {
  readonly title: string
  readonly action: string
  readonly className?: string
  readonly editing: Editing<State, A>
  /** Where a new one is made; not for dialogs that only change. */
  readonly collection?: Address<'POST'>
  /** Members of the body that are secrets, beside those whose names say so. */
  readonly secrets?: readonly string[]
  readonly done?: (answer: unknown) => void
  readonly closed: () => void
  readonly children: ReactNode
}

/** A dialog that makes an object or changes one, in the version that the dialog was opened with. Rendered: open. */
export function EditDialog<State, const A extends string>(props: DialogProps<State, A>) {
  const parts = useWords(partWords)
  const dialog = useRef<HTMLDialogElement>(null)
  const { path, state, body } = props.editing
  const making = useChange()
  const call: Change =
    path === null
      ? { method: 'POST', path: existing(props.collection), body: body(state) }
      : { method: 'PUT', path: path as string as Address<'PUT'>, body: body(state) }
  const { saving, send, resolvingFor, managed } = useEditing(props.editing)
  const close = () => dialog.current?.close()
  const done = (settle: () => void, answer?: unknown) => {
    settle()
    // The focus is back where it was before anything else happens.
    close()
    props.done?.(answer)
  }
  const submit = (settle: () => void) => {
    if (path !== null) return send(() => done(settle))
    const onSuccess = (answer: unknown) => done(settle, answer)
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
