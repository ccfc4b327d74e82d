import type { Address } from '../../api/address.ts'
import { type ShownContact, useAbsences, useWeeklyAbsences } from '../../parts/on-call/on-call-queries.ts'
import { onCallWords } from '../../parts/on-call/words.ts'
import { weekMinuteText } from '../../parts/week-minute-field.tsx'
import { useFormat, useReader } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'

interface AbsencesProps {
  readonly contact: ShownContact
  /** @param path where the API has the time */
  readonly remove: (path: Address<'DELETE'>) => void
}

/** The times in which the contact is off duty, weekly ones last. */
export function Absences({ contact, remove }: AbsencesProps) {
  const words = useWords(onCallWords)
  const format = useFormat()
  const { language } = useReader()
  const once = useAbsences().map(({ start_time: from, end_time: to, ...one }) => ({
    ...one,
    path: `/contact_suspensions/${one.id}` as const,
    text: words.absent(format.moment(from), format.moment(to)),
  }))
  const weekly = useWeeklyAbsences().map(({ start_minute: from, end_minute: to, ...one }) => ({
    ...one,
    path: `/contact_weekly_suspensions/${one.id}` as const,
    text: words.weeklyAbsent(weekMinuteText(from, language), weekMinuteText(to, language)),
  }))
  return [...once, ...weekly]
    .filter(({ contact_id: id }) => id === contact.id)
    .map(({ path, text, permissions }) => (
      <span key={path} className="row dim">
        {text}
        {permissions['delete'] === true ? (
          <button
            type="button"
            className="button small"
            aria-label={`${words.removeAbsence}: ${contact.name}, ${text}`}
            onClick={() => remove(path)}
          >
            {words.removeAbsence}
          </button>
        ) : null}
      </span>
    ))
}
