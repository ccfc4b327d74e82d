import type { Language } from '../wording/language.ts'
import { catalogues } from '../wording/texts.ts'
import { maximumBodyBytes } from './body.ts'
import { defaultLimit, maximumLimit } from './query.ts'

/** The address in the guide's examples: that of a server with the default settings. */
export const exampleBaseUrl = 'http://127.0.0.1:8080/v3'

/** The introduction of the API's description: everything that the operations share, from the first call on. */
export function guideIn(language: Language): string {
  return catalogues[language].guide({
    baseUrl: exampleBaseUrl,
    pageSize: defaultLimit,
    longestPage: maximumLimit,
    bodyKibibytes: maximumBodyBytes / 1024,
  })
}
