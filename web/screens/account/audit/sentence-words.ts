/** How sentences of the audit log are put together. `{}` is the object. */
const en = {
  language: 'en' as 'en' | 'pl',
  yes: 'yes',
  no: 'no',
  nothing: 'none',
  quoted: (text: string) => `“${text}”`,
  numbered: (id: string) => `number ${id}`,
  // One value that changed is the sentence itself.
  one: {
    changed: (field: string, before: string, after: string) => `changed the ${field} of {} from ${before} to ${after}`,
    set: (field: string, after: string) => `set the ${field} of {} to ${after}`,
    removed: (field: string, before: string) => `removed the ${field} of {}, which was ${before}`,
    flag: (field: string, after: string) => `set “${field}” of {} to ${after}`,
    secret: (field: string) => `replaced the ${field} of {}`,
    other: (field: string) => `changed the ${field} of {}`,
  },
  // Several stand behind it.
  many: {
    changed: (field: string, before: string, after: string) => `${field} from ${before} to ${after}`,
    set: (field: string, after: string) => `${field} set to ${after}`,
    removed: (field: string, before: string) => `${field} removed (was ${before})`,
    flag: (field: string, after: string) => `${field}: ${after}`,
    secret: (field: string) => `${field} replaced`,
    other: (field: string) => `${field} changed`,
  },
  list: (texts: readonly string[]) => `: ${texts.join(', ')}`,
  more: (count: number) => `${count} more`,
  byKey: (who: string, key: string) => `${who} (API key ${key})`,
  unnamedKey: (id: number) => `#${id}`,
  account: (id: number) => `Account ${id}`,
  program: 'Latarnik',
  between: ' ',
}

export type Texts = typeof en

const pl: Texts = {
  language: 'pl',
  yes: 'tak',
  no: 'nie',
  nothing: 'brak',
  quoted: (text: string) => `„${text}”`,
  numbered: (id: string) => `numer ${id}`,
  one: {
    changed: (field: string, before: string, after: string) => `zmieniono {} – ${field} z ${before} na ${after}`,
    set: (field: string, after: string) => `zmieniono {} – ${field}: ${after}`,
    removed: (field: string, before: string) => `zmieniono {} – ${field}: usunięto ${before}`,
    flag: (field: string, after: string) => `zmieniono {} – ${field}: ${after}`,
    secret: (field: string) => `zmieniono {} – ${field}: nowa wartość`,
    other: (field: string) => `zmieniono {} – ${field}`,
  },
  many: {
    changed: (field: string, before: string, after: string) => `${field} z ${before} na ${after}`,
    set: (field: string, after: string) => `${field}: ${after}`,
    removed: (field: string, before: string) => `${field}: usunięto ${before}`,
    flag: (field: string, after: string) => `${field}: ${after}`,
    secret: (field: string) => `${field}: nowa wartość`,
    other: (field: string) => field,
  },
  list: (texts: readonly string[]) => ` – ${texts.join(', ')}`,
  more: (count: number) => `i jeszcze ${count}`,
  byKey: (who: string, key: string) => `${who} (klucz API ${key})`,
  unnamedKey: (id: number) => `#${id}`,
  account: (id: number) => `Konto ${id}`,
  program: 'Latarnik',
  between: ': ',
}

export const sentenceWords = { en, pl }
