const space = /[ \t\n\r]*/y
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const word = /true|false|null/y
const escapeSign = /["\\/bfnrt]|u[0-9a-fA-F]{4}/y

/** The end of the match at the index; the index itself if there is no match. */
function after(pattern: RegExp, text: string, index: number): number {
  pattern.lastIndex = index
  return pattern.test(text) ? pattern.lastIndex : index
}

interface Read {
  readonly end: number
  readonly isWhole: boolean
}

/**
 * Reads a text from its opening quote. It goes character by character, because a pattern backtracks too much on long
 * texts.
 */
function readText(text: string, start: number): Read {
  for (let index = start + 1; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code === 34) return { end: index + 1, isWhole: true }
    if (code < 32) return { end: index, isWhole: false }
    if (code !== 92) continue
    const end = after(escapeSign, text, index + 1)
    if (end === index + 1) return { end: index, isWhole: false }
    index = end - 1
  }
  return { end: text.length, isWhole: false }
}

function readPlain(text: string, start: number): Read {
  if (text[start] === '"') return readText(text, start)
  const end = Math.max(after(word, text, start), after(number, text, start))
  return { end, isWhole: end > start }
}

type Wanted = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | ', or end'

/**
 * The tokens expected after a structural sign; null if the sign may not stand there. `open` holds the closing signs
 * still due.
 */
function afterSign(sign: string, open: string[], wanted: Wanted): Wanted | null {
  const innermost = open.at(-1)
  const mayClose = wanted === ', or end' || wanted === 'value or ]' || wanted === 'name or }'
  if (mayClose && sign === innermost) {
    open.pop()
    return ', or end'
  }
  if (sign === ',' && wanted === ', or end' && innermost !== undefined) return innermost === ']' ? 'value' : 'name'
  if (sign === ':' && wanted === ':') return 'value'
  if (!wanted.startsWith('value') || (sign !== '[' && sign !== '{')) return null
  open.push(sign === '[' ? ']' : '}')
  return sign === '[' ? 'value or ]' : 'name or }'
}

/**
 * The index of the first character that breaks the JSON grammar (RFC 8259), or the text's length if it ends too soon.
 * @returns null when nothing is wrong
 */
export function jsonFaultAt(text: string): number | null {
  const open: string[] = []
  let wanted: Wanted = 'value'
  let index = after(space, text, 0)
  while (index < text.length) {
    const sign = text[index] ?? ''
    const next = afterSign(sign, open, wanted)
    const isName = wanted.startsWith('name')
    if (next === null && !(isName ? sign === '"' : wanted.startsWith('value'))) return index
    const { end, isWhole } = next === null ? readPlain(text, index) : { end: index + 1, isWhole: true }
    if (!isWhole) return end
    wanted = next ?? (isName ? ':' : ', or end')
    index = after(space, text, end)
  }
  return wanted === ', or end' && open.length === 0 ? null : index
}

/** Line and column, both from 1, as editors count. */
export function placeOf(text: string, index: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, index).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}
