// Reads what PostgreSQL prints of a query that it has understood (`debug_print_parse`).

export type Value = string | Node | readonly Value[]

export interface Node {
  readonly type: string
  readonly fields: Readonly<Record<string, Value>>
}

const token = /"(?:\\.|[^"\\])*"|[{}()]|(?:\\.|[^\s{}()\\])+/gs

export function isNode(value: Value | undefined): value is Node {
  return typeof value === 'object' && !Array.isArray(value)
}

/** The nodes of a list, or the one node that stands alone. */
export function nodesOf(value: Value | undefined): readonly Node[] {
  if (isNode(value)) return [value]
  return Array.isArray(value) ? value.filter(isNode) : []
}

export function numberOf(node: Node, field: string): number {
  return Number(node.fields[field])
}

export function readTree(text: string): Node {
  const tokens = text.match(token) ?? []
  let at = 0
  function readValue(): Value {
    const next = tokens[at++] ?? ''
    if (next === '{') return readNode()
    if (next !== '(') return next
    const items: Value[] = []
    while (at < tokens.length && tokens[at] !== ')') items.push(readValue())
    at += 1
    return items
  }
  function readNode(): Node {
    const type = tokens[at++] ?? ''
    const fields: Record<string, Value> = {}
    while (at < tokens.length && tokens[at] !== '}') {
      const name = (tokens[at++] ?? '').slice(1)
      const items: Value[] = []
      while (at < tokens.length && tokens[at] !== '}' && !tokens[at]?.startsWith(':')) items.push(readValue())
      fields[name] = items.length === 1 ? (items[0] ?? '') : items
    }
    at += 1
    return { type, fields }
  }
  const root = readValue()
  if (!isNode(root)) throw new Error(`no tree: ${text.slice(0, 100)}`)
  return root
}

/** All nodes below the value; into a query only where `enters` says so. */
export function* nodesBelow(value: Value | undefined, enters: (query: Node) => boolean = () => true): Generator<Node> {
  if (value === undefined || typeof value === 'string') return
  if (!isNode(value)) {
    for (const item of value) yield* nodesBelow(item, enters)
    return
  }
  yield value
  if (value.type === 'QUERY' && !enters(value)) return
  for (const field of Object.values(value.fields)) yield* nodesBelow(field, enters)
}
