import { useId, useMemo, useState } from 'react'
import { createFormat } from '../format/format.ts'
import { iso, localText, momentOf, momentsOf, offsetText } from '../format/zone.ts'
import { useReader } from '../reader.tsx'
import { useWords } from '../words/words.ts'
import { useProblemsAt } from './problems.tsx'
import { partWords } from './words.ts'

interface MomentProps {
  readonly label: string
  /** Its path in the body of the request, if the API's problems with it belong here. */
  readonly name?: string
  /** Unix milliseconds; null: what was typed is no moment. */
  readonly value: number | null
  readonly change: (at: number | null) => void
  /** IANA name. */
  readonly zone: string
  readonly isWrong?: boolean
}

/**
 * A moment of a zone to the second. Where clocks show it twice, it asks which of the two. Browsers write the field in
 * their own language, so the moment stands below it in that of the console.
 */
export function MomentField({ label, name, value, change, zone, isWrong = false }: MomentProps) {
  const words = useWords(partWords)
  const { language } = useReader()
  const format = useMemo(() => createFormat(language, zone), [language, zone])
  const id = useId()
  // The typed text, so that half a date is not lost.
  const [typed, setTyped] = useState<string | null>(null)
  const text = typed ?? (value === null ? '' : localText(value, zone))
  const [isLeft, setLeft] = useState(false)
  const refused = useProblemsAt(name)
  const problem = isLeft && value === null ? words.noMoment : refused.map(({ message }) => message).join(' ')
  const twice = value === null ? [] : momentsOf(localText(value, zone), zone)
  return (
    <div className="field moment" data-field={name}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="datetime-local"
        step={1}
        required
        min="1970-01-01T00:00:00"
        max="9999-12-31T23:59:59"
        aria-invalid={isWrong || problem !== '' || undefined}
        aria-describedby={problem !== '' ? `${id}-zone ${id}-problem` : `${id}-zone`}
        value={text}
        onChange={({ target }) => {
          setTyped(target.value)
          change(momentOf(target.value, zone))
        }}
        onBlur={() => {
          setLeft(true)
          if (value !== null) setTyped(null)
        }}
      />
      {twice.length < 2 ? null : (
        <select
          aria-label={words.whichOfTwo(label)}
          value={value ?? ''}
          onChange={({ target }) => change(Number(target.value))}
        >
          {twice.map((at, index) => (
            <option key={at} value={at}>
              {index === 0 ? words.beforeBack(offsetText(at, zone)) : words.afterBack(offsetText(at, zone))}
            </option>
          ))}
        </select>
      )}
      <span id={`${id}-zone`} className="hint">
        {value === null ? zone : `${format.dayMoment(iso(value))} · ${zone}`}
      </span>
      {problem === '' ? null : (
        <span id={`${id}-problem`} className="problem" role="alert">
          {problem}
        </span>
      )}
    </div>
  )
}
