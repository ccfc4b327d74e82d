import { useId } from 'react'
import type { StatusPageIncident } from '../../api/answers.ts'
import { useWords } from '../../words/words.ts'
import type { ShownComponent } from './queries.ts'
import { statuses } from './sources.ts'
import { statusPageWords } from './words.ts'

export type Affected = StatusPageIncident['updates'][number]['affected_components']

interface AffectedProps {
  readonly legend: string
  readonly hint?: string
  /** The first entry: nothing is said of the component. */
  readonly unsaid: string
  readonly components: readonly ShownComponent[]
  readonly affected: Affected
  readonly set: (affected: Affected) => void
}

/** The status that a message says of each component. */
export function AffectedFields({ legend, hint, unsaid, components, affected, set }: AffectedProps) {
  if (components.length === 0) return null
  const choose = (id: number, status: Affected[number]['status'] | null) => {
    const others = affected.filter(({ component_id: one }) => one !== id)
    set(status === null ? others : [...others, { component_id: id, status }])
  }
  return (
    <fieldset className="affected" data-field="affected_components">
      <legend className="label">{legend}</legend>
      {hint === undefined ? null : <p className="hint">{hint}</p>}
      {components.map((component) => (
        <Row
          key={component.id}
          name={component.name}
          unsaid={unsaid}
          status={affected.find(({ component_id: id }) => id === component.id)?.status ?? null}
          set={(status) => choose(component.id, status)}
        />
      ))}
    </fieldset>
  )
}

type Status = Affected[number]['status'] | null

interface RowProps {
  readonly name: string
  readonly unsaid: string
  readonly status: Status
  readonly set: (status: Status) => void
}

function Row({ name, unsaid, status, set }: RowProps) {
  const words = useWords(statusPageWords)
  const id = useId()
  return (
    <div className="affected-one">
      <label htmlFor={id}>{name}</label>
      <select
        id={id}
        value={status ?? ''}
        onChange={({ target }) => set(statuses.find((one) => one === target.value) ?? null)}
      >
        <option value="">{unsaid}</option>
        {statuses.map((one) => (
          <option key={one} value={one}>
            {words.statuses[one]}
          </option>
        ))}
      </select>
    </div>
  )
}
