import type { ReactNode } from 'react'
import { useGroupNames } from '../../parts/group-names.ts'
import { useReader } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import type { NamedService } from './calendar-queries.ts'
import { calendarWords } from './words.ts'

interface ToolsProps {
  readonly search: URLSearchParams
  readonly zone: string
  readonly isList: boolean
  readonly isNarrow: boolean
  readonly services: ReadonlyMap<number, NamedService>
  readonly set: (changed: Readonly<Record<string, string | null>>) => void
  readonly children: ReactNode
}

/** Which week, of what, in which zone; all of it stands in the address bar. */
export function CalendarTools({ search, zone, isList, isNarrow, services, set, children }: ToolsProps) {
  const words = useWords(calendarWords)
  const groups = useGroupNames()
  const serviceId = search.get('service_id')
  return (
    <>
      <div className="spread week-head">{children}</div>
      <div className="row tools">
        <ZoneSelect {...{ zone, services, set }} />
        <select
          aria-label={words.group}
          value={search.get('service.group_id') ?? ''}
          onChange={({ target }) => set({ 'service.group_id': target.value === '' ? null : target.value })}
        >
          <option value="">{words.anyGroup}</option>
          {groups.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
        {isNarrow ? null : (
          <fieldset className="views">
            <legend className="only-read">{words.view}</legend>
            {(['week', 'list'] as const).map((view) => (
              <button
                key={view}
                type="button"
                className="button plain small"
                aria-pressed={(view === 'list') === isList}
                onClick={() => set({ view: view === 'list' ? 'list' : null })}
              >
                {words[view]}
              </button>
            ))}
          </fieldset>
        )}
        {serviceId === null ? null : (
          <button type="button" className="button small" onClick={() => set({ service_id: null })}>
            {words.oneService(services.get(Number(serviceId))?.name ?? `#${serviceId}`)} · {words.removeFilter}
          </button>
        )}
      </div>
    </>
  )
}

function ZoneSelect({ zone, services, set }: Pick<ToolsProps, 'zone' | 'services' | 'set'>) {
  const words = useWords(calendarWords)
  const reader = useReader()
  const owners = [...services.values()].flatMap((service) => service.zone ?? [])
  const others = [...new Set([...owners, 'UTC', zone])].filter((name) => name !== reader.zone)
  return (
    <select
      aria-label={words.zone}
      value={zone}
      onChange={({ target }) => set({ zone: target.value === reader.zone ? null : target.value })}
    >
      <option value={reader.zone}>{words.zoneMine(reader.zone)}</option>
      {others.map((name) => (
        <option key={name} value={name}>
          {owners.includes(name) ? words.zoneOwners(name) : name}
        </option>
      ))}
    </select>
  )
}
