import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import { Icon } from '../../parts/icon.tsx'
import { useProblemsAt } from '../../parts/problems.tsx'
import { useWords } from '../../words/words.ts'
import {
  type AssertionDraft,
  changed,
  comparisonsFor,
  hasPath,
  hasValue,
  mostAssertions,
  newAssertion,
  readAssertions,
  writtenAssertions,
} from './assertion-draft.ts'
import { assertionWords, type Property, type Severity, type Source } from './assertion-words.ts'
import { type ControlProps, Field } from './field.tsx'

interface Props {
  /** The setting's path in the request. */
  readonly name: string
  readonly label: string
  readonly description: string
  readonly value: string | boolean | undefined
  readonly set: (value: string | undefined) => void
}

let keys = 0
function nextKey(): number {
  keys += 1
  return keys
}

/** Keys that tell the rows apart while they are moved and removed. */
function useKeys(count: number) {
  const [kept, setKept] = useState<readonly number[]>([])
  const rows = kept.length === count ? kept : Array.from({ length: count }, nextKey)
  if (rows !== kept) setKept(rows)
  return [rows, setKept] as const
}

interface Wanted {
  readonly at: number
  readonly control: 'first' | 'up' | 'down'
}

/** The list of assertions, each a row of its own. */
export function AssertionFields({ name, label, description, value, set }: Props) {
  const words = useWords(assertionWords)
  const id = useId()
  const assertions = readAssertions(value)
  // A problem of a row stands beside its own field.
  const problems = useProblemsAt(name).filter(({ field }) => field === `data.${name}`)
  const [rowKeys, setKeys] = useKeys(assertions.length)
  const list = useRef<HTMLOListElement>(null)
  const add = useRef<HTMLButtonElement>(null)
  const wanted = useRef<Wanted | 'add' | null>(null)
  // A row that moves or goes takes the focus with it.
  useLayoutEffect(() => {
    if (wanted.current === null) return
    if (wanted.current === 'add') add.current?.focus()
    else focusIn(list.current?.children[wanted.current.at], wanted.current.control)
    wanted.current = null
  })
  const write = (next: readonly AssertionDraft[], nextKeys: readonly number[]) => {
    setKeys(nextKeys)
    set(writtenAssertions(next))
  }
  /** The rows have other numbers now, so what was said of their numbers is over. */
  const renumber: typeof write = (next, nextKeys) => {
    list.current?.dispatchEvent(new Event('input', { bubbles: true }))
    write(next, nextKeys)
  }
  const move = (from: number, to: number) => {
    wanted.current = { at: to, control: to < from ? 'up' : 'down' }
    renumber(swapped(assertions, from, to), swapped(rowKeys, from, to))
  }
  const remove = (at: number) => {
    const left = assertions.length - 1
    wanted.current = left === 0 ? 'add' : { at: Math.min(at, left - 1), control: 'first' }
    const without = <T,>(all: readonly T[]) => all.filter((_, index) => index !== at)
    renumber(without(assertions), without(rowKeys))
  }
  const append = () => {
    wanted.current = { at: assertions.length, control: 'first' }
    write([...assertions, newAssertion], [...rowKeys, nextKey()])
  }
  const change = (at: number, part: Partial<AssertionDraft>) =>
    write(
      assertions.map((one, index) => (index === at ? changed(one, part) : one)),
      rowKeys,
    )
  return (
    <fieldset className="field assertions" data-field={name} aria-describedby={`${id}-hint`}>
      <legend className="label">{label}</legend>
      <p id={`${id}-hint`} className="hint">
        {description} {words.hint} {assertions.length === 0 ? words.none : ''}
      </p>
      {problems.map(({ message }) => (
        <p key={message} className="problem">
          {message}
        </p>
      ))}
      <ol ref={list}>
        {assertions.map((assertion, index) => (
          <Row
            key={rowKeys[index]}
            name={`${name}[${index}]`}
            assertion={assertion}
            index={index}
            count={assertions.length}
            change={(part) => change(index, part)}
            move={(by) => move(index, index + by)}
            remove={() => remove(index)}
          />
        ))}
      </ol>
      {assertions.length >= mostAssertions ? (
        <p className="hint">{words.full}</p>
      ) : (
        <button ref={add} type="button" className="button small" onClick={append}>
          <Icon name="add" />
          {words.add}
        </button>
      )}
    </fieldset>
  )
}

function swapped<T>(all: readonly T[], from: number, to: number): readonly T[] {
  const after = [...all]
  const [one] = after.splice(from, 1)
  if (one !== undefined) after.splice(to, 0, one)
  return after
}

/** A button that became disabled gives the focus to the other one. */
function focusIn(row: Element | undefined, control: Wanted['control']): void {
  const first = row?.querySelector<HTMLElement>('select')
  const same = row?.querySelector<HTMLButtonElement>(`button[data-move="${control}"]`)
  const other = row?.querySelector<HTMLButtonElement>('button[data-move]:not(:disabled)')
  const target = control === 'first' ? first : same?.disabled === true ? other : same
  target?.focus()
}

interface RowProps {
  readonly name: string
  readonly assertion: AssertionDraft
  readonly index: number
  readonly count: number
  readonly change: (part: Partial<AssertionDraft>) => void
  readonly move: (by: -1 | 1) => void
  readonly remove: () => void
}

function Row({ name, assertion, index, count, change, move, remove }: RowProps) {
  const words = useWords(assertionWords)
  const { source, path, comparison, value, severity } = assertion
  const number = index + 1
  return (
    <li>
      <fieldset className="assertion" data-field={name}>
        <legend>{words.one(number)}</legend>
        <Choice
          {...{ name: `${name}.source`, label: words.source, value: source, named: words.sources }}
          options={Object.keys(words.sources) as readonly Source[]}
          choose={(next) => change({ source: next })}
        />
        {hasPath(source) ? <PathField {...{ name: `${name}.path`, source, path, change }} /> : null}
        <Choice
          {...{ name: `${name}.comparison`, label: words.comparison, value: comparison, named: words.comparisons }}
          options={comparisonsFor(source, path)}
          choose={(next) => change({ comparison: next })}
        />
        {hasValue(comparison) ? (
          <Field name={`${name}.value`} label={words.value}>
            {(control) => (
              <input
                {...control}
                type="text"
                spellCheck={false}
                autoComplete="off"
                value={value === null ? '' : String(value)}
                onChange={({ target }) => change({ value: target.value })}
              />
            )}
          </Field>
        ) : null}
        <Choice
          {...{ name: `${name}.severity`, label: words.severity, value: severity, named: words.severities }}
          options={Object.keys(words.severities) as readonly Severity[]}
          choose={(next) => change({ severity: next })}
        />
        <div className="row order">
          <button
            type="button"
            className="button small"
            data-move="up"
            aria-label={words.up(number)}
            disabled={index === 0}
            onClick={() => move(-1)}
          >
            <Icon name="up" />
          </button>
          <button
            type="button"
            className="button small"
            data-move="down"
            aria-label={words.down(number)}
            disabled={index === count - 1}
            onClick={() => move(1)}
          >
            <Icon name="down" />
          </button>
          <button type="button" className="button small" aria-label={words.remove(number)} onClick={remove}>
            <Icon name="close" />
          </button>
        </div>
      </fieldset>
    </li>
  )
}

interface PathProps {
  readonly name: string
  readonly source: 'header' | 'json' | 'xml' | 'certificate'
  readonly path: string | null
  readonly change: (part: Partial<AssertionDraft>) => void
}

function PathField({ name, source, path, change }: PathProps) {
  const words = useWords(assertionWords)
  const label = words.paths[source]
  if (source === 'certificate') {
    return (
      <Choice
        {...{ name, label, value: (path ?? 'days_left') as Property, named: words.properties }}
        options={Object.keys(words.properties) as readonly Property[]}
        choose={(next) => change({ path: next })}
      />
    )
  }
  return (
    <Field name={name} label={label}>
      {(control) => (
        <input
          {...control}
          type="text"
          className="mono"
          spellCheck={false}
          autoComplete="off"
          placeholder={words.pathExamples[source]}
          value={path ?? ''}
          onChange={({ target }) => change({ path: target.value })}
        />
      )}
    </Field>
  )
}

interface ChoiceProps<T extends string> {
  readonly name: string
  readonly label: ReactNode
  readonly value: T
  readonly options: readonly T[]
  readonly named: Readonly<Record<T, string>>
  readonly choose: (value: T) => void
}

function Choice<T extends string>({ name, label, value, options, named, choose }: ChoiceProps<T>) {
  const found = (text: string) => options.find((one) => one === text)
  return (
    <Field name={name} label={label}>
      {(control: ControlProps) => (
        <select
          {...control}
          value={value}
          onChange={({ target }) => {
            const next = found(target.value)
            if (next !== undefined) choose(next)
          }}
        >
          {options.map((one) => (
            <option key={one} value={one}>
              {named[one]}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
