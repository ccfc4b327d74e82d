import { inReadingOrder } from '../domain/text/one-line.ts'

/** A text that is already HTML; everything else is escaped. */
export interface Html {
  readonly markup: string
}

type Part = string | number | Html | null | readonly Html[]

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return inReadingOrder(text).replace(/[&<>"']/g, (character) => entities[character] ?? '')
}

function markupOf(part: Part): string {
  if (part === null) return ''
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part))
  return 'markup' in part ? part.markup : part.map((one) => one.markup).join('')
}

/** A template whose values cannot break out of a text or of a quoted attribute, or turn the reading around them. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const markup = strings.reduce((whole, text, index) => whole + markupOf(parts[index - 1] ?? null) + text)
  return { markup }
}
