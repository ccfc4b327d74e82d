import type { Sql } from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'
import type { Caller } from '../domain/access/caller.ts'
import type { SubjectScope } from '../domain/access/key-scopes.ts'
import type { Problem } from '../domain/input/problem.ts'
import type { Columns } from '../domain/queries/columns.ts'
import type { Condition, Row, Scalar } from '../domain/queries/condition.ts'
import type { Call, Operation } from './call.ts'
import { type Configuration, managedFields } from './configuration.ts'
import type { ColumnContext, Field, Fields, JsonSchema } from './fields.ts'

export type StandardOperation = 'list' | 'search' | 'read' | 'create' | 'update' | 'put' | 'remove' | 'permissions'

/** Where rows come from. `list` (catalogues) and `columns` (what a read unpacked) are in memory; the others are SQL. */
export type ReadySource =
  | { readonly kind: 'table'; readonly name: string; readonly select: Select | null }
  | ({ readonly kind: 'view'; readonly select: Select } & ShortWays)
  | { readonly kind: 'list'; readonly rows: (call: Call) => readonly Row[] | Promise<readonly Row[]> }
  | { readonly kind: 'columns'; readonly parts: readonly Columns[] }

export type Source = ReadySource | { readonly kind: 'prepared'; readonly prepare: Prepare }

/** `where` is what the rows will be held to: a source may leave out those that cannot meet it. */
export type Select = (context: Pick<ColumnContext, 'caller' | 'nowAt'>, where: Condition) => Sql

/**
 * Finds the rows of one read by asking the database how they are stored. They come from a view, or from columns with
 * that view's fields if the whole request can be answered in memory.
 */
export type Prepare = (
  call: Pick<Call, 'caller' | 'nowAt' | 'database'>,
  where: Condition,
  inMemory: boolean,
) => Promise<ReadySource>

/** Written to the table; read from it too, or through `select` where a read needs columns of its neighbours. */
export function table(name: string, select: Select | null = null): ReadySource {
  return { kind: 'table', name, select }
}

/**
 * Rows of the same view, among them the first `count` that meet the condition, in the order of the key with its first
 * field descending. Null: all must be sorted.
 */
export type Newest = (where: Condition, count: number) => Sql | null

/** Fewer rows than those of the view. Each stands for as many of them as its column `rows` says. */
export interface Tally {
  /** The fields that it has. All rows that one row stands for have the same values of these. */
  readonly fields: readonly string[]
  readonly select: Sql
}

/** How a view of very many rows answers without reading all of them. */
export interface ShortWays {
  readonly newest?: Newest
  readonly tally?: Tally
}

/** Read alone: whatever the select gives. */
export function view(select: Select, shortWays: ShortWays = {}): ReadySource {
  return { kind: 'view', select, ...shortWays }
}

/** A source that is made anew for every read; nothing can be joined with it. */
export function prepared(prepare: Prepare): Source {
  return { kind: 'prepared', prepare }
}

/** Made anew for each request, filtered and sorted in memory: catalogues, and what the program knows of itself. */
export function rowsOf(rows: (call: Call) => readonly Row[] | Promise<readonly Row[]>): ReadySource {
  return { kind: 'list', rows }
}

/** The rows of all parts. Of a prepared source alone, and without permission flags. */
export function columnsSource(parts: readonly Columns[]): ReadySource {
  return { kind: 'columns', parts }
}

/** A related object: `by` is the field here, `key` the field there. */
export interface Relation {
  readonly to: string
  readonly by: string
  readonly key: string
  /** Everybody who may read this object may read the related one, so no check is needed. */
  readonly isAlwaysReadable?: true
}

/** A related object; null where the caller may not read it. */
export function one(to: string, by: string, key = 'id'): Relation {
  return { to, by, key }
}

/** A related object that has the same readers as this one. */
export function oneOfSameReaders(to: string, by: string, key = 'id'): Relation {
  return { to, by, key, isAlwaysReadable: true }
}

/** A list below an object: the rows of another resource that belong to it, as far as the caller may read them. */
export interface ChildList {
  readonly list: string
  readonly summary: string
  /** Below the object, with further parameters in braces; default: the name of the list. */
  readonly path?: string
  readonly where: (parent: Row, call: Call) => Condition
}

/** Rows that have the same values of the fields that are counted by. */
export interface CountedRows {
  /** By path. */
  readonly values: Row
  readonly count: number
}

/** The rows of a list, counted by some fields in one statement. It takes the filters of the list. */
export interface Counting {
  readonly summary: string
  readonly about: string
  /** Paths, also of related objects. */
  readonly by: readonly string[]
  readonly answer: Field
  shown(rows: readonly CountedRows[]): Readonly<Record<string, number>>
}

/** The rows of `list` whose field holds the id of the object. */
export function by(list: string, field: string, summary: string): ChildList {
  return { list, summary, where: (parent) => ({ kind: 'oneOf', field, values: [parent['id'] as number] }) }
}

/** The form of one member that another decides: by each value of `by`, the JSON Schemas of `of`. */
export interface Variants {
  readonly by: string
  readonly of: string
  readonly shapes: Readonly<Record<string, { readonly written: JsonSchema; readonly shown: JsonSchema }>>
}

/** The parameters `from` and `to` of a list over time. Moments are Unix milliseconds. */
export interface RangeParameters {
  /** The range as a condition on the rows; null leaves that side open. */
  readonly within: (fromAt: number | null, toAt: number | null) => Condition
  readonly defaultFrom: (toAt: number) => number | null
  /** Null: no limit. */
  readonly maximumSeconds: number | null
}

/** The limit of rows that share the field's value. */
export interface CountLimit {
  readonly count: number
  /** A field of the row, also one that only the server sets. */
  readonly per: string
}

/** A fault that is accepted and still keeps the object from working. */
export interface Warning {
  readonly warning: string
  /** The field that causes it, without `data.`. */
  readonly field: string
  readonly message: string
}

/**
 * Everything a write may do beyond its types. `R` is the row after the write, `F` the facts its rules need.
 * The steps run in this order in one transaction: facts → complete → rules → the statement → effects.
 */
export interface Writing<R extends Row = Row, F = unknown> {
  /** Keeps one client from filling the database of all; without it `rules` must. */
  readonly countLimit?: CountLimit
  /** Whether the caller may create at all; a false one is refused as forbidden. */
  allowed?(call: Call): Condition
  /**
   * For rows that may lie on several machines and are not locked one by one. It locks what everybody locks before such
   * a row, found by the number in the field. Default: the row itself is locked.
   */
  readonly lockedBy?: { readonly field: string; lock(transaction: Executor, value: number): Promise<unknown> }
  /** The permission flag of the parent object that `put` needs to create below it; default `update`. */
  readonly parentFlag?: string
  /**
   * A better answer than forbidden for a caller who lacks a permission flag. `create` (without a row yet) is for a
   * caller who may not create.
   */
  explain?(row: R, flag: string, call: Call): readonly Problem[]
  /**
   * Called before the transaction of a change, for slow work and for writes that must last in any case. The other
   * functions find its result in `call.verified`.
   */
  verify?(call: Call): Promise<unknown>
  /** Reads (and locks) what the rules must know. */
  facts?(transaction: Executor, call: Call, given: Partial<R>, before: R | null): Promise<F>
  /** Pure: fills defaults and normalises. Gets only well-typed values. */
  complete?(
    given: Partial<R>,
    before: R | null,
    facts: F,
    call: Call,
  ): { row: Partial<R>; problems: readonly Problem[] }
  /** Pure: values and facts to problems. The row can lack values that were refused before. */
  rules?(row: Partial<R>, facts: F, before: R | null): readonly Problem[]
  /**
   * Problems of a new row that cost too much to look for before it is known that there are no others. Asked for a
   * creation that is refused anyway, so that all are told together; `concluded` finds them otherwise.
   */
  crowded?(transaction: Executor, row: Partial<R>, facts: F): Promise<readonly Problem[]>
  /**
   * Stores a new row that takes more than one statement, and returns the columns that identify it. Default: an insert
   * into the table.
   */
  insert?(transaction: Executor, call: Call, row: R, facts: F): Promise<Row>
  created?(transaction: Executor, call: Call, row: R, facts: F): Promise<void>
  /** The last step of a creation, for locks that others wait for. Its problems undo the whole. */
  concluded?(transaction: Executor, call: Call, row: R, facts: F): Promise<readonly Problem[]>
  /** Members of the row that nothing but the answer to its creation shows, such as a new key. */
  readonly revealed?: Fields
  changed?(transaction: Executor, call: Call, row: R, before: R, facts: F): Promise<void>
  /**
   * Faults that keep the created or changed object from working. They are returned beside `id`, or in a header of a
   * change.
   */
  warnings?(transaction: Executor, call: Call, id: number): Promise<readonly Warning[]>
  /** Before the row is deleted; problems stop it. */
  removing?(transaction: Executor, call: Call, row: R): Promise<readonly Problem[]>
  /** After the row was deleted. */
  removed?(transaction: Executor, call: Call, row: R): Promise<void>
}

/**
 * public: anybody, but wrong credentials are still refused. open: credentials are ignored (logging in). unverified:
 * also a session that lacks its second factor. any: every logged-in caller.
 */
export type Access = 'open' | 'public' | 'unverified' | 'any' | 'customer' | 'administrator'

/** The value of an alias such as `my_account`; null if it has none. */
export type Alias = (call: Call, bound: Readonly<Record<string, Scalar>>) => Scalar | Promise<Scalar>

export interface Declaration<F extends Fields, R extends Row> {
  readonly about: string
  /** Singular, for descriptions: `group`. */
  readonly singular: string
  /** Notes for creating one, beyond its fields; shown at the operation. */
  readonly making?: string
  readonly variants?: Variants
  /** All its operations are to be removed in a later version. */
  readonly deprecated?: boolean
  /** Heading in the documentation; default the name. */
  readonly tag?: string
  /** Collection path; default `/` and the name. */
  readonly path?: string
  readonly source: Source
  readonly fields: F
  /** Key fields in the order of the identity; default `id`. */
  readonly key?: readonly string[]
  /** Which field each path parameter binds; default `_id` → `id`. The last one belongs to the item. */
  readonly bound?: Readonly<Record<string, string>>
  /** The resource whose object (`_id`) must be readable before anything below it is. */
  readonly parent?: string
  /** The permission flag of the parent object without which nothing below it is read. */
  readonly readFlag?: string
  readonly alias?: Readonly<Record<string, Alias>>
  readonly relations?: Readonly<Record<string, Relation>>
  /** Names of relations and `permissions`. */
  readonly embed?: readonly string[]
  /** Relations that are also read at `/{resource}/{_id}/{relation}`. */
  readonly subresources?: readonly string[]
  readonly search?: readonly string[]
  readonly range?: RangeParameters
  readonly sort?: readonly string[]
  /** Columns that identify the stored row, with the fields that hold their values; default `id`. */
  readonly storedKey?: Readonly<Record<string, string>>
  readonly access?: Access
  /** The scope that API keys need for reading and writing alike. Default: `admin` for administrators, else none. */
  readonly scope?: SubjectScope
  /**
   * True: keys that are narrowed to groups or tags may use it, as `visible` keeps the other rows from them or the rows
   * are nobody's. Default: as at the parent, else false.
   */
  readonly forNarrowedKeys?: boolean
  readonly visible: (caller: Caller) => Condition
  readonly permissions?: (caller: Caller) => Readonly<Record<string, Condition>>
  readonly operations: readonly StandardOperation[]
  /** Those among them for accounts that must have a second factor and have none yet. */
  readonly beforeSecondFactor?: readonly StandardOperation[]
  readonly children?: Readonly<Record<string, ChildList>>
  /** Below the path of the collection, by name. */
  readonly countings?: Readonly<Record<string, Counting>>
  readonly write?: Writing<R> | undefined
  readonly actions?: readonly Operation[]
  /** Files of configuration as code may hold its objects; it gets the fields that this needs. */
  readonly configuration?: Configuration
}

/** A declaration as the engine holds it, with every default filled in and the row type forgotten. */
export interface Resource {
  readonly name: string
  readonly about: string
  readonly singular: string
  readonly making: string | null
  readonly variants: Variants | null
  readonly tag: string
  readonly deprecated: boolean
  readonly path: string
  readonly source: Source
  readonly fields: Fields
  readonly key: readonly string[]
  readonly bound: Readonly<Record<string, string>>
  readonly parent: string | null
  readonly readFlag: string | null
  readonly alias: Readonly<Record<string, Alias>>
  readonly relations: Readonly<Record<string, Relation>>
  readonly embed: readonly string[]
  readonly subresources: readonly string[]
  readonly search: readonly string[]
  readonly range: RangeParameters | null
  readonly sort: readonly string[]
  readonly storedKey: Readonly<Record<string, string>>
  readonly access: Access
  readonly scope: SubjectScope | null
  /** Null: as at the parent. */
  readonly forNarrowedKeys: boolean | null
  readonly visible: (caller: Caller) => Condition
  readonly permissions: (caller: Caller) => Readonly<Record<string, Condition>>
  readonly operations: readonly StandardOperation[]
  readonly beforeSecondFactor: readonly StandardOperation[]
  readonly children: Readonly<Record<string, ChildList>>
  readonly countings: Readonly<Record<string, Counting>>
  readonly write: Writing
  readonly actions: readonly Operation[]
  readonly configuration: Configuration | null
}

const readable: Readonly<Record<string, Condition>> = { read: { kind: 'always', value: true } }

/** Declares a resource: the data and named conditions from which the engine derives its operations. */
export function resource<F extends Fields, R extends Row = Row>(name: string, declared: Declaration<F, R>): Resource {
  const key = declared.key ?? ['id']
  return {
    name,
    about: declared.about,
    singular: declared.singular,
    making: declared.making ?? null,
    variants: declared.variants ?? null,
    tag: declared.tag ?? name,
    deprecated: declared.deprecated ?? false,
    path: declared.path ?? `/${name}`,
    source: declared.source,
    fields: declared.configuration === undefined ? declared.fields : { ...declared.fields, ...managedFields },
    key,
    bound: declared.bound ?? { _id: 'id' },
    parent: declared.parent ?? null,
    readFlag: declared.readFlag ?? null,
    alias: declared.alias ?? {},
    relations: declared.relations ?? {},
    embed: declared.embed ?? [],
    subresources: declared.subresources ?? [],
    search: declared.search ?? [],
    range: declared.range ?? null,
    sort: declared.sort ?? key,
    storedKey: declared.storedKey ?? { id: 'id' },
    access: declared.access ?? 'customer',
    scope: declared.scope ?? (declared.access === 'administrator' ? 'admin' : null),
    forNarrowedKeys: declared.forNarrowedKeys ?? (declared.parent === undefined ? false : null),
    visible: declared.visible,
    permissions: declared.permissions ?? (() => readable),
    operations: declared.operations,
    beforeSecondFactor: declared.beforeSecondFactor ?? [],
    children: declared.children ?? {},
    countings: declared.countings ?? {},
    write: declared.write ?? {},
    actions: declared.actions ?? [],
    configuration: declared.configuration ?? null,
  }
}

/** All resources by name; relations and children refer to each other through it. */
export interface Registry {
  readonly all: readonly Resource[]
  get(name: string): Resource
}

/** Throws at start when a name is taken twice or a relation leads nowhere. */
export function registryOf(resources: readonly Resource[]): Registry {
  const byName = new Map(resources.map((entry) => [entry.name, entry]))
  if (byName.size !== resources.length) throw new Error('Two resources have the same name.')
  function get(name: string): Resource {
    const found = byName.get(name)
    if (found === undefined) throw new Error(`No resource is called ${name}.`)
    return found
  }
  for (const { relations, children, parent } of resources) {
    for (const { to } of Object.values(relations)) get(to)
    for (const { list } of Object.values(children)) get(list)
    if (parent !== null) get(parent)
  }
  return { all: resources, get }
}
