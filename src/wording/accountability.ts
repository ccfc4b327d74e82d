import type { AccountabilityText } from './accountability-texts.ts'
import { type Facts, fill } from './fill.ts'
import type { Language } from './language.ts'
import { catalogues } from './texts.ts'

/** A text of the page about the installation itself, its facts filled in. */
export function accountabilityText(key: AccountabilityText, language: Language, facts: Facts = {}): string {
  return fill([catalogues[language].accountability[key]], facts)
}
