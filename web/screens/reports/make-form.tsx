import { useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { callTo } from '../../api/calls.ts'
import { dateAfter, iso, localDate, mondayOf, startOfDay } from '../../format/zone.ts'
import { TextField } from '../../parts/fields.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { MomentField } from '../../parts/moment-field.tsx'
import { useReader } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { NothingYet } from './nothing-yet.tsx'
import { type ShownPlan, useFirstService } from './report-queries.ts'
import { reportWords } from './words.ts'

const ranges = ['yesterday', 'last_week', 'last_month', 'this_month', 'own'] as const
type Range = (typeof ranges)[number]

interface Moments {
  readonly from: number | null
  readonly to: number | null
}

/** Days, weeks and months begin where the reader is. */
function momentsOf(range: Exclude<Range, 'own'>, now: number, zone: string): Moments {
  const today = localDate(now, zone)
  const first = `${today.slice(0, 7)}-01`
  const monday = mondayOf(today)
  if (range === 'yesterday') return { from: startOfDay(dateAfter(today, -1), zone), to: startOfDay(today, zone) }
  if (range === 'last_week') return { from: startOfDay(dateAfter(monday, -7), zone), to: startOfDay(monday, zone) }
  if (range === 'this_month') return { from: startOfDay(first, zone), to: Math.floor(now / 1000) * 1000 }
  return { from: startOfDay(`${dateAfter(first, -1).slice(0, 7)}-01`, zone), to: startOfDay(first, zone) }
}

/** On the first days of an account the last month has nothing to report. */
function usualRange(first: number | null | undefined, zone: string): 'this_month' | 'last_month' {
  const { to } = momentsOf('last_month', Date.now(), zone)
  return first != null && to !== null && first >= to ? 'this_month' : 'last_month'
}

/** Has a report of some time made, and leads to it. */
export function MakeForm({ plan, closed }: { readonly plan: ShownPlan; readonly closed: () => void }) {
  const words = useWords(reportWords)
  const { zone } = useReader()
  const [, go] = useLocation()
  const { data: first } = useFirstService()
  const usual = usualRange(first, zone)
  const start = useMemo(() => ({ range: usual, moments: momentsOf(usual, Date.now(), zone) }), [usual, zone])
  const [chosen, setChosen] = useState<{ readonly range: Range; readonly moments: Moments } | null>(null)
  const { range, moments } = chosen ?? start
  const [name, setName] = useState('')
  const { from, to } = moments
  const isBackwards = from !== null && to !== null && to <= from
  const choose = (asked: Range) =>
    setChosen({ range: asked, moments: asked === 'own' ? moments : momentsOf(asked, Date.now(), zone) })
  const set = (part: Partial<Moments>) => setChosen({ range: 'own', moments: { ...moments, ...part } })
  const momentText = (at: number | null) => (at === null ? null : iso(at))
  const times = { from: momentText(from), to: momentText(to) }
  const body = { template_id: plan.id, ...times, ...(name === '' ? {} : { name }) }
  return (
    <FormDialog
      className="report-dialog"
      title={words.makeOf(plan.name)}
      action={plan.email_addresses.length === 0 ? words.makeNow : words.makeAndMail}
      isReady={from !== null && to !== null && !isBackwards}
      request={() => callTo('POST', '/reports', body)}
      done={(answer) => go(`/reports/${answer.id}`)}
      closed={closed}
    >
      <label className="field">
        {words.range}
        <select value={range} onChange={({ target }) => choose(ranges.find((one) => one === target.value) ?? 'own')}>
          {ranges.map((one) => (
            <option key={one} value={one}>
              {words.ranges[one]}
            </option>
          ))}
        </select>
      </label>
      <div className="moments">
        <MomentField label={words.from} name="from" value={from} zone={zone} change={(at) => set({ from: at })} />
        <MomentField
          label={words.until}
          name="to"
          value={to}
          zone={zone}
          isWrong={isBackwards}
          change={(at) => set({ to: at })}
        />
      </div>
      {isBackwards || to === null ? null : <NothingYet until={to} />}
      {isBackwards ? (
        <p className="problem" role="alert">
          {words.backwards}
        </p>
      ) : null}
      <TextField label={words.name} name="name" value={name} placeholder={plan.name} maxLength={200} set={setName} />
      {plan.email_addresses.length === 0 ? null : (
        <p className="hint">{words.mailedAtOnce(plan.email_addresses.join(', '))}</p>
      )}
    </FormDialog>
  )
}
