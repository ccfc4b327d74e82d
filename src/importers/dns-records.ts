import { isIPv4, isIPv6 } from 'node:net'
import { patternOf } from './texts.ts'

/** Questions and patterns for a check of DNS. It searches the data of the answers, one record in a line. */

interface Surroundings {
  readonly before: string
  readonly after: string
}

/** The numbers and words around the one part of a record's data that other monitors compare. */
const surroundings: Readonly<Partial<Record<string, Surroundings>>> = {
  MX: { before: String.raw`\d+ `, after: '' },
  SRV: { before: String.raw`\d+ \d+ `, after: '' },
  SOA: { before: '', after: ' .*' },
  CAA: { before: String.raw`\d+ issue `, after: '' },
}

function surroundingsOf(type: string): Surroundings | undefined {
  return Object.hasOwn(surroundings, type) ? surroundings[type] : undefined
}

/** The pattern of a record of which the compared part matches, from its beginning to its end. */
export function recordPattern(type: string, compared: string): string {
  const { before, after } = surroundingsOf(type) ?? { before: '', after: '' }
  return `(?m)^${before}${compared}${after}$`
}

/** True if the data of a record is more than the part that other monitors compare. */
export function isPartOfRecord(type: string): boolean {
  return surroundingsOf(type) !== undefined
}

/** The name to ask for: without its last dot, and for an address its reverse name. */
export function askedName(name: string, type: string): string {
  const plain = name.replace(/\.$/, '')
  if (type !== 'PTR') return plain
  if (isIPv4(plain)) return `${plain.split('.').toReversed().join('.')}.in-addr.arpa`
  const hasDigits = isIPv6(plain) && !plain.includes('%')
  return hasDigits ? `${[...digitsOf(plain)].toReversed().join('.')}.ip6.arpa` : plain
}

/** The 32 digits of an IPv6 address. */
function digitsOf(address: string): string {
  // A URL writes each form of an address as groups of digits.
  const [head = '', tail = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const groupsOf = (part: string) => part.split(':').filter((group) => group !== '')
  const [left, right] = [groupsOf(head), groupsOf(tail)]
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '')
  return [...left, ...zeros, ...right].map((group) => group.padStart(4, '0')).join('')
}

const space = String.raw`(?:\t|\\t|\\s[+*]?| +)`
const ofWholeRecord = /\t|\\t|\\s|^\^|\bIN\b/

/**
 * The part of a pattern for whole records (`name TTL IN type data`, parted by tabs) that is about the data; null for a
 * pattern that says more than the data can tell.
 */
export function dataPattern(pattern: string, name: string, type: string): string | null {
  const [, flags = '', rest = pattern] = /^(\(\?[a-z]+\))?(.*)$/s.exec(pattern) ?? []
  const typeWord = patternOf(type)
  const [, data] = new RegExp(`${space}${typeWord}${space}(.*)$`, 's').exec(rest) ?? []
  if (data !== undefined) return /\t|\\t|\bIN\b/.test(data) ? null : `${flags}^(?:${asDataHere(data)})`
  const plain = rest.replaceAll('\\.', '.')
  const ofOwner = new RegExp(String.raw`(?<![\w-]\.?)${patternOf(name)}`, 'i')
  const saysMore = ofWholeRecord.test(rest) || ofOwner.test(plain) || new RegExp(`\\b${typeWord}\\b`).test(plain)
  return saysMore ? null : `${flags}${asDataHere(rest)}`
}

/** The data here has no quotes, and its names no last dot. */
function asDataHere(pattern: string): string {
  return pattern.replaceAll(/\\?"/g, '').replaceAll(/(?<=[a-z])\\?\.(?=\$?$|[ )|]|\\s)/gi, '$&?')
}
