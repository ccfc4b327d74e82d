import { plainLetters } from '../../format/plain-letters.ts'

const longest = 60

/** The address that a title suggests: `Sklep Łódź` becomes `sklep-lodz`. Empty without any Latin letter or digit. */
export function proposedSlug(title: string): string {
  const words = plainLetters(title).match(/[a-z0-9]+/g) ?? []
  return words.join('-').slice(0, longest).replace(/-+$/, '')
}
