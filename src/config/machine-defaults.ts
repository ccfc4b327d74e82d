import { readTimeZone } from '../domain/calendars/time-zones.ts'
import type { LanguageId } from '../domain/dictionaries.ts'
import type { Environment } from './sources.ts'

/**
 * The language of the machine's locale (POSIX: `LC_ALL` over `LC_MESSAGES` over `LANG`); English if it is not one of
 * ours.
 */
export function machineLanguage({ LC_ALL, LC_MESSAGES, LANG }: Environment): LanguageId {
  const locale = [LC_ALL, LC_MESSAGES, LANG].find((value) => value !== undefined && value !== '') ?? ''
  return /^pl([_.@-]|$)/i.test(locale) ? 'pl' : 'en'
}

/** Element of the dictionary time_zones; `utc` if the machine's zone is not in it. */
export function machineTimeZone(): string {
  return readTimeZone(Intl.DateTimeFormat().resolvedOptions().timeZone) ?? 'utc'
}
