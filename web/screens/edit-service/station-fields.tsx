import { useId, useState } from 'react'
import { Loading } from '../../parts/loading.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { useWords } from '../../words/words.ts'
import type { Draft } from './draft.ts'
import { useStations } from './edit-queries.ts'
import { Field } from './field.tsx'
import { editWords } from './words.ts'

interface StationProps {
  readonly draft: Draft
  readonly change: (part: Partial<Draft>) => void
  /** The capability that a station needs. */
  readonly category: string
}

export function StationFields({ draft, change, category }: StationProps) {
  const words = useWords(editWords)
  const stations = useStations()
  const name = useId()
  const [isOwn, setOwn] = useState(draft.sensor_ids.length > 0)
  const able = stations.data?.filter(
    ({ id, category_ids }) => category_ids.includes(category) || draft.sensor_ids.includes(id),
  )
  return (
    <section className="card">
      <header>
        <h2>{words.stations}</h2>
      </header>
      <div className="inside stack">
        <Field name="sensor_ids" label={<span className="only-read">{words.stations}</span>} isSet>
          {() => (
            <>
              <label className="row">
                <input
                  type="radio"
                  name={name}
                  checked={!isOwn}
                  onChange={() => {
                    setOwn(false)
                    change({ sensor_ids: [] })
                  }}
                />
                {words.ofGroup}
              </label>
              <label className="row">
                <input type="radio" name={name} checked={isOwn} onChange={() => setOwn(true)} />
                {words.ownStations}
              </label>
              {!isOwn ? null : stations.error !== null ? (
                <Trouble error={stations.error} again={() => void stations.refetch()} />
              ) : able === undefined ? (
                <Loading what={words.stations} />
              ) : able.length === 0 ? (
                <p className="hint">{words.noStations}</p>
              ) : (
                <div className="choices">
                  {able.map(({ id, name: label, city, country }) => (
                    <label key={id} className="row">
                      <input
                        type="checkbox"
                        checked={draft.sensor_ids.includes(id)}
                        onChange={({ target }) => {
                          const others = draft.sensor_ids.filter((other) => other !== id)
                          change({ sensor_ids: target.checked ? [...others, id] : others })
                        }}
                      />
                      {label} <span className="hint">{[city, country].filter(Boolean).join(', ')}</span>
                    </label>
                  ))}
                </div>
              )}
            </>
          )}
        </Field>
      </div>
    </section>
  )
}
