/** Control characters would break lines and headers; the others in the class turn the reading direction around. */
const unwanted = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu

/** Text of strangers (names, servers' answers) as one line of at most `longest` characters. */
export function oneLine(text: string, longest: number): string {
  const characters = [...text.replace(unwanted, ' ').replace(/ {2,}/g, ' ').trim()]
  return characters.length <= longest ? characters.join('') : `${characters.slice(0, longest - 1).join('')}…`
}

/** Rows `Label:  value` with the values under one another. */
export function aligned(rows: readonly (readonly [label: string, value: string])[]): string[] {
  const width = Math.max(...rows.map(([label]) => label.length)) + 2
  return rows.map(([label, value]) => `${`${label}:`.padEnd(width)}${value}`)
}

/** `user:***@host`: a password in the address stays out of mailboxes. */
export function withoutPassword(address: string): string {
  return address.replace(/^([^/?#]*?):[^/?#]*@/, '$1:***@')
}

/** Several lines of at most `longest` characters together; nothing in them but text and line breaks. */
export function cutText(text: string, longest: number): string {
  const lines = text.split(/\r?\n/).map((line) => line.replace(unwanted, ' ').trimEnd())
  const characters = [...lines.join('\n').trim()]
  return characters.length <= longest ? characters.join('') : `${characters.slice(0, longest - 1).join('')}…`
}
