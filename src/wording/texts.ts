import { timeZoneName } from '../domain/calendars/time-zones.ts'
import { type DictionaryName, dictionaries } from '../domain/dictionaries.ts'
import { isProblemDetail, isProblemSymbol } from '../domain/input/problem-codes.ts'
import type { Catalogue, ElementText } from './catalogue.ts'
import { en } from './en.ts'
import { type Facts, fill } from './fill.ts'
import type { Language } from './language.ts'
import type { PageText } from './page-texts.ts'
import { developers } from './pl/problems.ts'
import { pl } from './pl.ts'

export const catalogues: Readonly<Record<Language, Catalogue>> = { pl, en }

/** The user's text of a problem (specification: Errors, `message`); `facts.detail` adds the expected value. */
export function problemText(symbol: string, language: Language, facts: Facts = {}): string {
  const { users, details } = catalogues[language].problems
  const text = fill(users[isProblemSymbol(symbol) ? symbol : 'internal_error'], facts)
  const detail = facts['detail']
  return isProblemDetail(detail) ? `${text} ${details[detail]}` : text
}

/** For developers, in Polish (specification: Errors, `description`). */
export function problemDescription(symbol: string): string {
  return developers[isProblemSymbol(symbol) ? symbol : 'internal_error']
}

/** A text of a page, its facts filled in. */
export function pageText(key: PageText, language: Language, facts: Facts = {}): string {
  return fill([catalogues[language].pages[key]], facts)
}

export interface DictionaryElement extends ElementText {
  readonly id: string
}

/** The elements of a dictionary in order, in the reader's language. */
export function dictionaryElements(dictionary: DictionaryName, language: Language): readonly DictionaryElement[] {
  if (dictionary === 'time_zones') return timeZones(language)
  const texts: Readonly<Record<string, ElementText>> = catalogues[language].dictionaries[dictionary]
  return dictionaries[dictionary].map((id) => ({
    id,
    name: texts[id]?.name ?? id,
    description: texts[id]?.description ?? '',
  }))
}

const zonesByLanguage = new Map<Language, readonly DictionaryElement[]>()

/** Naming four hundred zones takes tens of milliseconds, so it is done once per language. */
function timeZones(language: Language): readonly DictionaryElement[] {
  const known = zonesByLanguage.get(language)
  if (known !== undefined) return known
  const zones = dictionaries.time_zones.map((id) => {
    const name = timeZoneName(id) ?? id
    return { id, name, description: zoneDescription(name, language) }
  })
  zonesByLanguage.set(language, zones)
  return zones
}

/** Generic names depend on the rules in force; any recent moment gives today's. */
const recently = Date.UTC(2025, 0, 1)

function zoneDescription(name: string, language: Language): string {
  const format = new Intl.DateTimeFormat(language, { timeZone: name, timeZoneName: 'longGeneric' })
  return format.formatToParts(recently).find((part) => part.type === 'timeZoneName')?.value ?? name
}
