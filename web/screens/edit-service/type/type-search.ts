import { plainLetters } from '../../../format/plain-letters.ts'

interface Searched {
  readonly id: string
  readonly name: string
  readonly family_id: string
  readonly family_name: string
  readonly keywords: readonly string[]
}

/** The type of the same checks over IPv6 alone, and the type that has it. */
export const twinOf = (typeId: string) => `${typeId}_ipv6`
export const baseOf = (typeId: string) => typeId.replace(/_ipv6$/, '')

/** The words of a text, in plain letters. */
function wordsOf(text: string): readonly string[] {
  return plainLetters(text).match(/[a-z0-9]+/g) ?? []
}

/** The types with words that begin as each of the typed ones; by their families only if nothing else is found. */
export function foundTypes<Type extends Searched>(types: readonly Type[], typed: string): readonly Type[] {
  const typedWords = wordsOf(typed)
  const havingAll = (textOf: (type: Type) => string) =>
    types.filter((type) => {
      const words = wordsOf(textOf(type))
      return typedWords.every((begun) => words.some((word) => word.startsWith(begun)))
    })
  const own = ({ id, name, keywords }: Type) => [id, name, ...keywords].join(' ')
  const found = havingAll(own)
  return found.length > 0 ? found : havingAll((type) => `${own(type)} ${type.family_name}`)
}

/** Without the types for IPv6 alone whose base is there: a switch beside the field chooses them. */
export function withoutTwins<Type extends Searched>(types: readonly Type[]): readonly Type[] {
  const ids = new Set(types.map(({ id }) => id))
  return types.filter(({ id }) => baseOf(id) === id || !ids.has(baseOf(id)))
}
