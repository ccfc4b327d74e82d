/** U+0000 and lone surrogates: PostgreSQL keeps neither. */
const unstorable = /[\0\p{Cs}]/u

/** Whether the database can keep the text, and so whether anything in it can match the text. */
export function isStorable(text: string): boolean {
  return !unstorable.test(text)
}
