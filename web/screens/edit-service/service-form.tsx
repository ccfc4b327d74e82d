import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { ServiceType } from '../../api/answers.ts'
import { change, type Problem, Refused } from '../../api/client.ts'
import { Icon } from '../../parts/icon.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { useWords } from '../../words/words.ts'
import { DefinitionFields } from './definition-fields.tsx'
import { bodyOf, type Draft, isSecret } from './draft.ts'
import { formatsOf, type OfferedGroup } from './edit-queries.ts'
import { isAt, ProblemsProvider } from './field.tsx'
import { useLeaveGuard } from './leave-guard.ts'
import { NotificationFields } from './notification-fields.tsx'
import { SettingFields } from './setting-fields.tsx'
import { StationFields } from './station-fields.tsx'
import { TrialAnswers } from './trial-answers.tsx'
import { useTrial } from './use-trial.ts'
import { editWords } from './words.ts'

interface Saved {
  readonly id: number
  readonly warnings?: readonly { readonly message: string }[]
}

interface FormProps {
  /** Null: a new one. */
  readonly id: number | null
  readonly initial: Draft
  readonly types: readonly ServiceType[]
  readonly groups: readonly OfferedGroup[]
  /** A clone: what nobody reads is not copied. */
  readonly isClone?: boolean
  /** Told whether there is something that is not saved. */
  readonly onDirty?: (isDirty: boolean) => void
}

export function ServiceForm({ id, initial, types, groups, isClone = false, onDirty }: FormProps) {
  const words = useWords(editWords)
  // What the form began with: what is read again meanwhile does not count as a change.
  const [first] = useState(initial)
  const [draft, setDraft] = useState(initial)
  const { save, isSaving, saved, error: saveError, forget } = useSaving(id)
  const { trial, ...testing } = useTrial()
  const error = saveError ?? trial.error
  const problems = error instanceof Refused ? error.problems : []
  const form = useRef<HTMLFormElement>(null)
  const formats = formatsOf(types, draft.type_id)
  const isDirty = saved === null && JSON.stringify(draft) !== JSON.stringify(first)
  useLeaveGuard(isDirty, words.leave)
  useEffect(() => onDirty?.(isDirty), [isDirty, onDirty])
  useEffect(() => {
    if (error !== null) focusFirst(form.current, error instanceof Refused ? error.problems : [])
  }, [error])
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isSaving) return
    testing.forget()
    save(bodyOf(draft, formats, id === null))
  }
  const test = () => {
    forget()
    const { name: _unnamed, ...body } = bodyOf(draft, formats, id === null)
    testing.start(id === null ? body : { ...body, service_id: id })
  }
  if (saved !== null) return <SavedWithWarnings saved={saved} />
  const type = types.find((one) => one.id === draft.type_id)
  return (
    <ProblemsProvider value={problems}>
      <form ref={form} className="stack" noValidate onSubmit={submit}>
        {error !== null ? <Refusal error={error} problems={problems} form={form.current} /> : null}
        {isClone && formats.some(isSecret) ? <p className="notice">{words.cloneSecrets}</p> : null}
        <DefinitionFields {...{ draft, change, types, groups, isNew: id === null }} />
        <section className="card">
          <header>
            <h2>{words.settings}</h2>
          </header>
          <div className="inside stack">
            <SettingFields
              formats={formats}
              settings={draft.settings}
              isNew={id === null}
              change={(settings) => change({ settings })}
            />
          </div>
        </section>
        <StationFields draft={draft} change={change} category={type?.category_id ?? 'default'} />
        <NotificationFields draft={draft} change={change} />
        <TrialAnswers trial={trial} cancel={testing.cancel} />
        <div className="row save">
          <button type="submit" className="button primary" aria-disabled={isSaving}>
            {isSaving ? words.saving : words.save}
          </button>
          <button type="button" className="button" aria-disabled={trial.state === 'running'} onClick={test}>
            {words.test}
          </button>
          <Link href={id === null ? '/services' : `/services/${id}`} className="button">
            {words.cancel}
          </Link>
        </div>
      </form>
    </ProblemsProvider>
  )
}

function useSaving(id: number | null) {
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const [isSaving, setSaving] = useState(false)
  const [saved, setSaved] = useState<Saved | null>(null)
  const [error, setError] = useState<unknown>(null)
  const save = async (body: unknown) => {
    setSaving(true)
    setError(null)
    try {
      const answer = await (id === null
        ? change<Saved>('POST', '/services', body)
        : change<Saved>('PUT', `/services/${id}`, body))
      const known = { ...answer, id: id ?? answer.id }
      await client.invalidateQueries({ queryKey: ['services'], refetchType: 'none' })
      client.removeQueries({ queryKey: ['services', 'page'] })
      client.removeQueries({ queryKey: ['edit'], type: 'inactive' })
      if ((known.warnings ?? []).length === 0) navigate(`/services/${known.id}`)
      else setSaved(known)
    } catch (thrown) {
      setError(thrown)
    } finally {
      setSaving(false)
    }
  }
  return { save: (body: unknown) => void save(body), isSaving, saved, error, forget: () => setError(null) }
}

function fieldOf(form: HTMLElement | null, problem: Problem): HTMLElement | undefined {
  const fields = [...(form?.querySelectorAll<HTMLElement>('[data-field]') ?? [])]
  return fields.find(({ dataset }) => isAt(problem, dataset['field'] ?? ''))
}

/** The control that a problem is about; what is folded around it is opened. */
function controlOf(form: HTMLElement | null, problem: Problem): HTMLElement | null {
  const field = fieldOf(form, problem)
  for (let around = field?.closest('details'); around; around = around.parentElement?.closest('details'))
    around.open = true
  return field?.querySelector<HTMLElement>('input, select, textarea') ?? null
}

/** What the field is called on the page; empty for a member that the form does not show. */
function labelOf(form: HTMLElement | null, problem: Problem): string {
  const label = fieldOf(form, problem)?.querySelector('.label')?.textContent
  return label ? `${label}: ` : ''
}

function focusFirst(form: HTMLElement | null, problems: readonly Problem[]): void {
  // Every field with a problem is opened, the first in the order of the page gets the focus.
  const controls = problems.flatMap((problem) => controlOf(form, problem) ?? [])
  const first = controls.toSorted((one, other) =>
    one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
  )[0]
  if (first === undefined) form?.querySelector<HTMLElement>('.refusal')?.focus()
  else first.focus()
}

interface RefusalProps {
  readonly error: unknown
  readonly problems: readonly Problem[]
  readonly form: HTMLElement | null
}

/** Everything that is wrong, each a way to its field. */
function Refusal({ error, problems, form }: RefusalProps) {
  const words = useWords(editWords)
  if (problems.length === 0) return <Trouble error={error} />
  return (
    <div className="refusal" role="alert" tabIndex={-1}>
      <h2>
        <Icon name="warning" /> {words.problems(problems.length)}
      </h2>
      <ul>
        {problems.map((problem) => (
          <li key={`${problem.field} ${problem.message}`}>
            {problem.field === undefined ? (
              problem.message
            ) : (
              <button type="button" className="to-field" onClick={() => controlOf(form, problem)?.focus()}>
                {labelOf(form, problem)}
                {problem.message}
              </button>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

function SavedWithWarnings({ saved }: { readonly saved: Saved }) {
  const words = useWords(editWords)
  return (
    <div className="warnings stack" role="alert">
      <p>
        <Icon name="warning" /> {words.saved}
      </p>
      <ul>
        {saved.warnings?.map(({ message }) => (
          <li key={message}>{message}</li>
        ))}
      </ul>
      <p>
        <Link href={`/services/${saved.id}`} className="button primary">
          {words.toService}
        </Link>
      </p>
    </div>
  )
}
