import { type FormEvent, useState } from 'react'
import { MomentField } from '../../parts/moment-field.tsx'
import { useReader } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { type Preset, presets, type ShownRange } from './range-address.ts'
import { serviceLevelWords } from './words.ts'

interface PickerProps {
  readonly range: ShownRange
  readonly choose: (range: Preset | { readonly from: number; readonly to: number }) => void
}

/** The usual ranges, and any other one to the second. */
export function RangePicker({ range, choose }: PickerProps) {
  const words = useWords(serviceLevelWords)
  return (
    <div className="range-picker">
      <fieldset className="ranges">
        <legend className="only-read">{words.range}</legend>
        {presets.map((name) => (
          <button
            key={name}
            type="button"
            className="button plain small"
            aria-pressed={name === range.preset}
            onClick={() => choose(name)}
          >
            {words.ranges[name]}
          </button>
        ))}
      </fieldset>
      <details open={range.preset === null}>
        <summary>{words.ownRange}</summary>
        <OwnRange
          key={`${range.preset ?? ''}${range.preset === null ? range.from + range.to : ''}`}
          {...{ range, choose }}
        />
      </details>
    </div>
  )
}

function OwnRange({ range, choose }: PickerProps) {
  const words = useWords(serviceLevelWords)
  const { zone } = useReader()
  const [from, setFrom] = useState<number | null>(range.from)
  const [to, setTo] = useState<number | null>(range.to)
  const isBackwards = from !== null && to !== null && to <= from
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (from !== null && to !== null && !isBackwards) choose({ from, to })
  }
  return (
    <form className="own-range" onSubmit={submit}>
      <MomentField label={words.from} value={from} zone={zone} change={setFrom} />
      <MomentField label={words.to} value={to} zone={zone} change={setTo} isWrong={isBackwards} />
      <button type="submit" className="button">
        {words.show}
      </button>
      {isBackwards ? (
        <p className="problem" role="alert">
          {words.backwards}
        </p>
      ) : null}
    </form>
  )
}
