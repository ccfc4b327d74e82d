import { useState } from 'react'
import { useFormat } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { Field } from './field.tsx'
import { editWords } from './words.ts'

const usual = [10, 30, 60, 120, 300, 600, 900, 1800, 3600, 21_600, 86_400, 604_800]

interface IntervalProps {
  /** Null: as the API chooses. */
  readonly interval: number | null
  readonly shortest: number
  /** The API's choice; null: not known yet. */
  readonly standard: number | null
  readonly change: (interval: number | null) => void
}

export function IntervalField({ interval, shortest, standard, change }: IntervalProps) {
  const words = useWords(editWords)
  const format = useFormat()
  const chosen = interval ?? standard ?? shortest
  const [isOther, setOther] = useState(false)
  const lengths = [...new Set([...usual.filter((length) => length >= shortest), shortest, chosen])].toSorted(
    (one, other) => one - other,
  )
  return (
    <Field name="interval" label={words.interval} hint={words.intervalHint(format.duration(shortest))}>
      {(control) => (
        <div className="row how-often">
          <select
            {...control}
            value={isOther ? '' : chosen}
            onChange={({ target }) => {
              setOther(target.value === '')
              if (target.value !== '') change(Number(target.value))
            }}
          >
            {lengths.map((length) => (
              <option key={length} value={length}>
                {format.duration(length)}
              </option>
            ))}
            <option value="">{words.other}</option>
          </select>
          {isOther ? (
            <input
              type="number"
              aria-label={words.seconds}
              defaultValue={chosen}
              min={shortest}
              onChange={({ target }) => change(target.value === '' ? null : Number(target.value))}
            />
          ) : null}
        </div>
      )}
    </Field>
  )
}
