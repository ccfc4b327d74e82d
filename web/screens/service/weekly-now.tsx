import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { StatusChange } from '../../api/answers.ts'
import { read } from '../../api/client.ts'
import { weeklyTimesIn } from '../../format/weekly-times.ts'
import { Icon } from '../../parts/icon.tsx'
import { partWords } from '../../parts/words.ts'
import { useFormat } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { serviceWords } from './words.ts'

interface WeeklyProps {
  readonly id: number
  readonly change: StatusChange | null
}

const everyMs = 30_000

/** The weekly suspensions of the service, its group, its tags and its account, and the zone in which they hold. */
async function readWeekly(id: number, signal: AbortSignal) {
  const [own, wide, { owner }] = await Promise.all([
    read(`/services/${id}/weekly_suspensions?limit=1000`, signal),
    read(`/services/${id}/wide_weekly_suspensions?limit=1000`, signal),
    read(`/services/${id}?fields=id&embed=owner.time_zone_id`, signal),
  ])
  const zoneId: string | undefined = owner?.time_zone_id
  const zone = zoneId === undefined ? null : await read(`/dictionaries/time_zones/${zoneId}`, signal)
  return {
    zone: zone?.name ?? null,
    rows: [...own, ...wide.map((row) => ({ ...row, with: { isOfGroup: row.group_id !== null, tag: row.tag } }))],
  }
}

type Weekly = Awaited<ReturnType<typeof readWeekly>>

export function useWeekly(id: number) {
  return useQuery({
    queryKey: ['weekly_suspensions', 'of', id],
    queryFn: ({ signal }) => readWeekly(id, signal),
    refetchInterval: everyMs,
  })
}

/** The suspensions that hold now, each with its end. */
function holdingOf({ zone, rows }: Weekly, now: number) {
  if (zone === null) return []
  const timesOf = weeklyTimesIn({ from: now, to: now + 1 })
  return rows.flatMap((row) =>
    timesOf(row.start_minute, row.end_minute, zone).map(({ from, to }) => ({
      key: `${'with' in row} ${row.id} ${from}`,
      row,
      to,
    })),
  )
}

/** The weekly suspensions that hold now, with the moment when each ends. The calendar changes them. */
export function WeeklyNow({ id, change }: WeeklyProps) {
  const words = useWords(serviceWords)
  const { pauseReasons } = useWords(partWords)
  const format = useFormat()
  const { data } = useWeekly(id)
  const holding = data === undefined ? [] : holdingOf(data, Date.now())
  // The zone of somebody else's account may be unseen: then it is not known until when.
  if (data !== undefined && holding.length === 0 && change?.pause_reason === 'weekly_suspension')
    return (
      <p className="notice row">
        <Icon name="paused" />
        {pauseReasons['weekly_suspension']}.
      </p>
    )
  return holding.map(({ key, row, to }) => (
    <p key={key} className={row.only_notifications ? 'notice why-silent row' : 'notice row'}>
      <Icon name={row.only_notifications ? 'silent' : 'suspended'} />
      <span>
        {(row.only_notifications ? words.quietWeekly : words.suspendedWeekly)(
          format.moment(new Date(to).toISOString()),
        )}{' '}
        {'with' in row ? `${words.suspendedWith(row.with.isOfGroup, row.with.tag)} ` : null}
        {row.description === '' ? null : `${row.description} `}
        <Link href={`/calendar?service_id=${id}`}>{words.toCalendar}</Link>
      </span>
    </p>
  ))
}
