import type { LanguageId } from '../dictionaries.ts'

/** Language and time zone of new accounts whose request names none. */
export interface AccountDefaults {
  readonly languageId: LanguageId
  /** Element of the dictionary time_zones. */
  readonly timeZoneId: string
}
