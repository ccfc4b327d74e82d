import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { read } from '../../api/client.ts'
import { hoursOfDay, hourText, isQuietAt, noQuietHours, quietText, withHour } from '../../format/quiet-hours.ts'
import { useWords } from '../../words/words.ts'
import { Field } from './field.tsx'
import { editWords } from './words.ts'

/** The zone of the account that owns the services of a group. Null: it is being read, or the reader may not see it. */
function useZoneOf(groupId: number | null): string | null {
  const { data } = useQuery({
    queryKey: ['edit', 'zone', groupId],
    queryFn: async ({ signal }) => {
      const { owner } = await read(`/groups/${groupId ?? 0}?fields=id&embed=owner.time_zone_id`, signal)
      const zoneId: string | undefined = owner?.time_zone_id
      return zoneId === undefined ? null : (await read(`/dictionaries/time_zones/${zoneId}`, signal)).name
    },
    enabled: groupId !== null,
    staleTime: 60_000,
  })
  return data ?? null
}

interface QuietProps {
  /** Null: none. */
  readonly hours: string | null
  readonly groupId: number | null
  readonly change: (hours: string) => void
}

/** Hours of every day in which nobody is notified. */
export function QuietHoursField({ hours, groupId, change }: QuietProps) {
  const words = useWords(editWords)
  const zone = useZoneOf(groupId)
  const shown = hours ?? noQuietHours
  const [isOpen] = useState(shown !== noQuietHours)
  const text = quietText(shown)
  return (
    <Field name="silent_hours" label={words.quietHours} hint={words.quietHoursHint(zone)} isSet>
      {() => (
        <details className="quiet-hours" open={isOpen}>
          <summary>{text === '' ? words.noQuietHours : words.quietEveryDay(text)}</summary>
          <div className="hours">
            {hoursOfDay.map((hour) => (
              <label key={hour} className="row">
                <input
                  type="checkbox"
                  checked={isQuietAt(shown, hour)}
                  onChange={({ target }) => change(withHour(shown, hour, target.checked))}
                />
                {hourText(hour)}
              </label>
            ))}
          </div>
        </details>
      )}
    </Field>
  )
}
