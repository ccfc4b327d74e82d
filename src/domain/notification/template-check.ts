import { readTemplate, type TemplateFault, type TemplateNode, templateFault } from './template.ts'

/** The kind of a variable's value. `time`: a text by RFC 3339. `seconds`: a number of them. */
export type TemplateKind = 'text' | 'number' | 'time' | 'seconds' | 'boolean'

export type TemplateShape =
  | TemplateKind
  | { readonly list: TemplateShape }
  | { readonly members: Readonly<Record<string, TemplateShape>> }

/** The kind that each filter accepts; null: any. */
export const templateFilters = {
  json: null,
  time: ['time'],
  date: ['time'],
  clock: ['time'],
  duration: ['seconds'],
  short: ['text'],
  upper: ['text'],
} as const satisfies Readonly<Record<string, readonly TemplateKind[] | null>>

export type TemplateFilter = keyof typeof templateFilters

export function isTemplateFilter(name: string): name is TemplateFilter {
  return Object.hasOwn(templateFilters, name)
}

/** The first fault of a template that may use the members of `shape`; null if there is none. */
export function faultOfTemplate(source: string, shape: TemplateShape): TemplateFault | null {
  const { nodes, fault } = readTemplate(source)
  if (nodes === null) return fault
  const found = firstFault(nodes, [shape])
  return found === null ? null : templateFault(source, found.problem, found)
}

interface Found {
  readonly problem: TemplateFault['problem']
  readonly at: number
  readonly name: string
}

/** @param scopes where names are looked up: the element of a loop first, then the whole */
function firstFault(nodes: readonly TemplateNode[], scopes: readonly TemplateShape[]): Found | null {
  for (const node of nodes) {
    const found = node.kind === 'text' ? null : faultOf(node, scopes)
    if (found !== null) return found
  }
  return null
}

function faultOf(node: Exclude<TemplateNode, { kind: 'text' }>, scopes: readonly TemplateShape[]): Found | null {
  const { path, at } = node
  const shape = shapeAt(path, scopes)
  if (shape === undefined) return { problem: 'unknown_variable', at, name: path }
  if (node.kind === 'if') return firstFault(node.whenTrue, scopes) ?? firstFault(node.whenFalse, scopes)
  if (node.kind === 'value') {
    const problem = faultOfValue(shape, node.filter)
    return problem === null ? null : { problem, at, name: node.filter === null ? path : `${node.filter} ${path}` }
  }
  // A list within a list would multiply their lengths, in work and in text.
  if (scopes.length > 1) return { problem: 'loop_in_loop', at, name: path }
  if (typeof shape === 'string' || !('list' in shape)) return { problem: 'not_list', at, name: path }
  return firstFault(node.body, [shape.list, ...scopes])
}

function faultOfValue(shape: TemplateShape, filter: string | null): Found['problem'] | null {
  if (filter === null) return typeof shape === 'string' ? null : 'not_single'
  if (!isTemplateFilter(filter)) return 'unknown_filter'
  const kinds: readonly TemplateShape[] | null = templateFilters[filter]
  return kinds === null || kinds.includes(shape) ? null : 'wrong_filter'
}

function shapeAt(path: string, scopes: readonly TemplateShape[]): TemplateShape | undefined {
  if (path === 'this') return scopes.length > 1 ? scopes[0] : undefined
  for (const scope of scopes) {
    const found = memberAt(path.split('.'), scope)
    if (found !== undefined) return found
  }
  return undefined
}

function memberAt(names: readonly string[], shape: TemplateShape): TemplateShape | undefined {
  let at: TemplateShape | undefined = shape
  for (const name of names) {
    if (at === undefined || typeof at === 'string' || !('members' in at)) return undefined
    at = Object.hasOwn(at.members, name) ? at.members[name] : undefined
  }
  return at
}
