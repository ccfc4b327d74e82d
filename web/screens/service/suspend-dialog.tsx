import { useState } from 'react'
import { callTo } from '../../api/calls.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { WhyField } from '../../parts/why-field.tsx'
import { partWords } from '../../parts/words.ts'
import { useReader } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { serviceWords } from './words.ts'

const lengths = { quarter: 900, hour: 3600, four: 14_400, day: 86_400 } as const
const choices = ['quarter', 'hour', 'four', 'morning', 'day'] as const
type Choice = (typeof choices)[number]

interface SuspendProps {
  readonly serviceId: number
  readonly done: () => void
  readonly closed: () => void
}

/** Suspends from now on, for one of the usual lengths. */
export function SuspendDialog({ serviceId, done, closed }: SuspendProps) {
  const words = useWords(serviceWords)
  const parts = useWords(partWords)
  const { zone } = useReader()
  const [choice, setChoice] = useState<Choice>('hour')
  const [isQuiet, setQuiet] = useState(false)
  const [why, setWhy] = useState('')
  return (
    <FormDialog
      title={words.suspendTitle}
      action={words.suspend}
      request={() => {
        const end_time = endOf(choice, zone, Date.now())
        const how = { only_notifications: isQuiet, description: why }
        return callTo('POST', '/suspensions', { service_id: serviceId, end_time, ...how })
      }}
      done={done}
      closed={closed}
    >
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
      <p className="hint">{isQuiet ? parts.quietEffect : parts.suspendEffect}</p>
      <WhyField value={why} set={setWhy} />
    </FormDialog>
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
