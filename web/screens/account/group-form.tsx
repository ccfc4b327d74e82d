import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Group } from '../../api/answers.ts'
import { callTo } from '../../api/calls.ts'
import { readPage } from '../../api/client.ts'
import { EditDialog } from '../../parts/edit-dialog.tsx'
import { CheckField, TextField } from '../../parts/fields.tsx'
import { useWords } from '../../words/words.ts'
import { peopleWords } from './people-words.ts'

const categories = ['default', 'ipv6', 'mobile', 'webappcheck'] as const
type Category = (typeof categories)[number]

interface FormProps {
  /** Null: a new one. */
  readonly group: Group | null
  readonly closed: () => void
}

interface Draft {
  readonly name: string
  readonly assigned: Group['assigned_sensor_ids'] | undefined
}

function draftOf(group: Group | null): Draft {
  return { name: group?.name ?? '', assigned: group?.assigned_sensor_ids }
}

function bodyOf({ name, assigned }: Draft) {
  return { name, ...(assigned === undefined ? {} : { assigned_sensor_ids: assigned }) }
}

/** Adds a group, or changes its name and its stations. */
export function GroupForm({ group, closed }: FormProps) {
  const words = useWords(peopleWords)
  const [draft, setDraft] = useState(() => draftOf(group))
  const { name, assigned } = draft
  const path = group === null ? null : (`/groups/${group.id}` as const)
  const { data } = useQuery({
    queryKey: ['stations of categories'],
    queryFn: async ({ signal }) => ({
      sensors: (await readPage('/sensors?limit=1000&sort=name', signal)).rows,
      names: (await readPage('/dictionaries/service_type_categories?limit=100', signal)).rows,
    }),
  })
  const toggle = (category: Category, id: number, isChosen: boolean) =>
    setDraft((draftBefore) => {
      const before = draftBefore.assigned
      if (before === undefined) return draftBefore
      const others = before[category].filter((one) => one !== id)
      return { ...draftBefore, assigned: { ...before, [category]: isChosen ? [...others, id] : others } }
    })
  return (
    <EditDialog
      title={group === null ? words.addGroup : words.groupTitle(group.name)}
      action={words.save}
      making={callTo('POST', '/groups', bodyOf(draft))}
      editing={{ path, state: draft, set: setDraft, read: draftOf, body: bodyOf }}
      closed={closed}
    >
      <TextField label={words.groupName} name="name" value={name} set={(text) => setDraft({ ...draft, name: text })} />
      {assigned === undefined || data === undefined
        ? null
        : categories.map((category) => {
            const able = data.sensors.filter(({ category_ids }) => category_ids.includes(category))
            return (
              <fieldset key={category}>
                <legend>{words.stations(data.names.find(({ id }) => id === category)?.name ?? category)}</legend>
                {able.length === 0 ? <p className="hint">{words.noStations}</p> : null}
                {able.map(({ id, name: station }) => (
                  <CheckField
                    key={id}
                    label={station}
                    checked={assigned[category].includes(id)}
                    set={(isChosen) => toggle(category, id, isChosen)}
                  />
                ))}
              </fieldset>
            )
          })}
    </EditDialog>
  )
}
