import { createContext, type ReactNode, useContext, useId } from 'react'
import type { Problem } from '../../api/client.ts'

const ProblemsContext = createContext<readonly Problem[]>([])
export const ProblemsProvider = ProblemsContext.Provider

/** Whether a problem lies in a member of the request, or in a part of it. */
export function isAt(problem: Problem, name: string): boolean {
  const at = problem.field?.replace(/^data\./, '') ?? ''
  return at === name || at.startsWith(`${name}.`) || at.startsWith(`${name}[`)
}

export interface ControlProps {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
}

interface FieldProps {
  /** Its path in the request: `extended_settings.timeout`. */
  readonly name: string
  readonly label: ReactNode
  readonly hint?: ReactNode
  /** Several controls with one label between them. */
  readonly isSet?: boolean
  readonly aside?: ReactNode
  readonly children: (props: ControlProps) => ReactNode
}

/** A control with its label, what the API says against it, and a hint. */
export function Field({ name, label, hint, isSet = false, aside, children }: FieldProps) {
  const id = useId()
  const problems = useContext(ProblemsContext).filter((problem) => isAt(problem, name))
  const told = [hint === undefined ? [] : [`${id}-hint`], problems.length === 0 ? [] : [`${id}-problem`]]
    .flat()
    .join(' ')
  const control: ControlProps = {
    id,
    'aria-describedby': told === '' ? undefined : told,
    'aria-invalid': problems.length === 0 ? undefined : true,
  }
  const rest = (
    <>
      {children(control)}
      {hint === undefined ? null : (
        <p id={`${id}-hint`} className="hint">
          {hint}
        </p>
      )}
      {problems.length === 0 ? null : (
        <div id={`${id}-problem`} className="problem">
          {problems.map(({ message }) => (
            <p key={message}>{message}</p>
          ))}
        </div>
      )}
    </>
  )
  if (isSet) {
    return (
      <fieldset className="field" data-field={name} aria-describedby={control['aria-describedby']}>
        <legend className="label">{label}</legend>
        {rest}
      </fieldset>
    )
  }
  return (
    <div className="field" data-field={name}>
      <div className="spread">
        <label className="label" htmlFor={id}>
          {label}
        </label>
        {aside}
      </div>
      {rest}
    </div>
  )
}
