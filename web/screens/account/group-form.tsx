import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Group, Sensor, Term } from '../../api/answers.ts'
import { readPage } from '../../api/client.ts'
import { AsCode } from '../../parts/as-code.tsx'
import { CheckField, TextField } from '../../parts/fields.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useWords } from '../../words/words.ts'
import { peopleWords } from './people-words.ts'

const categories = ['default', 'ipv6', 'mobile', 'webappcheck'] as const
type Category = (typeof categories)[number]

interface FormProps {
  /** Null: a new one. */
  readonly group: Group | null
  readonly closed: () => void
}

/** Adds a group, or changes its name and its stations. */
export function GroupForm({ group, closed }: FormProps) {
  const words = useWords(peopleWords)
  const [name, setName] = useState(group?.name ?? '')
  const [assigned, setAssigned] = useState(group?.assigned_sensor_ids)
  const body = { name, ...(assigned === undefined ? {} : { assigned_sensor_ids: assigned }) }
  const [method, path] = group === null ? (['POST', '/groups'] as const) : (['PUT', `/groups/${group.id}`] as const)
  const { data } = useQuery({
    queryKey: ['stations of categories'],
    queryFn: async ({ signal }) => ({
      sensors: (await readPage<Sensor>('/sensors?limit=1000&sort=name', signal)).rows,
      names: (await readPage<Term>('/dictionaries/service_type_categories?limit=100', signal)).rows,
    }),
  })
  const toggle = (category: Category, id: number, isChosen: boolean) =>
    setAssigned((before) => {
      if (before === undefined) return before
      const others = before[category].filter((one) => one !== id)
      return { ...before, [category]: isChosen ? [...others, id] : others }
    })
  return (
    <FormDialog
      title={group === null ? words.addGroup : words.groupTitle(group.name)}
      action={words.save}
      request={() => ({ method, path, body })}
      closed={closed}
    >
      <TextField label={words.groupName} name="name" value={name} set={setName} />
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
      <AsCode {...{ method, path, body }} />
    </FormDialog>
  )
}
