import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { read } from '../../../api/client.ts'
import { dateAfter, iso, localDate, startOfDay } from '../../../format/zone.ts'
import { DateField } from '../../../parts/date-field.tsx'
import { useListAddress } from '../../../parts/listing.tsx'
import { useFormat, useReader } from '../../../reader.tsx'
import { useWords } from '../../../words/words.ts'
import { auditWords } from './audit-words.ts'
import { auditFilters } from './change.ts'
import { kinds } from './kinds.ts'

/** Filters by person, kind, object, time and program, kept in the address bar. */
export function AuditFilters() {
  const words = useWords(auditWords)
  const { zone } = useFormat()
  const { search, show } = useListAddress()
  const kept = (name: string) => search.get(name) ?? ''
  const set = (changes: Readonly<Record<string, string>>) => show({ ...changes, offset: null })
  const isFiltered = auditFilters.some((name) => search.has(name))
  const people = usePeople(kept('account_id'))
  const kindNames = useKinds()
  const sources = Object.entries(words.sources)
  // The last day counts in whole, so the filter ends where the next one begins.
  const from = dayOf(kept('from'), zone, 0)
  const to = dayOf(kept('to'), zone, -1)
  return (
    <fieldset className="plain inside filters" aria-label={words.filters}>
      <Choice label={words.person} value={kept('account_id')} set={(id) => set({ account_id: id })} choices={people} />
      <Choice label={words.kind} value={kept('resource')} set={(kind) => set({ resource: kind })} choices={kindNames} />
      <label className="field">
        <span>{words.object}</span>
        <input
          type="text"
          inputMode="numeric"
          value={kept('object_id')}
          onChange={({ target }) => set({ object_id: target.value.trim() })}
        />
      </label>
      <DayFilter label={words.from} name="from" day={from} set={(day) => set({ from: startText(day, zone, 0) })} />
      <DayFilter label={words.to} name="to" day={to} set={(day) => set({ to: startText(day, zone, 1) })} />
      <Choice label={words.source} value={kept('source')} set={(one) => set({ source: one })} choices={sources} />
      {isFiltered ? (
        <button
          type="button"
          className="button small"
          onClick={() => set(Object.fromEntries(auditFilters.map((name) => [name, ''])))}
        >
          {words.clear}
        </button>
      ) : null}
    </fieldset>
  )
}

interface DayProps {
  readonly label: string
  readonly name: string
  readonly day: string
  readonly set: (day: string) => void
}

/** A year is typed as 2, 20, 202: no list is asked for then, and the field keeps what is typed. */
function DayFilter({ day, set, ...common }: DayProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const type = (text: string) => {
    setTyped(text)
    if (text === '' || text > firstDay) set(text)
  }
  return <DateField {...common} value={typed ?? day} set={type} left={() => setTyped(null)} />
}

const firstDay = '1970-01-01'

function dayOf(moment: string, zone: string, days: number): string {
  const at = Date.parse(moment)
  return Number.isNaN(at) ? '' : dateAfter(localDate(at, zone), days)
}

function startText(day: string, zone: string, days: number): string {
  return day === '' ? '' : iso(startOfDay(dateAfter(day, days), zone))
}

function useKinds(): readonly (readonly [id: string, name: string])[] {
  const { language } = useReader()
  const named = Object.entries(kinds).map(([id, noun]) => [id, noun[language === 'pl' ? 1 : 0]] as const)
  return named
    .filter(([id]) => !id.startsWith('admin/'))
    .toSorted(([, one], [, other]) => one.localeCompare(other, language))
}

/** The accounts that the reader sees, and the one of the address bar. */
function usePeople(chosen: string): readonly (readonly [id: string, name: string])[] {
  const { data = [] } = useQuery({
    queryKey: ['audit-people'],
    queryFn: ({ signal }) => read('/accounts?fields=id,name,username&limit=1000', signal),
  })
  const people = data.map(({ id, name, username }) => [String(id), name || username] as const)
  return chosen === '' || people.some(([id]) => id === chosen) ? people : [...people, [chosen, `#${chosen}`]]
}

interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly set: (value: string) => void
  readonly choices: readonly (readonly [id: string, name: string])[]
}

function Choice({ label, value, set, choices }: ChoiceProps) {
  const words = useWords(auditWords)
  return (
    <label className="field">
      <span>{label}</span>
      <select value={value} onChange={({ target }) => set(target.value)}>
        <option value="">{words.all}</option>
        {choices.map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
