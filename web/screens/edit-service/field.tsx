import { type ReactNode, useId } from 'react'
import { useProblemsAt } from '../../parts/problems.tsx'
import { useWords } from '../../words/words.ts'
import { editWords } from './words.ts'

export interface ControlProps {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
  readonly 'aria-required': true | undefined
}

interface FieldProps {
  /** Its path in the request: `extended_settings.timeout`. */
  readonly name: string
  readonly label: ReactNode
  readonly hint?: ReactNode
  /** The API refuses a service without it. */
  readonly isRequired?: boolean
  /** Several controls with one label between them. */
  readonly isSet?: boolean
  readonly aside?: ReactNode
  readonly children: (props: ControlProps) => ReactNode
}

/** A control with its label, what the API says against it, and a hint. */
export function Field({ name, label, hint, isRequired = false, isSet = false, aside, children }: FieldProps) {
  const words = useWords(editWords)
  const id = useId()
  const problems = new Set(useProblemsAt(name).map(({ message }) => message))
  const told = [hint === undefined ? [] : [`${id}-hint`], problems.size === 0 ? [] : [`${id}-problem`]].flat().join(' ')
  const control: ControlProps = {
    id,
    'aria-describedby': told === '' ? undefined : told,
    'aria-invalid': problems.size === 0 ? undefined : true,
    'aria-required': isRequired ? true : undefined,
  }
  const rest = (
    <>
      {children(control)}
      {hint === undefined ? null : (
        <p id={`${id}-hint`} className="hint">
          {hint}
        </p>
      )}
      {problems.size === 0 ? null : (
        <div id={`${id}-problem`} className="problem">
          {[...problems].map((message) => (
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
        {isRequired ? (
          <span className="hint required" aria-hidden="true">
            {words.required}
          </span>
        ) : null}
        {aside}
      </div>
      {rest}
    </div>
  )
}
