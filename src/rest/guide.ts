import type { Language } from '../wording/language.ts'
import { catalogues } from '../wording/texts.ts'
import { maximumBodyBytes } from './body.ts'
import { defaultLimit, maximumLimit } from './query.ts'

/** What stands before the operations in the description of the interface: what they have in common, from the first call on. */
export function guideIn(language: Language): string {
  return catalogues[language].guide({
    pageSize: defaultLimit,
    longestPage: maximumLimit,
    bodyKibibytes: maximumBodyBytes / 1024,
  })
}
