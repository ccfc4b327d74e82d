import { type RefObject, useEffect, useRef } from 'react'
import { useWords } from '../words/words.ts'
import { Icon } from './icon.tsx'
import { isAt } from './problems.tsx'
import type { Conflict } from './use-versioned.ts'
import { partWords } from './words.ts'

/** A conflict, and what the form does about it. */
export interface Resolving {
  readonly conflict: Pick<Conflict<unknown, unknown>, 'names' | 'mine' | 'theirs' | 'isShown'>
  /** Fills the form with the newer version, or again with what was typed. */
  readonly show: (isNewer: boolean) => void
  readonly saveMine: (settle: () => void) => void
}

interface NoteProps {
  readonly resolving: Resolving
  readonly settle: () => void
  readonly form: RefObject<HTMLFormElement | null>
}

/** Somebody else saved another version: what is different, and the two ways on. */
export function ConflictNote({ resolving: { conflict, show, saveMine }, settle, form }: NoteProps) {
  const words = useWords(partWords).conflict
  const note = useRef<HTMLDivElement>(null)
  const { names, mine, theirs, isShown } = conflict
  // Each time that it comes up, so that it is seen and heard.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new conflict is another list of names
  useEffect(() => {
    note.current?.focus({ preventScroll: true })
    note.current?.scrollIntoView({ block: 'nearest' })
  }, [names])
  return (
    <div ref={note} className="refusal conflict" role="alert" tabIndex={-1}>
      <Icon name="warning" />
      <div className="stack">
        <p>
          <b>{words.title}</b> {isShown ? words.shown : words.text}
        </p>
        <dl>
          {names.map((name) => (
            <Difference key={name} name={labelOf(form, name)}>
              {[words.mine(textOf(form, name, mine[name])), words.theirs(textOf(form, name, theirs[name]))]}
            </Difference>
          ))}
        </dl>
        <div className="row">
          <button type="button" className="button" onClick={() => show(!isShown)}>
            {isShown ? words.showMine : words.showNewer}
          </button>
          {isShown ? null : (
            <button type="button" className="button" onClick={() => saveMine(settle)}>
              {words.saveMine}
            </button>
          )}
        </div>
      </div>
    </div>
  )
}

function Difference({ name, children }: { readonly name: string; readonly children: readonly string[] }) {
  return (
    <>
      <dt>{name}</dt>
      {children.map((text) => (
        <dd key={text}>{text}</dd>
      ))}
    </>
  )
}

function fieldOf(form: RefObject<HTMLFormElement | null>, name: string): HTMLElement | undefined {
  const fields = [...(form.current?.querySelectorAll<HTMLElement>('[data-field]') ?? [])]
  return fields.find(({ dataset }) => isAt({ code: 0, error: '', message: '', field: name }, dataset['field'] ?? ''))
}

function labelOf(form: RefObject<HTMLFormElement | null>, name: string): string {
  return fieldOf(form, name)?.querySelector(':scope > legend, .label, label')?.textContent || name
}

const longest = 200

/** As the page words it: a number that a list of choices has a name for is told by that name. */
function textOf(form: RefObject<HTMLFormElement | null>, name: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  const options = [...(fieldOf(form, name)?.querySelectorAll('option') ?? [])]
  const option = options.find((one) => one.value === String(value))
  const text = option?.textContent ?? (typeof value === 'object' ? JSON.stringify(value) : String(value))
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
