import type { Language } from './language.ts'

/** The name of each new account's default group. */
export const defaultGroupNames: Readonly<Record<Language, string>> = { pl: 'Grupa domyślna', en: 'Default group' }
