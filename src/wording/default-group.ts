import type { Language } from './language.ts'

/** Name of the group that an account is born with. */
export const defaultGroupNames: Readonly<Record<Language, string>> = { pl: 'Grupa domyślna', en: 'Default group' }
