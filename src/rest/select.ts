import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'
import { type Columns, columnsOf } from '../domain/queries/columns.ts'
import {
  all,
  always,
  type Comparison,
  type Condition,
  comparisonsOf,
  isImpossible,
  type Row,
} from '../domain/queries/condition.ts'
import type { Call } from './call.ts'
import { type CountedRows, type Resource, type Tally, view } from './declare.ts'
import { canAnswerInMemory, pageOf, type SortKey, totalOrder, withPermissions } from './in-memory.ts'
import { ordering, Scope } from './sql.ts'

export interface PageRequest {
  readonly where: Condition
  readonly sort: readonly SortKey[]
  readonly limit: number
  readonly offset: number
  /** Fields to read; the key is always read. */
  readonly columns: readonly string[]
  /** Permission flags to compute, into `permissions`. */
  readonly flags: readonly string[]
}

/** A connection keeps every plan for good: a caller who asks in ever new ways must not fill it. */
const maximumNames = 500
/** Characters of a statement that is kept; longer than any but those with very many alternatives. */
const maximumNamed = 16_384
const names = new Map<string, string>()

/** Statements that differ only in values have one name, so that each connection plans them once. */
function nameOf({ text }: Sql): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= maximumNames || text.length > maximumNamed) return known
  const name = `rest ${names.size}`
  names.set(text, name)
  return name
}

/** The fields that rows are read with: those wanted, the key, and what is needed to show them. */
function fieldsRead({ key, fields }: Resource, columns: readonly string[]): readonly string[] {
  const wanted = new Set([...key, ...columns, ...columns.flatMap((name) => fields[name]?.needs ?? [])])
  return [...wanted].filter((name) => !fields[name]?.writeOnly)
}

function columnList(scope: Scope, { columns, flags }: Pick<PageRequest, 'columns' | 'flags'>): Sql {
  const paths = [...fieldsRead(scope.resource, columns), ...flags.map((flag) => `permissions.${flag}`)]
  return join(
    paths.map((path) => sql`${scope.column(path).expression} as ${raw(`"${path}"`)}`),
    ', ',
  )
}

/** The columns of the flags stay beside their object: deleting them would make each row a slow dictionary. */
function withFlags(row: Record<string, unknown>, flags: readonly string[]): Row {
  if (flags.length === 0) return row
  const permissions: Record<string, unknown> = {}
  for (const flag of flags) permissions[flag] = row[`permissions.${flag}`]
  row['permissions'] = permissions
  return row
}

type Wanted = Pick<PageRequest, 'where' | 'sort' | 'columns' | 'flags'>

/** The rows in memory, with all permission flags if the request needs any; null if rows are read from the database. */
async function partsInMemory(
  resource: Resource,
  call: Call,
  { where, sort, flags }: Wanted,
): Promise<readonly Columns[] | null> {
  const { source } = resource
  if (source.kind !== 'list' && source.kind !== 'columns') return null
  const parts = source.kind === 'columns' ? source.parts : [columnsOf(await source.rows(call))]
  const paths = [...comparisonsOf(where).map(({ field }) => field), ...sort.map(({ path }) => path)]
  if (flags.length === 0 && !paths.some((path) => path.startsWith('permissions.'))) return parts
  const permissions = resource.permissions(call.caller)
  return parts.map((part) => withPermissions(part, permissions))
}

async function prepared(resource: Resource, call: Call, { where, sort, columns, flags }: Wanted): Promise<Resource> {
  const { source } = resource
  if (source.kind !== 'prepared') return resource
  const permissions = resource.permissions(call.caller)
  const conditions = [where, ...flags.map((flag) => permissions[flag] ?? always(false))]
  const inMemory = canAnswerInMemory(resource, { conditions, sort, columns })
  return { ...resource, source: await source.prepare(call, where, inMemory) }
}

/** The tally of the resource, if it has all fields of the condition, or those by which the related ones are found. */
function tallyFor({ source, relations }: Resource, where: Condition): Tally | null {
  if (source.kind !== 'view' || source.tally === undefined) return null
  const { tally } = source
  const isThere = ({ field }: Comparison) => {
    const own = relations[field.split('.')[0] ?? '']?.by ?? field
    return tally.fields.includes(own)
  }
  return comparisonsOf(where).every(isThere) ? tally : null
}

async function count(call: Call, resource: Resource, where: Condition): Promise<number> {
  const tally = tallyFor(resource, where)
  const scope = new Scope(tally === null ? resource : { ...resource, source: view(() => tally.select) }, call)
  const condition = scope.condition(where)
  const number = tally === null ? sql`count(*)` : sql`coalesce(sum(${scope.alias}.rows), 0)`
  const statement = sql`select ${number}::int as total ${scope.from(where)} where ${condition}`
  const [row] = await call.database.query<{ total: number }>(statement, nameOf(statement))
  return row?.total ?? 0
}

/** How many rows that the caller may see have the same values, in one statement. Rows of the database alone. */
export async function countBy(
  resource: Resource,
  call: Call,
  { where, by }: { readonly where: Condition; readonly by: readonly string[] },
): Promise<readonly CountedRows[]> {
  const wanted = all(resource.visible(call.caller), where)
  const scope = new Scope(resource, call)
  const condition = scope.condition(wanted)
  const values = by.map((path) => sql`${scope.column(path).expression} as ${raw(`"${path}"`)}`)
  const numbers = by.map((_, index) => raw(String(index + 1)))
  const statement = sql`
    select ${join(values, ', ')}, count(*)::int as total ${scope.from(wanted)} where ${condition} group by ${join(numbers, ', ')}`
  const rows = await call.database.query<Record<string, unknown>>(statement, nameOf(statement))
  return rows.map(({ total, ...read }) => ({ values: read, count: Number(total) }))
}

/** One name for a field and the key of the object that it refers to; null for a list. */
function sameName({ fields, relations }: Resource, path: string): string | null {
  if (fields[path] !== undefined) return fields[path].kind === 'list' ? null : path
  const [head = '', key] = path.split('.')
  const relation = relations[head]
  return relation !== undefined && relation.key === key ? relation.by : path
}

/**
 * Reads a page of the rows that the caller may see, in two statements at most: the page, and the count if the page does
 * not imply it. Visible rows are found by an index (a test checks every list, filter and order). Within them most
 * filters and orders have no index. There are thousands of rows per account, and all matching ones are read anyway to
 * be counted. The database is not asked for rows that cannot be: before PostgreSQL 17, a Citus cluster refuses such a
 * question beside a related object.
 */
export async function readPage(
  resource: Resource,
  call: Call,
  request: PageRequest,
): Promise<{ page: Columns; total: number }> {
  const where = all(resource.visible(call.caller), request.where)
  if (isImpossible(where, (path) => sameName(resource, path))) return { page: columnsOf([]), total: 0 }
  const wanted = { ...request, where, sort: totalOrder(resource, request.sort) }
  const ready = await prepared(resource, call, wanted)
  const parts = await partsInMemory(ready, call, wanted)
  if (parts !== null) return pageOf(parts, wanted)
  const statement = pageStatement(ready, call, wanted)
  const read = await call.database.query<Record<string, unknown>>(statement, nameOf(statement))
  const rows = read.map((row) => withFlags(row, request.flags))
  const isWhole = rows.length < request.limit && (request.offset === 0 || rows.length > 0)
  const total = isWhole ? request.offset + rows.length : await count(call, ready, where)
  return { page: columnsOf(rows), total }
}

/** The resource with fewer rows, where its newest ones are asked for and it finds those without sorting all. */
function amongNewest(resource: Resource, { where, sort, limit, offset }: PageRequest): Resource {
  const { source, key } = resource
  if (source.kind !== 'view' || source.newest === undefined || limit === 0) return resource
  const isInOrder = key.every((path, at) => sort[at]?.path === path && sort[at].descending === (at === 0))
  const rows = isInOrder ? source.newest(where, offset + limit) : null
  return rows === null ? resource : { ...resource, source: view(() => rows) }
}

/**
 * The rows of a table that a page shows. Only their keys are sorted, because an index may have all that a choice needs,
 * while whole rows would be read for every row that meets the condition. With an array the planner knows that they are
 * few.
 */
function chosenRows(choosing: Scope, { where, sort, limit, offset }: PageRequest, collation: Sql): Sql {
  const { source, key } = choosing.resource
  const [condition, order] = [choosing.condition(where), ordering(choosing, sort, collation)]
  const chosen = (columns: Sql) =>
    sql`select ${columns} ${choosing.from(where)} where ${condition} order by ${order} limit ${limit} offset ${offset}`
  const isPlain = source.kind === 'table' && source.select === null && key.length === 1 && key[0] === 'id'
  if (!isPlain) return chosen(sql`${choosing.alias}.*`)
  return sql`select * from ${raw(`"${source.name}"`)} where id = any (array(${chosen(sql`${choosing.alias}.id`)}))`
}

/** Displayed values and joins are computed only for the page's rows, not for all sorted ones. */
function pageStatement(resource: Resource, call: Call, request: PageRequest): Sql {
  const [choosing, showing] = [new Scope(amongNewest(resource, request), call), new Scope(resource, call)]
  const rows = chosenRows(choosing, request, call.collation)
  const [columns, orderShown] = [columnList(showing, request), ordering(showing, request.sort, call.collation)]
  return sql`select ${columns} ${showing.fromChosen(rows)} order by ${orderShown}`
}

export interface OneRequest {
  readonly where: Condition
  readonly columns: readonly string[]
  readonly flags: readonly string[]
  /** Holds the row until the transaction ends. */
  readonly lock?: RowLock
}

/** A change lets others go on referring to the row; a removal does not. */
export type RowLock = 'change' | 'removal'

const lockClauses: Readonly<Record<RowLock, Sql>> = {
  change: raw(' for no key update of '),
  removal: raw(' for update of '),
}

/** Reads one row that the caller may see, or null. */
export async function readOne(
  resource: Resource,
  call: Call,
  request: OneRequest,
  executor: Executor = call.database,
): Promise<Row | null> {
  const where = all(resource.visible(call.caller), request.where)
  const wanted = { ...request, where, sort: [] }
  const ready = await prepared(resource, call, wanted)
  const parts = await partsInMemory(ready, call, wanted)
  if (parts !== null) {
    const { page } = await pageOf(parts, { ...wanted, limit: 1, offset: 0 })
    return page.length === 0 ? null : page.rows(fieldsRead(ready, wanted.columns))(0)
  }
  const scope = new Scope(ready, call)
  const columns = columnList(scope, request)
  const condition = scope.condition(where)
  const lock = request.lock === undefined ? empty : sql`${lockClauses[request.lock]}${scope.alias}`
  const statement = sql`select ${columns} ${scope.from(where)} where ${condition} limit 1${lock}`
  const [row] = await executor.query<Record<string, unknown>>(statement, nameOf(statement))
  return row === undefined ? null : withFlags(row, request.flags)
}
