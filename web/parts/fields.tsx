import { createContext, type InputHTMLAttributes, type ReactNode, useContext, useId } from 'react'
import { Refused } from '../api/client.ts'

const ProblemsContext = createContext<unknown>(null)

/** Tells the fields below what the API refused. */
export function Problems({ error, children }: { readonly error: unknown; readonly children: ReactNode }) {
  return <ProblemsContext value={error}>{children}</ProblemsContext>
}

/** What the API says against one field of the request's body. */
function useProblem(name: string): string | null {
  const error = useContext(ProblemsContext)
  if (!(error instanceof Refused)) return null
  const own = error.problems.filter(({ field }) => field === `data.${name}` || field?.startsWith(`data.${name}.`))
  return own.length === 0 ? null : own.map(({ message }) => message).join(' ')
}

interface CommonProps {
  readonly label: string
  /** Its path in the body of the request. */
  readonly name: string
  readonly hint?: string | undefined
}

interface DescribedProps extends CommonProps {
  readonly children: (attributes: {
    readonly id: string
    readonly 'aria-invalid': boolean
    readonly 'aria-describedby': string | undefined
  }) => ReactNode
}

function Described({ label, name, hint, children }: DescribedProps) {
  const id = useId()
  const problem = useProblem(name)
  const described = [hint === undefined ? '' : `${id}-hint`, problem === null ? '' : `${id}-problem`].filter(Boolean)
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        'aria-invalid': problem !== null,
        'aria-describedby': described.length === 0 ? undefined : described.join(' '),
      })}
      {hint === undefined ? null : (
        <span id={`${id}-hint`} className="hint">
          {hint}
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
  readonly type?: 'text' | 'password' | 'email' | 'tel' | 'number'
  readonly autoComplete?: string
  readonly inputMode?: InputHTMLAttributes<HTMLInputElement>['inputMode']
}

export function TextField({ value, set, type = 'text', autoComplete = 'off', inputMode, ...common }: TextProps) {
  return (
    <Described {...common}>
      {(attributes) => (
        <input
          {...attributes}
          {...{ type, autoComplete, inputMode, value }}
          onChange={({ target }) => set(target.value)}
        />
      )}
    </Described>
  )
}

interface LinesProps extends CommonProps {
  readonly value: string
  readonly set: (value: string) => void
}

export function LinesField({ value, set, ...common }: LinesProps) {
  return (
    <Described {...common}>
      {(attributes) => <textarea {...attributes} rows={4} value={value} onChange={({ target }) => set(target.value)} />}
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
