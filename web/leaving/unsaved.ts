import { useCallback, useEffect, useId } from 'react'

/** The forms with something that is not saved. */
const unsaved = new Set<string>()

interface Question {
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

function mark(form: string, isUnsaved: boolean): void {
  if (isUnsaved) unsaved.add(form)
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
  useEffect(() => {
    mark(form, isUnsaved)
    return () => mark(form, false)
  }, [form, isUnsaved])
  return useCallback(() => mark(form, false), [form])
}

export function hasUnsaved(): boolean {
  return unsaved.size > 0
}

/** Whether the reader gives up what is not saved; true without a question when everything is saved. */
function mayLeave(): Promise<boolean> {
  if (!hasUnsaved()) return Promise.resolve(true)
  if (question !== null) return Promise.resolve(false)
  return new Promise((resolve) => {
    const answer = (leaves: boolean) => {
      if (question?.answer === answer) ask(null)
      resolve(leaves)
    }
    ask({ answer })
  })
}

/** Nothing that is not saved asks any more. */
export function giveUp(): void {
  for (const form of [...unsaved]) mark(form, false)
}

/** Leaves only after the reader agreed; what was typed is given up then. */
export async function whenLeft(leave: () => unknown): Promise<void> {
  if (!(await mayLeave())) return
  giveUp()
  leave()
}
