import { useEffect, useRef, useSyncExternalStore } from 'react'
import { useWords } from '../words/words.ts'
import { openQuestion, type Question, subscribeToQuestion } from './unsaved.ts'
import { leavingWords } from './words.ts'

/** Asks before what is not saved is left. */
export function LeaveDialog() {
  const question = useSyncExternalStore(subscribeToQuestion, openQuestion)
  return question === null ? null : <Open {...question} />
}

function Open({ isOfDialog, answer }: Question) {
  const words = useWords(leavingWords)
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const close = (leaves: boolean) => {
    // The focus returns to where it was before anything else happens.
    dialog.current?.close()
    answer(leaves)
  }
  return (
    <dialog
      ref={dialog}
      role="alertdialog"
      aria-labelledby="leave-title"
      aria-describedby="leave-text"
      onClose={() => answer(false)}
    >
      <div className="inside">
        <h2 id="leave-title">{isOfDialog ? words.titleOfDialog : words.title}</h2>
        <p id="leave-text">{words.text}</p>
        <div className="row">
          <button type="button" className="button primary" onClick={() => close(false)}>
            {words.stay}
          </button>
          <button type="button" className="button danger" onClick={() => close(true)}>
            {isOfDialog ? words.close : words.leave}
          </button>
        </div>
      </div>
    </dialog>
  )
}
