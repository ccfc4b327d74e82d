import { useEffect, useMemo, useState } from 'react'
import { useSearchParams } from 'wouter'
import { createFormat } from '../../format/format.ts'
import { dateAfter, isZone, localDate, mondayOf } from '../../format/zone.ts'
import { Icon } from '../../parts/icon.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { useNarrow } from '../../parts/use-narrow.ts'
import { useReader } from '../../reader.tsx'
import { showTitle } from '../../shell/favicon.ts'
import { useWords } from '../../words/words.ts'
import { filterNames, useServices, useSuspendable, useSuspensions, useWeekly, useWide } from './calendar-queries.ts'
import { CalendarTools } from './calendar-tools.tsx'
import { DayList } from './day-list.tsx'
import type { Scope } from './scope-field.tsx'
import { SuspensionDialog } from './suspension-dialog.tsx'
import type { Asked } from './suspension-draft.ts'
import { daysOf, onceIn, weeklyIn, wideOnceIn, wideWeeklyIn } from './week.ts'
import { WeekGrid } from './week-grid.tsx'
import { calendarWords } from './words.ts'

const everyMs = 30_000
const hour = 3_600_000
/** Half a year later, so that every zone has weeks before it. */
const firstWeek = Date.UTC(1970, 6)

function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** Whether a date of the address bar has a week before it and one after it. */
function isWeek(asked: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(asked) && Date.parse(asked) >= firstWeek && asked < '9999-12'
}

/** The state in the address bar. */
function useAddress(now: number) {
  const reader = useReader()
  const [search, setSearch] = useSearchParams()
  const isNarrow = useNarrow()
  const zone = [search.get('zone') ?? ''].find((name) => name !== '' && isZone(name)) ?? reader.zone
  const asked = search.get('week') ?? ''
  const monday = mondayOf(isWeek(asked) ? asked : localDate(now, zone))
  const isList = isNarrow || search.get('view') === 'list'
  const set = (changed: Readonly<Record<string, string | null>>) =>
    setSearch((before) => {
      const after = new URLSearchParams(before)
      for (const [name, value] of Object.entries(changed)) {
        if (value === null) after.delete(name)
        else after.set(name, value)
      }
      return after
    })
  return { search, zone, monday, isList, isNarrow, set }
}

/** The data of the displayed week. */
function useWeek(search: URLSearchParams, monday: string, zone: string) {
  const reader = useReader()
  const days = useMemo(() => daysOf(monday, zone), [monday, zone])
  const range = { from: days[0]?.start ?? 0, to: days[6]?.end ?? 0 }
  const once = useSuspensions(range, search)
  const weekly = useWeekly(search)
  const wide = useWide(range, search)
  const isWideRead = wide.once.data !== undefined && wide.weekly.data !== undefined
  const isRead = once.data !== undefined && weekly.data !== undefined
  const rows = isRead ? [...once.data.rows, ...weekly.data.rows] : []
  const services = useServices(rows.map(({ service_id }) => service_id))
  const known = services.data ?? new Map()
  const zoneOf = (id: number): string => known.get(id)?.zone ?? reader.zone
  const occurrences = [
    ...wideOnceIn(wide.once.data ?? []),
    ...wideWeeklyIn(wide.weekly.data ?? [], range, reader.zone),
    ...onceIn(once.data?.rows ?? []),
    ...weeklyIn(weekly.data?.rows ?? [], range, zoneOf),
  ]
  const shown = (once.data?.rows.length ?? 0) + (weekly.data?.rows.length ?? 0)
  const total = (once.data?.total ?? 0) + (weekly.data?.total ?? 0)
  return {
    days,
    occurrences,
    services: known,
    cut: shown < total ? { shown, total } : null,
    isZoneUnknown: weekly.data?.rows.some(({ service_id }) => known.get(service_id)?.zone === null) === true,
    isRead: isRead && isWideRead && (rows.length === 0 || services.data !== undefined),
    error: [once, weekly, wide.once, wide.weekly, services].find(({ error }) => error !== null)?.error ?? null,
    again: () => void Promise.all([once, weekly, wide.once, wide.weekly, services].map((query) => query.refetch())),
  }
}

/** The initial scope by the filters of the address. */
function scopeOf(search: URLSearchParams, services: ReadonlyMap<number, { readonly name: string }>): Partial<Scope> {
  const [id, groupId, tag] = filterNames.map((name) => search.get(name))
  if (id != null)
    return { kind: 'services', services: new Map([[Number(id), services.get(Number(id))?.name ?? `#${id}`]]) }
  if (groupId != null) return { kind: 'group', groupId: Number(groupId) }
  return tag == null ? {} : { kind: 'tag', tag }
}

/** When monitoring is suspended, week by week, and everything that can be done about it. */
export function CalendarScreen() {
  const words = useWords(calendarWords)
  const { language } = useReader()
  const now = useNow()
  const { search, zone, monday, isList, isNarrow, set } = useAddress(now)
  const week = useWeek(search, monday, zone)
  const { data: suspendable = 0, isSuccess } = useSuspendable()
  const [asked, setAsked] = useState<Asked | null>(null)
  const [said, setSaid] = useState('')
  useEffect(() => showTitle(words.title), [words])
  const format = createFormat(language, zone)
  const make = (from: number, to: number) => setAsked({ kind: 'new', from, to, scope: scopeOf(search, week.services) })
  const mayMake = suspendable > 0
  const next = Math.ceil(now / hour) * hour
  const open = (occurrence: Extract<Asked, { readonly kind: 'edit' }>['occurrence']) =>
    setAsked({ kind: 'edit', occurrence })
  const shown = { days: week.days, occurrences: week.occurrences, services: week.services, zone, now, open }
  return (
    <div className="calendar stack">
      <header className="spread">
        <h1>{words.title}</h1>
        {mayMake ? (
          <button type="button" className="button primary" onClick={() => make(next, next + hour)}>
            <Icon name="add" />
            {words.add}
          </button>
        ) : null}
      </header>
      <CalendarTools {...{ search, zone, isList, isNarrow, set }} services={week.services}>
        <h2>
          {format.day(monday)} – {format.day(dateAfter(monday, 6))}
        </h2>
        <nav className="row" aria-label={words.week}>
          <Step icon="left" label={words.earlier} go={() => set({ week: dateAfter(monday, -7) })} />
          <button type="button" className="button" onClick={() => set({ week: null })}>
            {words.today}
          </button>
          <Step icon="right" label={words.later} go={() => set({ week: dateAfter(monday, 7) })} />
        </nav>
      </CalendarTools>
      <p className="hint" role="status">
        {said || (mayMake ? (isList ? '' : words.addHint) : isSuccess ? words.mayNot : '')}
      </p>
      {week.cut === null ? null : <p className="notice">{words.cut(week.cut.shown, week.cut.total)}</p>}
      {week.isZoneUnknown ? <p className="notice">{words.unknownZone}</p> : null}
      {week.error === null ? null : <Trouble error={week.error} again={week.again} />}
      {!week.isRead ? (
        week.error === null ? (
          <Loading what={words.what} />
        ) : null
      ) : isList ? (
        <DayList {...shown} />
      ) : (
        <WeekGrid {...shown} drag={mayMake ? make : null} />
      )}
      {week.isRead && week.occurrences.length === 0 ? <p className="dim">{words.emptyWeek}</p> : null}
      {asked === null ? null : (
        <SuspensionDialog
          asked={asked}
          zone={zone}
          services={week.services}
          close={(isDone) => {
            setAsked(null)
            setSaid(isDone ? words.done : '')
          }}
        />
      )}
    </div>
  )
}

interface StepProps {
  readonly icon: 'left' | 'right'
  readonly label: string
  readonly go: () => void
}

function Step({ icon, label, go }: StepProps) {
  return (
    <button type="button" className="button" aria-label={label} title={label} onClick={go}>
      <Icon name={icon} />
    </button>
  )
}
