interface PicksProps<Id extends string | number> {
  readonly legend: string
  /** Its path in the body of the request. */
  readonly name: string
  readonly all: readonly { readonly id: Id; readonly name: string }[]
  readonly chosen: readonly Id[]
  readonly choose: (chosen: readonly Id[]) => void
}

/** Some of a list, by check boxes; nothing when there is nothing to choose. */
export function Picks<Id extends string | number>({ legend, name, all, chosen, choose }: PicksProps<Id>) {
  if (all.length === 0) return null
  return (
    <fieldset className="picks" data-field={name}>
      <legend>{legend}</legend>
      {all.map((one) => (
        <label key={one.id} className="check">
          <input
            type="checkbox"
            checked={chosen.includes(one.id)}
            onChange={({ target }) =>
              choose(target.checked ? [...chosen, one.id] : chosen.filter((id) => id !== one.id))
            }
          />
          <span>{one.name}</span>
        </label>
      ))}
    </fieldset>
  )
}
