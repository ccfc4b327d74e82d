import { useState } from 'react'
import { useWords } from '../../words/words.ts'
import { onCallWords } from './words.ts'

interface PicksProps<Id extends string | number> {
  readonly legend: string
  /** Its path in the body of the request. */
  readonly name: string
  readonly all: readonly { readonly id: Id; readonly name: string }[]
  readonly chosen: readonly Id[]
  readonly choose: (chosen: readonly Id[]) => void
}

/** A longer list has a field that searches it. */
const mostWithoutSearch = 20
/** Check boxes on the screen; the search finds the others. */
const mostShown = 200

/** Some of a list, by check boxes; nothing when there is nothing to choose. */
export function Picks<Id extends string | number>({ legend, name, all, chosen, choose }: PicksProps<Id>) {
  const words = useWords(onCallWords)
  const [search, setSearch] = useState('')
  if (all.length === 0) return null
  const isLong = all.length > mostWithoutSearch
  const wanted = search.trim().toLocaleLowerCase()
  const found = all.filter((one) => one.name.toLocaleLowerCase().includes(wanted))
  const picked = new Set(chosen)
  const shown =
    isLong && wanted === '' ? found.toSorted((one, other) => rank(picked, one) - rank(picked, other)) : found
  return (
    <fieldset className="picks" data-field={name}>
      <legend>{legend}</legend>
      {isLong ? (
        <input
          type="search"
          className="wide"
          aria-label={`${legend}: ${words.search}`}
          placeholder={words.search}
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
      ) : null}
      {shown.slice(0, mostShown).map((one) => (
        <label key={one.id} className="check">
          <input
            type="checkbox"
            checked={picked.has(one.id)}
            onChange={({ target }) =>
              choose(target.checked ? [...chosen, one.id] : chosen.filter((id) => id !== one.id))
            }
          />
          <span>{one.name}</span>
        </label>
      ))}
      {shown.length > mostShown ? <p className="wide hint">{words.more(shown.length - mostShown)}</p> : null}
    </fieldset>
  )
}

function rank<Id>(picked: ReadonlySet<Id>, { id }: { readonly id: Id }): number {
  return picked.has(id) ? 0 : 1
}
