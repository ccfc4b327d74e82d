import { type Change, isValues, type Values } from './change.ts'

/** One value that changed. */
export interface Difference {
  readonly field: string
  readonly before: unknown
  readonly after: unknown
}

const isEmpty = (value: unknown) => value === null || value === undefined || value === ''

/** The values that differ; members of settings by their own names. */
export function differencesOf({ before, after }: Pick<Change, 'before' | 'after'>): readonly Difference[] {
  if (before === null || after === null) return []
  return between(before, after)
}

function between(before: Values, after: Values): readonly Difference[] {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return fields.flatMap((field) => {
    const [was, is] = [before[field], after[field]]
    if (isEmpty(was) && isEmpty(is)) return []
    const sides = [was, is].filter((side) => !isEmpty(side))
    if (sides.every(isValues)) return between(isValues(was) ? was : {}, isValues(is) ? is : {})
    return [{ field, before: isEmpty(was) ? null : was, after: isEmpty(is) ? null : is }]
  })
}

/** Marks that stand for secrets: `***`, and `*** (new)` where it was replaced. */
export function isSecret({ before, after }: Difference): boolean {
  return [before, after].some((value) => typeof value === 'string' && value.startsWith('***'))
}
