const escapes: Readonly<Record<string, number>> = { r: 13, n: 10, t: 9, '\\': 92 }

/**
 * The bytes that a text stands for: UTF-8, but `\r`, `\n`, `\t`, `\\` and `\xHH` are single bytes. Undefined if the
 * text has any other backslash.
 */
export function escapedBytes(text: string): Uint8Array | undefined {
  const parts = text.split(/(\\x[0-9a-f]{2}|\\[rnt\\])/i)
  const bytes: number[] = []
  for (const [index, part] of parts.entries()) {
    if (index % 2 === 0) {
      if (part.includes('\\')) return undefined
      bytes.push(...utf8(part))
    } else bytes.push(escapes[part.slice(1)] ?? Number.parseInt(part.slice(2), 16))
  }
  return Uint8Array.from(bytes)
}

const signs: Readonly<Record<string, string>> = { '\r': '\\r', '\n': '\\n', '\t': '\\t', '\\': '\\\\' }

/** The text for which `escapedBytes` gives the UTF-8 of this one. */
export function escapedText(text: string): string {
  return text.replaceAll(/[\r\n\t\\]/g, (sign) => signs[sign] ?? sign)
}

/** Percent-encoding is the language's only built-in way to UTF-8. */
function utf8(text: string): readonly number[] {
  const encoded = encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\ufffd'))
  return [...encoded.matchAll(/%([0-9A-F]{2})|[\s\S]/g)].map(([character, hex]) =>
    hex === undefined ? character.charCodeAt(0) : Number.parseInt(hex, 16),
  )
}
