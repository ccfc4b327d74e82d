import { type InputHTMLAttributes, type ReactNode, useId } from 'react'
import type { Problem } from '../api/client.ts'
import { WithLinks } from './document-links.tsx'
import { useProblemsAt } from './problems.tsx'

interface CommonProps {
  readonly label: string
  /** Its path in the body of the request. */
  readonly name: string
  readonly hint?: string | undefined
}

interface DescribedProps extends CommonProps {
  /** The part of the field at a place of the list that the field is in the body. */
  readonly itemAt?: (index: number) => string | undefined
  readonly children: (attributes: {
    readonly id: string
    readonly 'aria-invalid': boolean
    readonly 'aria-describedby': string | undefined
  }) => ReactNode
}

/** The message about a list names the part that is wrong. */
function messageOf({ field, message }: Problem, itemAt: DescribedProps['itemAt']): string {
  const [, index] = /\[(\d+)\]$/.exec(field ?? '') ?? []
  const item = index === undefined ? undefined : itemAt?.(Number(index))
  return item === undefined ? message : `${item}: ${message}`
}

function Described({ label, name, hint, itemAt, children }: DescribedProps) {
  const id = useId()
  const problems = useProblemsAt(name)
  const problem = problems.length === 0 ? null : problems.map((one) => messageOf(one, itemAt)).join(' ')
  const described = [hint === undefined ? '' : `${id}-hint`, problem === null ? '' : `${id}-problem`].filter(Boolean)
  return (
    <div className="field" data-field={name}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        'aria-invalid': problem !== null,
        'aria-describedby': described.length === 0 ? undefined : described.join(' '),
      })}
      {hint === undefined ? null : (
        <span id={`${id}-hint`} className="hint">
          <WithLinks text={hint} />
        </span>
      )}
      {problem === null ? null : (
        <span id={`${id}-problem`} className="problem">
          {problem}
        </span>
      )}
    </div>
  )
}

interface TextProps extends CommonProps {
  readonly value: string
  readonly set: (value: string) => void
  readonly type?: 'text' | 'password' | 'email' | 'tel' | 'number' | 'date' | 'time'
  readonly autoComplete?: string
  readonly inputMode?: InputHTMLAttributes<HTMLInputElement>['inputMode']
  readonly maxLength?: number
  readonly placeholder?: string
  readonly max?: string
  /** Called when the field loses the focus. */
  readonly left?: (() => void) | undefined
}

export function TextField({
  value,
  set,
  type = 'text',
  autoComplete = 'off',
  inputMode,
  maxLength,
  placeholder,
  max,
  left,
  ...common
}: TextProps) {
  return (
    <Described {...common}>
      {(attributes) => (
        <input
          {...attributes}
          {...{ type, autoComplete, inputMode, maxLength, placeholder, max, value }}
          onChange={({ target }) => set(target.value)}
          onBlur={left}
        />
      )}
    </Described>
  )
}

interface LinesProps extends CommonProps {
  readonly rows?: number
  readonly maxLength?: number
  readonly value: string
  readonly set: (value: string) => void
}

export function LinesField({ value, set, rows = 4, maxLength, ...common }: LinesProps) {
  const itemAt = (index: number) => value.split(/[\s,;]+/).filter((item) => item !== '')[index]
  return (
    <Described {...common} itemAt={itemAt}>
      {(attributes) => (
        <textarea
          {...attributes}
          rows={rows}
          maxLength={maxLength}
          value={value}
          onChange={({ target }) => set(target.value)}
        />
      )}
    </Described>
  )
}

interface ChoiceProps extends CommonProps {
  readonly value: string
  readonly set: (value: string) => void
  readonly options: readonly { readonly id: string | number; readonly name: string }[]
}

export function ChoiceField({ value, set, options, ...common }: ChoiceProps) {
  return (
    <Described {...common}>
      {(attributes) => (
        <select {...attributes} value={value} onChange={({ target }) => set(target.value)}>
          {options.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Described>
  )
}

interface CheckProps {
  readonly label: string
  readonly checked: boolean
  readonly set: (checked: boolean) => void
  readonly disabled?: boolean
}

export function CheckField({ label, checked, set, disabled = false }: CheckProps) {
  return (
    <label className="check">
      <input type="checkbox" checked={checked} disabled={disabled} onChange={({ target }) => set(target.checked)} />
      <span>{label}</span>
    </label>
  )
}
