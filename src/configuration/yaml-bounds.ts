import { Lexer } from 'yaml'
import { largestFile } from './files.ts'

/**
 * The bounds of a file, known before it is parsed. The parser takes a second and a hundred megabytes for each megabyte,
 * and of some files much more; its lexer takes next to no memory.
 */

const mebibyte = 1024 * 1024
/** Values of a file. An alias counts with all values that it repeats, so few lines cannot fill the memory. */
export const mostValues = 500_000
/** Signs, line breaks and comments are tokens too. */
const mostTokens = 3_000_000
export const deepest = 60
export const tooDeep = `The file is more than ${deepest} levels deep.`

interface TooMuch {
  readonly offset: number
  readonly message: string
}

/** Marks that the lexer puts between tokens: the beginning of a document, the end of a flow, a scalar that follows. */
const marks = new Set(['\u0002', '\u0018', '\u001f'])
const scalarFollows = '\u001f'
const opening = new Set(['[', '{'])
const closing = new Set([']', '}'])
const signs = new Set(['-', '?', ':'])

function isValue(token: string): boolean {
  return token === scalarFollows || opening.has(token) || /^["'*]/.test(token)
}

/** Why a text is not parsed; null if it may be. */
export function tooMuchIn(text: string): TooMuch | null {
  if (text.length > largestFile)
    return { offset: 0, message: `A file in YAML has at most ${largestFile / mebibyte} MiB. Split it into several.` }
  const seen = { offset: 0, tokens: 0, values: 0, signs: 0, depth: 0, onLine: 0 }
  for (const token of new Lexer().lex(text)) {
    const message = countOne(token, seen)
    if (message !== null) return { offset: seen.offset, message }
    if (!marks.has(token)) seen.offset += token.length
  }
  return null
}

interface Seen {
  tokens: number
  values: number
  /** An empty value is a sign alone: `-`. */
  signs: number
  depth: number
  onLine: number
}

function countOne(token: string, seen: Seen): string | null {
  seen.tokens += 1
  if (isValue(token)) seen.values += 1
  if (signs.has(token)) seen.signs += 1
  if (opening.has(token)) seen.depth += 1
  else if (closing.has(token)) seen.depth -= 1
  // `- - - a`: each sign opens a level.
  if (token === '\n' || token === '\r\n') seen.onLine = 0
  else if (seen.depth === 0 && signs.has(token)) seen.onLine += 1
  if (seen.depth > deepest || seen.onLine > deepest) return tooDeep
  if (Math.max(seen.values, seen.signs) > mostValues)
    return `The file has more than ${mostValues} values. Split it into several.`
  return seen.tokens > mostTokens ? `The file has more than ${mostTokens} words, signs and line breaks.` : null
}

export function positionIn(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset)
  const lineStart = before.lastIndexOf('\n') + 1
  return { line: before.split('\n').length, column: offset - lineStart + 1 }
}
