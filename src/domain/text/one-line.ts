/** Control characters break lines, headers and terminals; the others reverse the reading direction. */
const breaking = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u202a-\u202e\u2066-\u2069]+/gu
/** True if the text has no character that breaks a line or commands a terminal. */
export function isOneLine(text: string): boolean {
  return !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)
}

const directionSigns = /[\u202a-\u202e\u2066-\u2069]/g
const opensIsolate = /[\u2066-\u2068]/
const closesIsolate = '\u2069'

/**
 * True if the text cannot change in which order what stands around it is read (UAX 9): no sign overrides or embeds, and
 * every isolate is closed. Letters of any script and the marks U+200E, U+200F and U+061C do no harm.
 */
export function keepsReadingOrder(text: string): boolean {
  if (text.search(directionSigns) === -1) return true
  let open = 0
  for (const [sign] of text.matchAll(directionSigns)) {
    if (opensIsolate.test(sign)) open += 1
    else if (sign === closesIsolate && open > 0) open -= 1
    else return false
  }
  return open === 0
}

/**
 * The same text, without the signs if they would change the order of what stands around it. Old names still have such
 * signs, because they were not always refused.
 */
export function inReadingOrder(text: string): string {
  return keepsReadingOrder(text) ? text : text.replace(directionSigns, '')
}

/** The value of a JSON text that is shown to people: each of its texts is as `inReadingOrder` has it. */
export function parsedInReadingOrder(json: string): unknown {
  // A reviver makes parsing several times slower, and hardly any text has such a sign.
  if (json.search(directionSigns) === -1) return JSON.parse(json)
  return JSON.parse(json, (_name, value: unknown) => (typeof value === 'string' ? inReadingOrder(value) : value))
}

/**
 * Invisible characters make two different names look the same. The ones that join letters and pictures (U+200C, U+200D)
 * stay.
 */
const invisible = /[\u00ad\u180e\u200b\u200e\u200f\u2060-\u2064\u206a-\u206f\ufeff\ufff9-\ufffb]+/gu

/** Untrusted text (names, servers' answers) without invisible and control characters; line breaks become spaces. */
export function visible(text: string): string {
  return text.replace(breaking, ' ').replace(invisible, '')
}

/** Untrusted text as one line of at most `longest` characters. */
export function oneLine(text: string, longest: number): string {
  // However long the text is, the removal below works on no more than this.
  const beginning = text.slice(0, longest * 8)
  const characters = [...visible(beginning).replace(/ {2,}/g, ' ').trim()]
  return characters.length <= longest && beginning.length === text.length
    ? characters.join('')
    : `${characters.slice(0, longest - 1).join('')}…`
}
