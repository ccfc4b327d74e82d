// Parts of a query that PostgreSQL has understood: its conditions, its inner queries, and what they refer to.
import { isNode, type Node, nodesBelow, nodesOf, numberOf, type Value } from './query-tree.ts'

/** The kind of a range table entry. */
export const kinds = { relation: '0', subquery: '1', join: '2', group: '9' } as const

export function functionOf({ fields }: Node): number {
  return Number(fields['funcid'] ?? fields['opfuncid'] ?? Number.NaN)
}

export function listed(value: Value | undefined): readonly Value[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value]
}

const castForms: ReadonlySet<Value | undefined> = new Set(['1', '2'])

export function withoutCasts(value: Value | undefined): Node | null {
  if (!isNode(value)) return null
  const { type, fields } = value
  if (type === 'RELABELTYPE' || type === 'COERCEVIAIO') return withoutCasts(fields['arg'])
  if (type === 'FUNCEXPR' && castForms.has(fields['funcformat'])) return withoutCasts(listed(fields['args'])[0])
  return value
}

export function isConstant(node: Node | null): boolean {
  return node !== null && ![...nodesBelow(node)].some(({ type }) => type === 'VAR' || type === 'SUBLINK')
}

/** The conditions on every row: those of joins and of the whole. */
export function* anded(value: Value | undefined): Generator<Node> {
  for (const node of nodesOf(value)) {
    const { type, fields } = node
    if (type === 'FROMEXPR') yield* anded(fields['fromlist'])
    if (type === 'JOINEXPR') {
      yield* anded(fields['larg'])
      yield* anded(fields['rarg'])
    }
    if (type === 'FROMEXPR' || type === 'JOINEXPR') yield* anded(fields['quals'])
    else if (type === 'BOOLEXPR' && fields['boolop'] === 'and') yield* anded(fields['args'])
    else yield node
  }
}

/** The queries right below one. */
export function innerQueries(query: Node): readonly Node[] {
  return Object.values(query.fields).flatMap((field) =>
    [...nodesBelow(field, () => false)].filter(({ type }) => type === 'QUERY'),
  )
}

export function isFromSubquery(query: Node, below: Node): boolean {
  return nodesOf(query.fields['rtable']).some(({ fields }) => fields['subquery'] === below)
}

export function refersOutside(query: Node, depth = 1): boolean {
  return Object.values(query.fields).some((field) =>
    [...nodesBelow(field, () => false)].some((node) =>
      node.type === 'QUERY'
        ? refersOutside(node, depth + 1)
        : node.type === 'VAR' && numberOf(node, 'varlevelsup') >= depth,
    ),
  )
}

/** True if the rows of an inner query are those of the query around it, so both may be planned as one. */
export function isFlat({ fields }: Node): boolean {
  const parts = ['groupClause', 'distinctClause', 'limitCount', 'limitOffset', 'setOperations']
  return (
    fields['hasAggs'] !== 'true' &&
    fields['hasWindowFuncs'] !== 'true' &&
    !parts.some((part) => isPresent(fields[part]))
  )
}

function isPresent(value: Value | undefined): boolean {
  return isNode(value) || (Array.isArray(value) && value.length > 0)
}

/** An inner query, and those below it that it needs at the same time: what stands alone in a FROM is read before. */
export function* together(query: Node): Generator<Node> {
  yield query
  for (const below of innerQueries(query))
    if (!isFromSubquery(query, below) || refersOutside(below)) yield* together(below)
}
