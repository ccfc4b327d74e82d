import type { Language } from '../wording/language.ts'

/** The language of the person at this machine: Polish if the locale says so, otherwise English. */
export function languageOfMachine(environment: NodeJS.ProcessEnv = process.env): Language {
  const locale = environment['LC_ALL'] || environment['LC_MESSAGES'] || environment['LANG'] || ''
  return /^pl\b|^pl_/i.test(locale) ? 'pl' : 'en'
}
