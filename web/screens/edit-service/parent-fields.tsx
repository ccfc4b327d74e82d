import { useState } from 'react'
import { useRelatives } from '../../parts/depend/queries.ts'
import { dependWords } from '../../parts/depend/words.ts'
import { ServiceChoice } from '../../parts/service-choice.tsx'
import { useWords } from '../../words/words.ts'
import type { Draft } from './draft.ts'
import { Field } from './field.tsx'

interface ParentProps {
  /** Null: a new one. */
  readonly id: number | null
  readonly draft: Draft
  readonly change: (part: Partial<Draft>) => void
  /** Null: of no group yet. */
  readonly ownerId: number | null
}

/** The services on which it depends. */
export function ParentFields({ id: own, draft, change, ownerId }: ParentProps) {
  const words = useWords(dependWords)
  const [initial] = useState(draft.parent_ids)
  const { data } = useRelatives(initial)
  const [names, setNames] = useState<ReadonlyMap<number, string>>(new Map())
  const known = new Map([...(data ?? []).map(({ id, name }) => [id, name] as const), ...names])
  const chosen = new Map(draft.parent_ids.map((id) => [id, known.get(id) ?? words.other(id)]))
  const owned = ownerId === null ? '' : `&owner_id=${ownerId}`
  return (
    <section className="card">
      <header>
        <h2>{words.title}</h2>
      </header>
      <div className="inside">
        <Field name="parent_ids" label={words.parents} hint={words.hint} isSet>
          {() => (
            <ServiceChoice
              chosen={chosen}
              choose={(after) => {
                setNames(new Map([...names, ...after]))
                change({ parent_ids: [...after.keys()] })
              }}
              conditions={`is_archived=false${owned}`}
              without={own}
            />
          )}
        </Field>
      </div>
    </section>
  )
}
