import type { StatusPageText } from './catalogue.ts'
import { type Facts, fill } from './fill.ts'
import type { Language } from './language.ts'
import { catalogues } from './texts.ts'

/** A text of a public status page, its facts filled in. */
export function statusPageText(key: StatusPageText, language: Language, facts: Facts = {}): string {
  return fill([catalogues[language].statusPages[key]], facts)
}
