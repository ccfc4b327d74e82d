import type { TemplateNode } from './template.ts'
import { isTemplateFilter, type TemplateFilter } from './template-check.ts'

/** The values of variables; null where an event has none. */
export type TemplateValue =
  | string
  | number
  | boolean
  | null
  | readonly TemplateValue[]
  | { readonly [name: string]: TemplateValue }

export type FilterFunctions = Readonly<Record<TemplateFilter, (value: TemplateValue) => string>>

export interface Rendering {
  readonly filters: FilterFunctions
  /** Escapes a text for its place; JSON is inserted unchanged. */
  readonly written?: (text: string) => string
  /** UTF-16 units. */
  readonly longest: number
}

/** The filled-in template; null if it would be longer than `longest`. */
export function renderTemplate(
  nodes: readonly TemplateNode[],
  values: TemplateValue,
  rendering: Rendering,
): string | null {
  const output: Output = { parts: [], length: 0 }
  return fill(nodes, [values], rendering, output) ? output.parts.join('') : null
}

interface Output {
  readonly parts: string[]
  length: number
}

/** Returns false when no room is left. */
function fill(
  nodes: readonly TemplateNode[],
  scopes: readonly TemplateValue[],
  rendering: Rendering,
  output: Output,
): boolean {
  return nodes.every((node) => {
    if (node.kind === 'text') return put(node.text, rendering, output)
    const value = valueAt(node.path, scopes)
    if (node.kind === 'value') return put(textOf(value, node.filter, rendering), rendering, output)
    if (node.kind === 'if')
      return fill(isThere(value) === node.isNegated ? node.whenFalse : node.whenTrue, scopes, rendering, output)
    const elements: readonly TemplateValue[] = Array.isArray(value) ? value : []
    return elements.every((element) => fill(node.body, [element, ...scopes], rendering, output))
  })
}

function put(text: string, { longest }: Rendering, output: Output): boolean {
  output.length += text.length
  if (output.length > longest) return false
  output.parts.push(text)
  return true
}

function textOf(value: TemplateValue, filter: string | null, { filters, written = asIs }: Rendering): string {
  if (filter === 'json') return JSON.stringify(value)
  if (value === null || typeof value === 'object') return ''
  return written(filter !== null && isTemplateFilter(filter) ? filters[filter](value) : String(value))
}

function asIs(text: string): string {
  return text
}

/** Zero counts as a value; an empty text or list, false and null do not. */
function isThere(value: TemplateValue): boolean {
  if (value === null || value === false || value === '') return false
  return !Array.isArray(value) || value.length > 0
}

function valueAt(path: string, scopes: readonly TemplateValue[]): TemplateValue {
  if (path === 'this') return scopes[0] ?? null
  for (const scope of scopes) {
    const found = memberAt(path.split('.'), scope)
    if (found !== undefined) return found
  }
  return null
}

/** The member at a path. Undefined: there is no such member. Null: the event has no value for it. */
function memberAt(names: readonly string[], value: TemplateValue): TemplateValue | undefined {
  let at: TemplateValue | undefined = value
  for (const name of names) {
    if (at === null) return null
    if (at === undefined || typeof at !== 'object' || Array.isArray(at) || !Object.hasOwn(at, name)) return undefined
    at = (at as { readonly [name: string]: TemplateValue })[name]
  }
  return at
}
