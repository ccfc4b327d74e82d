import { visible } from '../domain/one-line.ts'

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
  const lines = text.split(/\r?\n/).map((line) => visible(line).trimEnd())
  const characters = [...lines.join('\n').trim()]
  return characters.length <= longest ? characters.join('') : `${characters.slice(0, longest - 1).join('')}…`
}
