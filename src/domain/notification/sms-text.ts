/** GSM 03.38, the default alphabet of SMS, without the escape. */
const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ' +
    ' !"#¤%&\'()*+,-./0123456789:;<=>?' +
    '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§' +
    '¿abcdefghijklmnopqrstuvwxyzäöñüà',
)

/** Its extension: each character is sent as two, the escape first. */
const extended = new Set('\f^{}\\[~]|€')

/** Replacements for characters that Unicode does not decompose. */
const substitutes: Readonly<Record<string, string>> = {
  ...{ ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', œ: 'oe', Œ: 'OE', ı: 'i' },
  ...{ '„': '"', '“': '"', '”': '"', '«': '"', '»': '"', '″': '"' },
  ...{ '‚': "'", '‘': "'", '’': "'", '‹': "'", '›': "'", '`': "'", '´': "'" },
  ...{ '‐': '-', '–': '-', '—': '-', '−': '-', '•': '*', '×': 'x', '→': '->', '⁄': '/', '\t': ' ' },
}

/** The octets of the extension, which follow the escape. */
const extensionCodes: Readonly<Record<string, number>> = {
  ...{ '\f': 0x0a, '^': 0x14, '{': 0x28, '}': 0x29, '\\': 0x2f, '[': 0x3c, '~': 0x3d, ']': 0x3e, '|': 0x40, '€': 0x65 },
}
const escapeCode = 0x1b
const basicCodes = new Map([...basic].map((character, index) => [character, index < escapeCode ? index : index + 1]))

/**
 * The capacity of one message in units of its alphabet, alone or as part of a longer one, and the mark for cut text.
 */
interface Form {
  readonly capacity: number
  readonly partCapacity: number
  readonly ellipsis: string
  unitsOf(character: string): number
}

const gsm7: Form = { capacity: 160, partCapacity: 153, ellipsis: '...', unitsOf: gsm7Units }
const ucs2: Form = { capacity: 70, partCapacity: 67, ellipsis: '…', unitsOf: (character) => character.length }

/** 1 or 2 units of GSM 7; Infinity if the alphabet lacks the character. */
function gsm7Units(character: string): number {
  if (basic.has(character)) return 1
  return extended.has(character) ? 2 : Number.POSITIVE_INFINITY
}

/** The length in units of GSM 7, of which a message holds 160; null if the text needs UCS-2 (70 per message). */
export function gsm7Length(text: string): number | null {
  const length = lengthIn(gsm7, text)
  return Number.isFinite(length) ? length : null
}

function lengthIn(form: Form, text: string): number {
  let length = 0
  for (const character of text) length += form.unitsOf(character)
  return length
}

/**
 * The text as an SMS of at most `mostParts` parts, cut if it is too long. It is transliterated (`zażółć` to `zazolc`)
 * if that makes all of it GSM 7. Otherwise it stays as it is, in UCS-2, where foreign letters cost nothing.
 */
export function asSms(text: string, isTransliterated: boolean, mostParts: number): string {
  const whole = text.normalize('NFC').replace(/\p{Cs}/gu, '\ufffd')
  const plain = isTransliterated ? transliterate(whole) : whole
  return gsm7Length(plain) === null ? cut(whole, ucs2, mostParts) : cut(plain, gsm7, mostParts)
}

/** GSM 03.38 seven-bit letters, or UCS-2 if that alphabet lacks a character. */
export interface SmsParts {
  readonly alphabet: 'gsm7' | 'ucs2'
  readonly parts: readonly string[]
}

/** The parts of a sent text; no character is split between two. */
export function smsParts(text: string): SmsParts {
  const isGsm7 = gsm7Length(text) !== null
  const form = isGsm7 ? gsm7 : ucs2
  const alphabet = isGsm7 ? 'gsm7' : 'ucs2'
  if (lengthIn(form, text) <= form.capacity) return { alphabet, parts: [text] }
  const parts: string[] = ['']
  let room = form.partCapacity
  for (const character of text) {
    const units = form.unitsOf(character)
    if (units > room) {
      parts.push('')
      room = form.partCapacity
    }
    parts[parts.length - 1] += character
    room -= units
  }
  return { alphabet, parts }
}

/** The unpacked octets of GSM 7, as SMPP carries them. A character outside the alphabet becomes a question mark. */
export function gsm7Octets(text: string): readonly number[] {
  return [...text].flatMap((character) => {
    const extension = extensionCodes[character]
    if (extension !== undefined) return [escapeCode, extension]
    return [basicCodes.get(character) ?? 0x3f]
  })
}

function transliterate(text: string): string {
  return [...text].map((character) => (gsm7Length(character) === null ? plainForm(character) : character)).join('')
}

function plainForm(character: string): string {
  const bare = [...character.normalize('NFKD').replace(/\p{Mn}/gu, '')]
  const plain = bare.map((part) => substitutes[part] ?? part).join('')
  return plain === '' || gsm7Length(plain) === null ? character : plain
}

/** Each boundary between parts may waste a unit on a character that takes two. */
function cut(text: string, form: Form, mostParts: number): string {
  const capacity = mostParts === 1 ? form.capacity : mostParts * form.partCapacity - (mostParts - 1)
  if (lengthIn(form, text) <= Math.max(form.capacity, capacity)) return text
  let room = capacity - lengthIn(form, form.ellipsis)
  const kept: string[] = []
  for (const character of text) {
    room -= form.unitsOf(character)
    if (room < 0) break
    kept.push(character)
  }
  return `${kept.join('').trimEnd()}${form.ellipsis}`
}
