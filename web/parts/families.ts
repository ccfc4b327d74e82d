/** A service type, as far as its family goes. */
interface Member {
  readonly family_id: string
  readonly family_name: string
}

export interface Family<Type> {
  readonly id: string
  readonly name: string
  readonly types: readonly Type[]
}

/** The types by their families, in the given order. */
export function inFamilies<Type extends Member>(types: readonly Type[]): readonly Family<Type>[] {
  const families = [...new Map(types.map(({ family_id, family_name }) => [family_id, family_name]))]
  return families.map(([id, name]) => ({ id, name, types: types.filter(({ family_id }) => family_id === id) }))
}
