import { type RefObject, useState } from 'react'
import { partWords } from '../../parts/words.ts'
import { useReader } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { serviceWords } from './words.ts'

const lengths = { quarter: 900, hour: 3600, four: 14_400, day: 86_400 } as const
const choices = ['quarter', 'hour', 'four', 'morning', 'day'] as const
type Choice = (typeof choices)[number]

interface SuspendProps {
  readonly ref: RefObject<HTMLDialogElement | null>
  readonly suspend: (body: { readonly end_time: string; readonly only_notifications: boolean }) => void
}

/** Suspends from now on, for one of the usual lengths. */
export function SuspendDialog({ ref, suspend }: SuspendProps) {
  const words = useWords(serviceWords)
  const parts = useWords(partWords)
  const { zone } = useReader()
  const [choice, setChoice] = useState<Choice>('hour')
  const [isQuiet, setQuiet] = useState(false)
  return (
    <dialog ref={ref} aria-labelledby="suspend-title">
      <form
        method="dialog"
        onSubmit={() => suspend({ end_time: endOf(choice, zone, Date.now()), only_notifications: isQuiet })}
      >
        <h2 id="suspend-title">{words.suspendTitle}</h2>
        <fieldset className="choices">
          <legend className="label">{words.suspendHow}</legend>
          {choices.map((name) => (
            <label key={name} className="row">
              <input type="radio" name="length" checked={choice === name} onChange={() => setChoice(name)} />
              {words.suspendFor[name]}
            </label>
          ))}
        </fieldset>
        <label className="row">
          <input type="checkbox" checked={isQuiet} onChange={({ target }) => setQuiet(target.checked)} />
          {words.onlyNotifications}
        </label>
        <div className="row">
          <button type="submit" className="button primary">
            {words.suspend}
          </button>
          <button type="button" className="button" onClick={() => ref.current?.close()}>
            {parts.cancel}
          </button>
        </div>
      </form>
    </dialog>
  )
}

/** The end as an RFC 3339 moment; 8:00 is that of the reader's zone, whatever its clocks do in the night. */
function endOf(choice: Choice, zone: string, now: number): string {
  if (choice !== 'morning') return new Date(now + lengths[choice] * 1000).toISOString()
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  const minute = 60_000
  let at = (Math.floor(now / minute) + 1) * minute
  while (clock.format(at) !== '08:00' && at < now + 26 * 60 * minute) at += minute
  return new Date(at).toISOString()
}
