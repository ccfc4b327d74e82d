/** GSM 03.38, the default alphabet of SMS, without the escape. */
const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ' +
    ' !"#¤%&\'()*+,-./0123456789:;<=>?' +
    '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§' +
    '¿abcdefghijklmnopqrstuvwxyzäöñüà',
)

/** Its extension: each is sent as two characters, the first of them the escape. */
const extended = new Set('\f^{}\\[~]|€')

/** Characters that Unicode does not decompose, and what stands for them. */
const substitutes: Readonly<Record<string, string>> = {
  ...{ ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', œ: 'oe', Œ: 'OE', ı: 'i' },
  ...{ '„': '"', '“': '"', '”': '"', '«': '"', '»': '"', '″': '"' },
  ...{ '‚': "'", '‘': "'", '’': "'", '‹': "'", '›': "'", '`': "'", '´': "'" },
  ...{ '‐': '-', '–': '-', '—': '-', '−': '-', '•': '*', '×': 'x', '→': '->', '⁄': '/', '\t': ' ' },
}

/** What one message holds: units of its alphabet, and the mark of what was cut off. */
interface Form {
  readonly capacity: number
  readonly ellipsis: string
  unitsOf(character: string): number
}

const gsm7: Form = { capacity: 160, ellipsis: '...', unitsOf: gsm7Units }
const ucs2: Form = { capacity: 70, ellipsis: '…', unitsOf: (character) => character.length }

/** 1 or 2 units of GSM 7; Infinity when the alphabet has no such character. */
function gsm7Units(character: string): number {
  if (basic.has(character)) return 1
  return extended.has(character) ? 2 : Number.POSITIVE_INFINITY
}

/** Units of GSM 7, of which a message holds 160; null when the text needs UCS-2, of which it holds 70. */
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
 * The text as one SMS, cut where it is too long. Transliterated (`zażółć` to `zazolc`) when that makes the whole of it GSM 7;
 * else it is left as it is, in UCS-2, where foreign letters cost nothing.
 */
export function asOneSms(text: string, isTransliterated: boolean): string {
  const whole = text.normalize('NFC').replace(/\p{Cs}/gu, '\ufffd')
  const plain = isTransliterated ? transliterate(whole) : whole
  return gsm7Length(plain) === null ? cut(whole, ucs2) : cut(plain, gsm7)
}

function transliterate(text: string): string {
  return [...text].map((character) => (gsm7Length(character) === null ? plainForm(character) : character)).join('')
}

function plainForm(character: string): string {
  const bare = [...character.normalize('NFKD').replace(/\p{Mn}/gu, '')]
  const plain = bare.map((part) => substitutes[part] ?? part).join('')
  return plain === '' || gsm7Length(plain) === null ? character : plain
}

function cut(text: string, form: Form): string {
  if (lengthIn(form, text) <= form.capacity) return text
  let room = form.capacity - lengthIn(form, form.ellipsis)
  const kept: string[] = []
  for (const character of text) {
    room -= form.unitsOf(character)
    if (room < 0) break
    kept.push(character)
  }
  return `${kept.join('').trimEnd()}${form.ellipsis}`
}
