import type { Sql } from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'
import type { Caller } from '../domain/access/caller.ts'
import type { ProblemDetail } from '../domain/input/problem-codes.ts'
import type { Language } from '../wording/language.ts'

export type Kind = 'integer' | 'decimal' | 'text' | 'boolean' | 'moment' | 'list' | 'object' | 'json'

export type JsonSchema = Readonly<Record<string, unknown>>

/** The options of every field; absent ones are false or empty. */
export interface FieldOptions {
  /** One sentence for the OpenAPI document. */
  readonly about?: string
  readonly example?: unknown
  readonly required?: boolean
  /** Objects for which a required text is empty and need not be sent. */
  readonly emptyFor?: (input: Readonly<Record<string, unknown>>) => boolean
  /** Not required, and still in the published example of a creation. */
  readonly typical?: boolean
  /** Not in the published example of a change, which everybody may paste. */
  readonly untypical?: boolean
  /** Set at creation (or by the server), never changed: a PUT with another value is `field_is_immutable`. */
  readonly immutable?: boolean
  /** Set by the server alone: not accepted at creation, immutable afterwards. */
  readonly readOnly?: boolean
  /** Changes by itself: the value that a reader saw may be sent back later, whatever it is now. */
  readonly computed?: boolean
  /** Never shown or accepted: for conditions only. */
  readonly internal?: boolean
  /** Shown only when named in `embed`. */
  readonly embedOnly?: boolean
  /** Accepted, never shown. */
  readonly writeOnly?: boolean
  /** Personal data that somebody may have erased: the audit log, which forgets nothing, has a mark instead. */
  readonly isPersonal?: boolean
  readonly nullable?: boolean
  /** No two objects have the same value; the resource's rules see to it. */
  readonly unique?: boolean
  /** May be used as an equality filter. */
  readonly filter?: boolean
  /** May be used as a containment filter (`name.contains`, `name~`). */
  readonly contains?: boolean
  readonly sort?: boolean
  readonly minimum?: number
  readonly maximum?: number
  readonly minimumLength?: number
  readonly maximumLength?: number
  readonly pattern?: RegExp
  /** A text that may have line breaks and other control characters. Others are names and the like: one line. */
  readonly multiline?: boolean
  /** The message about a value that does not match the pattern. */
  readonly detail?: ProblemDetail
  readonly oneOf?: readonly (string | number)[]
  /** For a field of any JSON: the JSON Schema of what is sent, and of what is shown. */
  readonly schema?: { readonly written: JsonSchema; readonly shown: JsonSchema }
  /** For a field of any JSON: an object with such values, whatever their names. */
  readonly members?: Field
  /** Deprecated in the OpenAPI document. */
  readonly deprecated?: boolean
  /** Where the value comes from when it is not the column of the same name. */
  readonly column?: (read: ColumnContext) => Sql
  /** Last touch before the value is shown; the row has the fields of the same query. */
  readonly shown?: (
    value: unknown,
    row: Readonly<Record<string, unknown>>,
    language: Language,
    /** That of the request: `http://host:port/v3`. */
    baseUrl: string,
  ) => unknown
  /** Values by the object's key, read in one further query per page and shown through `shown`. Without a column. */
  readonly attached?: (
    executor: Executor,
    keys: readonly number[],
    nowAt: number,
  ) => Promise<ReadonlyMap<number, unknown>>
  /** The field that has the same order and an index. */
  readonly sortBy?: string
  /** No column of the resource's table: what is written to it is stored by the resource's effects. */
  readonly elsewhere?: boolean
  /** Other fields that `shown` reads. */
  readonly needs?: readonly string[]
  /** The column that holds the value, when it has another name. */
  readonly storedIn?: string
  /** How the value is written to its column: as JSON text (jsonb), or as the function makes it. */
  readonly stored?: 'json' | ((value: unknown) => unknown)
}

export interface ColumnContext {
  /** The SQL alias of the row. */
  readonly alias: Sql
  readonly caller: Caller
  /** Unix milliseconds. */
  readonly nowAt: number
  /** The caller changes something, by a key only with the scope that changes objects of this resource. */
  readonly mayWrite: boolean
}

/** `T` is the type of a value in a row; it exists for inference only. */
export interface Field<T = unknown> extends FieldOptions {
  readonly kind: Kind
  readonly of?: Field
  readonly shape?: Readonly<Record<string, Field>>
  readonly type?: T
}

export type Fields = Readonly<Record<string, Field>>

/** The type of a row with these fields. */
export type RowOf<F extends Fields> = {
  readonly [K in keyof F]: F[K] extends Field<infer T> ? T : never
}

type Nullable<O extends FieldOptions, T> = O extends { readonly nullable: true } ? T | null : T

function field<T, const O extends FieldOptions>(
  kind: Kind,
  options: O,
  more: Partial<Field> = {},
): Field<Nullable<O, T>> {
  return { kind, ...options, ...more } as Field<Nullable<O, T>>
}

export function integer<const O extends FieldOptions>(options: O): Field<Nullable<O, number>> {
  return field<number, O>('integer', options)
}

export function decimal<const O extends FieldOptions>(options: O): Field<Nullable<O, number>> {
  return field<number, O>('decimal', options)
}

export function text<const O extends FieldOptions>(options: O): Field<Nullable<O, string>> {
  return field<string, O>('text', options)
}

export function boolean<const O extends FieldOptions>(options: O): Field<Nullable<O, boolean>> {
  return field<boolean, O>('boolean', options)
}

/** Unix milliseconds in rows, RFC 3339 on the wire. */
export function moment<const O extends FieldOptions>(options: O): Field<Nullable<O, number>> {
  return field<number, O>('moment', options)
}

export function list<T, const O extends FieldOptions>(of: Field<T>, options: O): Field<Nullable<O, readonly T[]>> {
  return field<readonly T[], O>('list', options, { of })
}

export function object<F extends Fields, const O extends FieldOptions>(
  shape: F,
  options: O,
): Field<Nullable<O, RowOf<F>>> {
  return field<RowOf<F>, O>('object', { stored: 'json', ...options }, { shape })
}

/** Any JSON; its form is checked by the resource's own rules. */
export function json<T, const O extends FieldOptions>(options: O): Field<Nullable<O, T>> {
  return field<T, O>('json', { stored: 'json', ...options })
}

/** The field every resource with a plain number as its key has. */
export function identifier<const O extends FieldOptions>(options?: O): Field<number> {
  return field<number, FieldOptions>('integer', {
    readOnly: true,
    filter: true,
    sort: true,
    about: 'Identifier.',
    ...options,
  })
}
