/** U+0000 and lone surrogates: PostgreSQL stores neither, in text or in jsonb. */
const unstorable = /[\0\p{Cs}]/u
const everyUnstorable = /[\0\p{Cs}]/gu

/** True if the database can store the text unchanged. */
export function isStorable(text: string): boolean {
  return !unstorable.test(text)
}

/** The text with U+FFFD for everything that the database cannot store. */
export function storable(text: string): string {
  return isStorable(text) ? text : text.replace(everyUnstorable, '\ufffd')
}

/**
 * True if the database can store every text and number of a JSON value unchanged. `1e400` is read as infinite, which
 * JSON does not allow.
 */
export function isStorableJson(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value)
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([name, part]) => isStorable(name) && isStorableJson(part))
}
