import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { readPage } from '../api/client.ts'
import { useWords } from '../words/words.ts'
import { partWords } from './words.ts'
import './service-choice.css'

/** Services that are offered at once; the others are searched for. */
const offered = 20

interface ChoiceProps {
  /** Names by identifier. */
  readonly chosen: ReadonlyMap<number, string>
  readonly choose: (chosen: ReadonlyMap<number, string>) => void
  /** Which services there are to choose from, as the API's lists are asked. */
  readonly conditions: string
  /** A service that is not offered. */
  readonly without?: number | null
}

/** Some services of very many: found by a search of the API, those chosen first. */
export function ServiceChoice({ chosen, choose, conditions, without = null }: ChoiceProps) {
  const words = useWords(partWords)
  const [text, setText] = useState('')
  const wanted = useDeferredValue(text.trim())
  const { data } = useQuery({
    queryKey: ['services', 'choice', conditions, wanted],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => {
      const query = wanted === '' ? '' : `&query=${encodeURIComponent(wanted)}`
      const path = `/services?${conditions}${query}&fields=id,name&sort=name&limit=${offered}` as const
      return readPage(path, signal)
    },
  })
  const toggle = (id: number, name: string) => {
    const after = new Map(chosen)
    if (!after.delete(id)) after.set(id, name)
    choose(after)
  }
  const found = (data?.rows ?? []).filter(({ id }) => !chosen.has(id) && id !== without)
  const count = (data?.total ?? 0) - (data?.rows.some(({ id }) => id === without) ? 1 : 0)
  const rows = [...[...chosen].map(([id, name]) => ({ id, name })), ...found]
  return (
    <div className="service-choice">
      <input
        type="search"
        aria-label={words.findService}
        placeholder={words.findService}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <ul>
        {rows.map(({ id, name }) => (
          <li key={id}>
            <label className="row">
              <input type="checkbox" checked={chosen.has(id)} onChange={() => toggle(id, name)} />
              <span>{name}</span>
            </label>
          </li>
        ))}
      </ul>
      <p className="hint" role="status">
        {words.servicesFound(count)} · {words.servicesChosen(chosen.size)}
      </p>
    </div>
  )
}
