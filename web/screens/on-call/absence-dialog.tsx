import { useState } from 'react'
import { callTo } from '../../api/calls.ts'
import { ChoiceField } from '../../parts/fields.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { MomentField } from '../../parts/moment-field.tsx'
import type { ShownContact } from '../../parts/on-call/on-call-queries.ts'
import { onCallWords } from '../../parts/on-call/words.ts'
import { useTerms } from '../../parts/terms.ts'
import { MinuteField } from '../../parts/week-minute-field.tsx'
import { useFormat } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'

const minute = 60_000
const day = 24 * 60 * minute

function firstDraft() {
  const now = Math.floor(Date.now() / minute) * minute
  return {
    isWeekly: false,
    ...{ from: now as number | null, to: (now + day) as number | null },
    start: { day_of_week: 6, hour: 0, minute: 0 },
    end: { day_of_week: 1, hour: 0, minute: 0 },
  }
}
type Draft = ReturnType<typeof firstDraft>

function requestOf(contactId: number, { isWeekly, from, to, start, end }: Draft) {
  const text = (at: number | null) => (at === null ? null : new Date(at).toISOString())
  const whose = { contact_id: contactId }
  return isWeekly
    ? callTo('POST', '/contact_weekly_suspensions', { ...whose, start_minute: start, end_minute: end })
    : callTo('POST', '/contact_suspensions', { ...whose, start_time: text(from), end_time: text(to) })
}

/** A time in which the contact is told nothing: once, or every week by the clocks of its own zone. */
export function AbsenceDialog({ contact, closed }: { readonly contact: ShownContact; readonly closed: () => void }) {
  const words = useWords(onCallWords)
  const { zone } = useFormat()
  const zones = useTerms('time_zones')
  const [draft, setDraft] = useState<Draft>(firstDraft)
  const set = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  const { isWeekly, from, to, start, end } = draft
  const own = zones.find(({ id }) => id === contact.time_zone_id)?.name ?? contact.time_zone_id
  return (
    <FormDialog
      title={words.offDutyOf(contact.name)}
      action={words.save}
      isReady={isWeekly || (from !== null && to !== null)}
      request={() => requestOf(contact.id, draft)}
      closed={closed}
    >
      <p className="hint">{words.offDutyText}</p>
      <ChoiceField
        label={words.howOften}
        name="how_often"
        value={isWeekly ? 'week' : 'once'}
        options={[
          { id: 'once', name: words.once },
          { id: 'week', name: words.everyWeek },
        ]}
        set={(often) => set({ isWeekly: often === 'week' })}
      />
      {isWeekly ? (
        <div className="moments">
          <MinuteField label={words.from} value={start} change={(at) => set({ start: at })} />
          <MinuteField label={words.to} value={end} change={(at) => set({ end: at })} />
          <p className="hint">{words.clocksOf(own)}</p>
        </div>
      ) : (
        <div className="moments">
          <MomentField
            label={words.from}
            name="start_time"
            value={from}
            change={(at) => set({ from: at })}
            zone={zone}
          />
          <MomentField label={words.to} name="end_time" value={to} change={(at) => set({ to: at })} zone={zone} />
        </div>
      )}
    </FormDialog>
  )
}
