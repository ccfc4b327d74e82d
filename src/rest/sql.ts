import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import { always, type Comparison, type Condition, type Row } from '../domain/condition.ts'
import type { Call } from './call.ts'
import { bound, equality, equalsAny, gatherValues, membership } from './comparisons.ts'
import type { Relation, Resource } from './declare.ts'
import type { ColumnContext, Field, Kind } from './fields.ts'
import type { SortKey } from './in-memory.ts'

/** A resource inside one statement: resolves paths to expressions and remembers the joins that they need. */
export interface Scope {
  readonly resource: Resource
  readonly alias: Sql
  column(path: string): { readonly expression: Sql; readonly kind: Kind; readonly field: Field }
  condition(condition: Condition): Sql
  /** `from … left join …` with all that was asked for so far: call it last, with the condition that the rows are held to. */
  from(where: Condition): Sql
  /** The same around rows that were chosen already: a select of whole rows of the source. */
  fromChosen(rows: Sql): Sql
}

const flag: Field = { kind: 'boolean' }

function quoted(name: string): Sql {
  return raw(`"${name.replaceAll('"', '""')}"`)
}

const columnTypes: Partial<Record<Kind, string>> = {
  integer: 'bigint',
  decimal: 'float8',
  text: 'text',
  boolean: 'boolean',
}

/** A catalogue that is kept in memory, as a relation of the statement: its plain fields only. */
function recordsOf(resource: Resource, rows: readonly Row[] | Promise<readonly Row[]>): Sql {
  if (!Array.isArray(rows)) throw new Error(`${resource.name} cannot be joined: its rows must be read first.`)
  const columns = Object.entries(resource.fields).flatMap(([name, field]) => {
    const type = columnTypes[field.kind]
    return type === undefined ? [] : [{ name, type }]
  })
  const records = rows.map((row: Row) => Object.fromEntries(columns.map(({ name }) => [name, row[name] ?? null])))
  const shape = columns.map(({ name, type }) => `"${name}" ${type}`).join(', ')
  return sql`(select * from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as record (${raw(shape)}))`
}

function sourceOf(resource: Resource, context: Call, where: Condition = always(true)): Sql {
  const { source } = resource
  if (source.kind === 'list') return recordsOf(resource, source.rows(context))
  if (source.kind === 'prepared') throw new Error(`${resource.name} cannot be read before it is prepared.`)
  if (source.kind === 'table' && source.select === null) return quoted(source.name)
  return source.select === null ? empty : sql`(${source.select(context, where)})`
}

/** Opens the scope of a resource. Relations reach one step far: a related scope (depth above 0) has none of its own. */
export function openScope(resource: Resource, context: Call, depth = 0): Scope {
  const alias = raw(depth === 0 ? 't' : `t${depth}`)
  const related = new Map<string, { scope: Scope; relation: Relation }>()
  const reading: ColumnContext = { alias, caller: context.caller, nowAt: context.nowAt }

  function relatedScope(name: string): Scope {
    const known = related.get(name)
    if (known !== undefined) return known.scope
    const relation = resource.relations[name]
    if (relation === undefined || depth > 0) throw new Error(`${resource.name} has no field or relation ${name}.`)
    const scope = openScope(context.registry.get(relation.to), context, related.size + 1)
    related.set(name, { scope, relation })
    return scope
  }

  function expressionOf(field: Field | undefined, name: string): Sql {
    return field?.column?.(reading) ?? sql`${alias}.${quoted(field?.storedIn ?? name)}`
  }

  function column(path: string): { expression: Sql; kind: Kind; field: Field } {
    const field = resource.fields[path]
    if (field !== undefined) {
      return { expression: expressionOf(field, path), kind: field.kind, field }
    }
    const dot = path.indexOf('.')
    const head = dot < 0 ? path : path.slice(0, dot)
    const rest = path.slice(dot + 1)
    if (head === 'permissions') {
      const named = resource.permissions(context.caller)[rest]
      if (named === undefined) throw new Error(`${resource.name} has no permission ${rest}.`)
      return { expression: sql`coalesce(${condition(named)}, false)`, kind: 'boolean', field: flag }
    }
    return relatedScope(head).column(rest)
  }

  function condition(tree: Condition): Sql {
    switch (tree.kind) {
      case 'always':
        return tree.value ? sql`true` : sql`false`
      case 'all':
        return tree.of.length === 0 ? sql`true` : sql`(${join(tree.of.map(condition), ' and ')})`
      case 'any':
        return tree.of.length === 0 ? sql`false` : sql`(${join(alternatives(tree.of), ' or ')})`
      case 'not':
        return sql`not coalesce(${condition(tree.of)}, false)`
      default:
        return comparison(tree)
    }
  }

  /** Values of one field are one comparison: how many there are changes neither the statement nor its plan. */
  function alternatives(parts: readonly Condition[]): Sql[] {
    const { gathered, others } = gatherValues(parts)
    const together = [...gathered].map(([path, values]) => {
      const { expression, field } = column(path)
      return equalsAny(expression, field, values)
    })
    return [...together, ...others.map(condition)]
  }

  function comparison(tree: Comparison): Sql {
    const { expression, field } = column(tree.field)
    switch (tree.kind) {
      case 'is':
        return equality(expression, field, tree.value)
      case 'oneOf':
        return membership(expression, field, tree.values)
      case 'contains':
        return sql`strpos(fold(${expression}::text), fold(${tree.text})) > 0`
      case 'from':
        return bound(expression, field, raw('>='), tree.value)
      case 'before':
        return bound(expression, field, raw('<'), tree.value)
    }
  }

  // An object that the caller may not read joins as nulls, so that filters and sorting tell nothing of it.
  function leftJoin(entry: { scope: Scope; relation: Relation }): Sql {
    const { scope, relation } = entry
    const { isAlwaysReadable = false } = relation
    const visible = isAlwaysReadable ? sql`true` : scope.condition(scope.resource.visible(context.caller))
    const own = expressionOf(resource.fields[relation.by], relation.by)
    const key = scope.column(relation.key).expression
    return sql`left join ${sourceOf(scope.resource, context)} ${scope.alias} on ${key} = ${own} and ${visible}`
  }

  function joinedTo(source: Sql): Sql {
    const joins = [...related.values()].map(leftJoin)
    return sql`from ${source} ${alias} ${joins.length === 0 ? empty : join(joins, ' ')}`
  }

  return {
    resource,
    alias,
    column,
    condition,
    from: (where) => joinedTo(sourceOf(resource, context, where)),
    fromChosen: (rows) => joinedTo(sql`(${rows})`),
  }
}

/** Sort keys to an `order by` list. */
export function ordering(scope: Scope, sort: readonly SortKey[], collation: Sql): Sql {
  const parts = sort.map(({ path, descending }) => {
    const { expression, kind } = scope.column(path)
    const collated = kind === 'text' ? sql`${expression} ${collation}` : expression
    return sql`${collated} ${raw(descending ? 'desc' : 'asc')}`
  })
  return join(parts, ', ')
}
