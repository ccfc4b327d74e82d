import { lazy, type RefObject, Suspense, useEffect, useState } from 'react'
import { isLoggedOut, type Problem, Refused, Unreachable } from '../api/client.ts'
import { useWords } from '../words/words.ts'
import { Icon } from './icon.tsx'
import { isAt } from './problems.tsx'
import { partWords } from './words.ts'
import './refusal.css'

const LoggedOut = lazy(() => import('./logged-out.tsx').then((file) => ({ default: file.LoggedOut })))

type FormRef = RefObject<HTMLFormElement | null>

/** The remaining problems. */
export interface Refusal {
  /** Null: nothing. */
  readonly error: unknown
  /** The API's problems with fields that have not been edited since. */
  readonly problems: readonly Problem[]
}

/** Names, titles and addresses: an empty one is told as people would say it. */
const asked = { 'data.name': 'giveName', 'data.title': 'giveName', 'data.address': 'giveAddress' } as const
const empty = ['value_too_short', 'missing_value']

type Asked = Readonly<Record<'giveName' | 'giveAddress', string>>

function problemsOf(error: unknown, words: Asked): readonly Problem[] {
  const problems = error instanceof Refused ? error.problems : []
  return problems.map((problem) => {
    const text = asked[problem.field as keyof typeof asked]
    return text !== undefined && empty.includes(problem.error) ? { ...problem, message: words[text] } : problem
  })
}

/** The innermost field with the problem: rows of a list lie within the list's own field. */
function fieldOf(form: FormRef, problem: Problem): HTMLElement | undefined {
  const fields = [...(form.current?.querySelectorAll<HTMLElement>('[data-field]') ?? [])]
  const around = fields.filter(({ dataset }) => isAt(problem, dataset['field'] ?? ''))
  const longest = Math.max(...around.map(lengthOfName))
  return around.find((field) => lengthOfName(field) === longest)
}

function lengthOfName({ dataset }: HTMLElement): number {
  return dataset['field']?.length ?? 0
}

/** The control that a problem is about; what is folded around it is opened. */
function controlOf(form: FormRef, problem: Problem): HTMLElement | null {
  const field = fieldOf(form, problem)
  for (let around = field?.closest('details'); around; around = around.parentElement?.closest('details'))
    around.open = true
  return field?.querySelector<HTMLElement>('input, select, textarea') ?? null
}

/** The field's label on the page, in a list after its row's; empty for a member that the form does not show. */
function labelOf(form: FormRef, problem: Problem): string {
  const field = fieldOf(form, problem)
  const row = field?.parentElement?.closest('[data-field]')?.querySelector('legend')?.textContent
  const label = field?.querySelector('.label, label')?.textContent
  return label ? `${row ? `${row}, ` : ''}${label}: ` : ''
}

/** Opens every field with a problem; the first in the order of the page gets the focus, else the message. */
function focusFirst(form: FormRef, problems: readonly Problem[]): void {
  const controls = problems.flatMap((problem) => controlOf(form, problem) ?? [])
  const first = controls.toSorted((one, other) =>
    one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
  )[0]
  const target = first ?? form.current?.querySelector<HTMLElement>('.refusal')
  target?.focus({ preventScroll: true })
  // With its label.
  const whole = target?.closest('[data-field]') ?? target
  whole?.scrollIntoView({ block: 'nearest' })
}

/**
 * Shows why a form was refused until its fields are edited. The message of a field goes when that field is edited;
 * what belongs to no field goes with the first edit.
 */
export function useRefusal(form: FormRef, error: unknown) {
  const [kept, setKept] = useState<{ readonly since: unknown; readonly problems: readonly Problem[] } | null>(null)
  const isEdited = kept !== null && kept.since === error
  const words = useWords(partWords)
  const problems = isEdited ? kept.problems : problemsOf(error, words)
  const refusal: Refusal = { error: isEdited && problems.length === 0 ? null : error, problems }
  useEffect(() => {
    if (error !== null) focusFirst(form, error instanceof Refused ? error.problems : [])
  }, [form, error])
  const hear = (target: EventTarget) => {
    if (error === null) return
    const edited = target instanceof Element ? target.closest<HTMLElement>('[data-field]')?.dataset['field'] : undefined
    const left = problems.filter(
      (problem) => fieldOf(form, problem) !== undefined && !(edited !== undefined && isAt(problem, edited)),
    )
    setKept({ since: error, problems: left })
  }
  return { refusal, hear }
}

/** Elements of a list that are wrong in the same way are one line. */
function isSameLine(form: FormRef, one: Problem, other: Problem): boolean {
  return one.message === other.message && fieldOf(form, one) === fieldOf(form, other)
}

interface NoteProps {
  readonly refusal: Refusal
  readonly form: FormRef
}

/** Everything that is wrong, each a way to its field. It stands beside the button that was pressed. */
export function RefusalNote({ refusal: { error, problems }, form }: NoteProps) {
  const words = useWords(partWords)
  if (error === null) return null
  const lines = problems.filter(
    (problem, index) => problems.findIndex((one) => isSameLine(form, one, problem)) === index,
  )
  return (
    <div className="refusal" role="alert" tabIndex={-1}>
      <Icon name="warning" />
      {isLoggedOut(error) ? (
        <Suspense fallback={null}>
          <LoggedOut />
        </Suspense>
      ) : problems.length === 0 ? (
        <p>{textOf(error, words)}</p>
      ) : (
        <div>
          {lines.length === 1 ? null : <h3>{words.problems(lines.length)}</h3>}
          <ul>
            {lines.map((problem) => (
              <li key={`${problem.field} ${problem.message}`}>
                <Line problem={problem} form={form} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  )
}

function textOf(
  error: unknown,
  words: { readonly notSent: string; readonly notSaved: (why: string) => string },
): string {
  if (error instanceof Unreachable) return words.notSent
  const message = error instanceof Error ? error.message : ''
  // The form's own message is complete; the API's has only a status.
  return error instanceof Refused ? words.notSaved(message) : message
}

function Line({ problem, form }: { readonly problem: Problem; readonly form: FormRef }) {
  if (fieldOf(form, problem) === undefined) return problem.message
  return (
    <button type="button" className="to-field" onClick={() => controlOf(form, problem)?.focus()}>
      {labelOf(form, problem)}
      {problem.message}
    </button>
  )
}
