import { type LanguageId, languageIds } from '../domain/dictionaries.ts'

export type Language = LanguageId

/** The stored language of an account; anything unknown falls back to English (answers §2). */
export function languageOf(id: string | null | undefined): Language {
  return languageIds.find((language) => language === id) ?? 'en'
}
