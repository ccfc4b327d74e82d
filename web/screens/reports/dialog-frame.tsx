import { type ReactNode, useEffect, useRef } from 'react'

interface FrameProps {
  /** Gets what closes the dialog. */
  readonly children: (close: () => void) => ReactNode
  /** It was closed; the focus is back where it was. */
  readonly gone: () => void
}

/** A dialog that opens as it appears; the heading of its form names it. */
export function DialogFrame({ children, gone }: FrameProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} className="report-dialog" aria-labelledby="dialog-title" onClose={gone}>
      {children(() => dialog.current?.close())}
    </dialog>
  )
}
