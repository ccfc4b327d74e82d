import { type ReactNode, type RefObject, useEffect, useId } from 'react'

interface DialogProps {
  /** Closes the dialog through `ref.current.close()`. */
  readonly ref: RefObject<HTMLDialogElement | null>
  readonly title: string
  readonly className?: string | undefined
  /** After it has closed and the focus is back where it came from. */
  readonly closed: () => void
  readonly children: ReactNode
}

/** A modal dialog with its heading. Rendered: open; its first field has the focus. */
export function Dialog({ ref, title, className, closed, children }: DialogProps) {
  const heading = useId()
  useEffect(() => {
    if (ref.current?.open === false) ref.current.showModal()
  }, [ref])
  return (
    <dialog ref={ref} className={className} aria-labelledby={heading} onClose={closed}>
      <h2 id={heading}>{title}</h2>
      {children}
    </dialog>
  )
}
