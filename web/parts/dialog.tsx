import { type ReactNode, type RefObject, type SyntheticEvent, useEffect, useId } from 'react'
import { DialogAround, whenClosed } from '../leaving/unsaved.ts'

interface DialogProps {
  /** Closes the dialog through `ref.current.close()`. */
  readonly ref: RefObject<HTMLDialogElement | null>
  readonly title: string
  readonly className?: string | undefined
  /** After it has closed and the focus is back where it came from. */
  readonly closed: () => void
  readonly children: ReactNode
}

/**
 * A modal dialog with its heading. Rendered: open; its first field has the focus. Escape asks before it closes a form
 * with something typed.
 */
export function Dialog({ ref, title, className, closed, children }: DialogProps) {
  const heading = useId()
  useEffect(() => {
    if (ref.current?.open === false) ref.current.showModal()
  }, [ref])
  const askFirst = (event: SyntheticEvent) => {
    // Another dialog may have been opened in this one.
    if (event.isDefaultPrevented() || (event.target as Element).closest('dialog') !== ref.current) return
    event.preventDefault()
    void whenClosed(heading, () => ref.current?.close())
  }
  return (
    <DialogAround value={heading}>
      <dialog
        ref={ref}
        className={className}
        aria-labelledby={heading}
        // A browser lets a page refuse `cancel` only once; the key comes before it. Back on a phone has no key.
        onKeyDown={(event) => (event.key === 'Escape' ? askFirst(event) : undefined)}
        // A field for a file has an event of the same name.
        onCancel={(event) => (event.target === ref.current ? askFirst(event) : undefined)}
        onClose={closed}
      >
        <h2 id={heading}>{title}</h2>
        {children}
      </dialog>
    </DialogAround>
  )
}
