import { useState } from 'react'
import { useWords } from '../../words/words.ts'
import { Field } from './field.tsx'
import { heartbeatWords } from './heartbeat-words.ts'

const units = [86_400, 3600, 60, 1] as const
type Unit = (typeof units)[number]

/** The largest unit in which the seconds are a whole number. */
function unitOf(seconds: number): Unit {
  return units.find((unit) => seconds >= unit && seconds % unit === 0) ?? 1
}

interface DurationProps {
  readonly name: string
  readonly label: string
  readonly hint?: string
  /** Seconds as the form holds them; undefined: the default. */
  readonly value: string | undefined
  /** Seconds; null: none. */
  readonly standard: number | null
  readonly change: (seconds: string | undefined) => void
}

/** A length of time as a number with its unit. */
export function DurationField({ name, label, hint, value, standard, change }: DurationProps) {
  const words = useWords(heartbeatWords)
  const seconds = value === undefined ? standard : Number(value)
  const [unit, setUnit] = useState<Unit>(seconds === null || Number.isNaN(seconds) ? 60 : unitOf(seconds))
  const [typed, setTyped] = useState(seconds === null ? '' : String(seconds / unit))
  const set = (text: string, by: Unit) => {
    setTyped(text)
    setUnit(by)
    const number = Number(text.replace(',', '.'))
    if (text.trim() === '') change(undefined)
    // A text that is no number is sent as it is, and the API says what is wrong.
    else if (Number.isNaN(number)) change(text)
    else change(number * by === standard ? undefined : String(number * by))
  }
  return (
    <Field name={name} label={label} hint={hint}>
      {(control) => (
        <div className="row how-often">
          <input
            type="text"
            inputMode="decimal"
            autoComplete="off"
            {...control}
            value={typed}
            onChange={({ target }) => set(target.value, unit)}
          />
          <select
            aria-label={words.unit(label)}
            value={unit}
            onChange={({ target }) => set(typed, units.find((one) => one === Number(target.value)) ?? 1)}
          >
            {units.toReversed().map((one) => (
              <option key={one} value={one}>
                {words.units[one]}
              </option>
            ))}
          </select>
        </div>
      )}
    </Field>
  )
}
