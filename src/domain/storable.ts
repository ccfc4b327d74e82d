/** U+0000 and lone surrogates: PostgreSQL keeps neither, in text or in jsonb. */
const unstorable = /[\0\p{Cs}]/u
const everyUnstorable = /[\0\p{Cs}]/gu

/** Whether the database can keep the text as it is. */
export function isStorable(text: string): boolean {
  return !unstorable.test(text)
}

/** The text as the database can keep it: U+FFFD for what it cannot. */
export function storable(text: string): string {
  return isStorable(text) ? text : text.replace(everyUnstorable, '\ufffd')
}

/** Whether the database can keep every text and number in a JSON value as it is: `1e400` is read as infinite, which no JSON is. */
export function isStorableJson(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value)
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([name, part]) => isStorable(name) && isStorableJson(part))
}
