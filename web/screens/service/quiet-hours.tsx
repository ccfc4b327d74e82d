import { quietText, quietWeek } from '../../format/quiet-hours.ts'
import { weeklyTimesIn } from '../../format/weekly-times.ts'
import { Icon } from '../../parts/icon.tsx'
import { useFormat } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import type { ShownService } from './service-query.ts'
import { useWeekly } from './weekly-now.tsx'
import { serviceWords } from './words.ts'

interface QuietProps {
  readonly service: Pick<ShownService, 'id' | 'silent_hours'>
}

/** The hours of every day in which nobody is notified, with the zone of the account that owns the service. */
export function QuietHours({ service: { id, silent_hours: hours } }: QuietProps) {
  const words = useWords(serviceWords)
  const { data } = useWeekly(id)
  return (
    <>
      {words.everyDay(quietText(hours))} <span className="hint">{data?.zone}</span>
    </>
  )
}

/** The end of the quiet hours that hold at a moment. Null: none do, or all hours are quiet. */
function endOfQuiet(hours: string, zone: string, now: number): number | null {
  if (!hours.includes('0')) return null
  const timesOf = weeklyTimesIn({ from: now, to: now + 1 })
  const [holding] = quietWeek(hours).flatMap(({ start, end }) => timesOf(start, end, zone))
  return holding?.to ?? null
}

/** Says until when the quiet hours hold, while they do. */
export function QuietNow({ service: { id, silent_hours: hours } }: QuietProps) {
  const words = useWords(serviceWords)
  const format = useFormat()
  const { data } = useWeekly(id)
  const end = data?.zone == null ? null : endOfQuiet(hours, data.zone, Date.now())
  if (end === null) return null
  return (
    <p className="notice why-silent row">
      <Icon name="silent" />
      <span>{words.quietDaily(format.moment(new Date(end).toISOString()))}</span>
    </p>
  )
}
