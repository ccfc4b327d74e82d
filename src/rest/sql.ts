import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import { all, always, type Comparison, type Condition, type Row } from '../domain/queries/condition.ts'
import type { Call } from './call.ts'
import { bound, equality, equalsAny, gatherValues, membership } from './comparisons.ts'
import type { Relation, Resource } from './declare.ts'
import type { ColumnContext, Field, Kind } from './fields.ts'
import type { SortKey } from './in-memory.ts'
import { mayWriteNow, opensFor } from './keys.ts'

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
  if (source.kind === 'columns') throw new Error(`${resource.name} was prepared to be read in memory.`)
  if (source.kind === 'table' && source.select === null) return quoted(source.name)
  return source.select === null ? empty : sql`(${source.select(context, where)})`
}

/** The column behind a path. */
export interface Column {
  readonly expression: Sql
  readonly kind: Kind
  readonly field: Field
}

/**
 * A resource inside one statement. It resolves paths to expressions and remembers the joins that they need. Relations
 * reach one step: a related scope (depth above 0) has none of its own.
 */
export class Scope {
  readonly resource: Resource
  readonly alias: Sql
  readonly #context: Call
  readonly #depth: number
  readonly #reading: ColumnContext
  readonly #related = new Map<string, { readonly scope: Scope; readonly relation: Relation }>()

  constructor(resource: Resource, context: Call, depth = 0) {
    this.resource = resource
    this.alias = raw(depth === 0 ? 't' : `t${depth}`)
    this.#context = context
    this.#depth = depth
    const { caller, nowAt } = context
    this.#reading = { alias: this.alias, caller, nowAt, mayWrite: mayWriteNow(caller, resource) }
  }

  column(path: string): Column {
    const field = this.resource.fields[path]
    if (field !== undefined) return { expression: this.#expressionOf(field, path), kind: field.kind, field }
    const dot = path.indexOf('.')
    const head = dot < 0 ? path : path.slice(0, dot)
    const rest = path.slice(dot + 1)
    return head === 'permissions' ? this.#permission(rest) : this.#relatedScope(head).column(rest)
  }

  condition(tree: Condition): Sql {
    switch (tree.kind) {
      case 'always':
        return tree.value ? sql`true` : sql`false`
      case 'all':
        return tree.of.length === 0 ? sql`true` : sql`(${join(this.#conditions(tree.of), ' and ')})`
      case 'any':
        return tree.of.length === 0 ? sql`false` : sql`(${join(this.#alternatives(tree.of), ' or ')})`
      case 'not':
        return sql`not coalesce(${this.condition(tree.of)}, false)`
      default:
        return this.#comparison(tree)
    }
  }

  /** `from … left join …` with everything requested so far. Call it last, with the condition on the rows. */
  from(where: Condition): Sql {
    return this.#joinedTo(sourceOf(this.resource, this.#context, where))
  }

  /** The same around rows that were chosen already: a select of whole rows of the source. */
  fromChosen(rows: Sql): Sql {
    return this.#joinedTo(sql`(${rows})`)
  }

  #expressionOf(field: Field | undefined, name: string): Sql {
    return field?.column?.(this.#reading) ?? sql`${this.alias}.${quoted(field?.storedIn ?? name)}`
  }

  #permission(name: string): Column {
    const named = this.resource.permissions(this.#context.caller)[name]
    if (named === undefined) throw new Error(`${this.resource.name} has no permission ${name}.`)
    return { expression: sql`coalesce(${this.condition(named)}, false)`, kind: 'boolean', field: flag }
  }

  #relatedScope(name: string): Scope {
    const known = this.#related.get(name)
    if (known !== undefined) return known.scope
    const relation = this.resource.relations[name]
    if (relation === undefined || this.#depth > 0)
      throw new Error(`${this.resource.name} has no field or relation ${name}.`)
    const scope = new Scope(this.#context.registry.get(relation.to), this.#context, this.#related.size + 1)
    this.#related.set(name, { scope, relation })
    return scope
  }

  #conditions(parts: readonly Condition[]): Sql[] {
    return parts.map((part) => this.condition(part))
  }

  /** Values of one field are one comparison: how many there are changes neither the statement nor its plan. */
  #alternatives(parts: readonly Condition[]): Sql[] {
    const { gathered, others } = gatherValues(parts)
    const together = [...gathered].map(([path, values]) => {
      const { expression, field } = this.column(path)
      return equalsAny(expression, field, values)
    })
    return [...together, ...this.#conditions(others)]
  }

  #comparison(tree: Comparison): Sql {
    const { expression, field } = this.column(tree.field)
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

  #joinedTo(source: Sql): Sql {
    const joins = [...this.#related.values()].map((related) => this.#leftJoin(related))
    return sql`from ${source} ${this.alias} ${joins.length === 0 ? empty : join(joins, ' ')}`
  }

  // An object that the caller may not read joins as nulls, so that filters and sorting tell nothing of it.
  #leftJoin({ scope, relation }: { readonly scope: Scope; readonly relation: Relation }): Sql {
    const { isAlwaysReadable = false } = relation
    const { caller, registry } = this.#context
    const isOpen = opensFor(caller, scope.resource, registry)
    const readable = isAlwaysReadable ? always(isOpen) : all(always(isOpen), scope.resource.visible(caller))
    const visible = scope.condition(readable)
    const own = this.#expressionOf(this.resource.fields[relation.by], relation.by)
    const key = scope.column(relation.key).expression
    return sql`left join ${sourceOf(scope.resource, this.#context)} ${scope.alias} on ${key} = ${own} and ${visible}`
  }
}

const knownWord = /^[a-z]+$/

/** Known words have one order in all collations, and comparing their bytes is much faster. */
function isOfKnownWords({ oneOf }: Field): boolean {
  return oneOf?.every((word) => knownWord.test(String(word))) === true
}

/**
 * Sort keys to an `order by` list. Numbers that are no part of the key are sorted as `x + 0`. PostgreSQL might
 * otherwise read strangers' rows in the order of an index until it meets one that the caller may see.
 */
export function ordering(scope: Scope, sort: readonly SortKey[], collation: Sql): Sql {
  const parts = sort.map(({ path, descending }) => {
    const { expression, kind, field } = scope.column(path)
    const sorted = kind === 'integer' && !scope.resource.key.includes(path) ? sql`(${expression} + 0)` : expression
    const words = isOfKnownWords(field) ? raw('collate "C"') : collation
    const collated = kind === 'text' ? sql`${expression} ${words}` : sorted
    return sql`${collated} ${raw(descending ? 'desc' : 'asc')}`
  })
  return join(parts, ', ')
}
