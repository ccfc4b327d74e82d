import type { ServiceType } from '../../../api/answers.ts'
import { CheckField } from '../../../parts/fields.tsx'
import { useWords } from '../../../words/words.ts'
import type { AvailableType } from '../edit-queries.ts'
import { Field } from '../field.tsx'
import { TypePicker } from './type-picker.tsx'
import { baseOf, twinOf, withoutTwins } from './type-search.ts'
import { typeWords } from './words.ts'

interface TypeProps {
  readonly typeId: string
  readonly types: readonly ServiceType[]
  /** The types of the package; undefined: they are not known yet. */
  readonly available: readonly AvailableType[] | undefined
  readonly isNew: boolean
  readonly hint: string | undefined
  readonly choose: (typeId: string) => void
}

/** The type of a service. A type for IPv6 alone is a switch beside its base. */
export function TypeField({ typeId, types, available, isNew, hint, choose }: TypeProps) {
  const words = useWords(typeWords)
  const chosen = types.find(({ id }) => id === typeId)
  if (!isNew)
    return (
      <Field name="type_id" label={words.type} hint={hint}>
        {(control) => <input {...control} type="text" disabled value={chosen?.name ?? typeId} />}
      </Field>
    )
  const has = (id: string) => available?.some((one) => one.service_type_id === id) ?? true
  const offered = types.filter(({ id }) => id === typeId || has(id))
  const full = (available ?? []).filter((one) => one.remaining_services === 0).map((one) => one.service_type_id)
  const base = offered.find(({ id }) => id === baseOf(typeId))
  const twin = offered.find(({ id }) => id === twinOf(baseOf(typeId)))
  return (
    <div className="field">
      <Field name="type_id" label={words.type} hint={hint ?? words.hint}>
        {(control) => (
          <TypePicker
            control={control}
            chosen={base ?? chosen}
            types={withoutTwins(offered)}
            full={new Set(full)}
            choose={choose}
          />
        )}
      </Field>
      {base === undefined || twin === undefined ? null : (
        <CheckField
          label={words.onlyIpv6}
          checked={twin.id === typeId}
          set={(isOnly) => choose(isOnly ? twin.id : base.id)}
        />
      )}
    </div>
  )
}
