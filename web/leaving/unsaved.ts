import { createContext, useCallback, useContext, useEffect, useId } from 'react'

/** The forms with something that is not saved, each with its dialog. */
const unsaved = new Map<string, string | null>()

/** The dialog around a form. */
export const DialogAround = createContext<string | null>(null)

export interface Question {
  /** A dialog is closed; otherwise the screen is left. */
  readonly isOfDialog: boolean
  readonly answer: (leaves: boolean) => void
}

let question: Question | null = null
const listeners = new Set<() => void>()

function ask(next: Question | null): void {
  question = next
  for (const listener of listeners) listener()
}

export function subscribeToQuestion(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The question that the reader has to answer; null for none. */
export function openQuestion(): Question | null {
  return question
}

// Browsers ask in their own words, and only while a listener is there.
const keepPage = (event: BeforeUnloadEvent) => event.preventDefault()

function mark(form: string, isUnsaved: boolean, dialog: string | null = null): void {
  if (isUnsaved) unsaved.set(form, dialog)
  else unsaved.delete(form)
  if (unsaved.size > 0) addEventListener('beforeunload', keepPage)
  else removeEventListener('beforeunload', keepPage)
}

/**
 * Leaving the screen asks first while `isUnsaved`: by Back, a link, the palette, or the end of the page.
 * Returns what lets it go at once, for a form that leaves because it is saved.
 */
export function useUnsaved(isUnsaved: boolean): () => void {
  const form = useId()
  const dialog = useContext(DialogAround)
  useEffect(() => {
    mark(form, isUnsaved, dialog)
    return () => mark(form, false)
  }, [form, isUnsaved, dialog])
  return useCallback(() => mark(form, false), [form])
}

export function hasUnsaved(): boolean {
  return unsaved.size > 0
}

/** Whether the reader gives up what is not saved. */
function agreed(isOfDialog: boolean): Promise<boolean> {
  if (question !== null) return Promise.resolve(false)
  return new Promise((resolve) => {
    const answer = (leaves: boolean) => {
      if (question?.answer === answer) ask(null)
      resolve(leaves)
    }
    ask({ isOfDialog, answer })
  })
}

/** Nothing that is not saved asks any more. */
export function giveUp(): void {
  for (const form of [...unsaved.keys()]) mark(form, false)
}

/** Leaves only after the reader agreed; what was typed is given up then. */
export async function whenLeft(leave: () => unknown): Promise<void> {
  if (hasUnsaved() && !(await agreed(false))) return
  giveUp()
  leave()
}

/** Closes a dialog, after the reader agreed to lose what was typed in it. */
export async function whenClosed(dialog: string, close: () => unknown): Promise<void> {
  const forms = [...unsaved].flatMap(([form, around]) => (around === dialog ? [form] : []))
  if (forms.length > 0 && !(await agreed(true))) return
  for (const form of forms) mark(form, false)
  close()
}
