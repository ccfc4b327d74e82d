import type { components } from './schema.js'

/** The types of what each operation takes and answers, by its method and path. */

export type Schemas = components['schemas']
type Operations = Schemas['operations']

export type Method = keyof Operations
export type PathOf<M extends Method> = keyof Operations[M] & string
export type OperationOf<M extends Method, P extends PathOf<M>> = Operations[M][P]

/** Paths whose answer is JSON, or nothing. */
export type CallPath<M extends Method> = {
  [P in PathOf<M>]: Operations[M][P] extends { readonly file: unknown } ? never : P
}[PathOf<M>]

/** Paths whose answer is a file: a PDF, a picture, a calendar. */
export type FilePath = {
  [P in PathOf<'GET'>]: Operations['GET'][P] extends { readonly file: unknown } ? P : never
}[PathOf<'GET'>]

/** Paths of lists that are read in pages. */
export type ListPath = {
  [P in CallPath<'GET'>]: Operations['GET'][P] extends {
    readonly query?: { readonly offset?: number }
    readonly answer: readonly unknown[]
  }
    ? P
    : never
}[CallPath<'GET'>]

/** Paths that can answer in lines, each as soon as it is known. */
export type LinesPath = {
  [P in PathOf<'POST'>]: Operations['POST'][P] extends { readonly lines: true } ? P : never
}[PathOf<'POST'>]

/** A line of an answer: an element of its only list, or the rest of it at the end. */
export type LineOf<P extends LinesPath> =
  Answer<'POST', P> extends {
    readonly checks: readonly (infer Check)[]
  }
    ? Check | Omit<Answer<'POST', P>, 'checks'>
    : unknown

export type Answer<M extends Method, P extends PathOf<M>> =
  OperationOf<M, P> extends { readonly answer: infer Body } ? Body : undefined

/** An element of a list; the object itself where the answer is one. */
type RowOf<Body> = Body extends readonly (infer Row)[] ? Row : Body

export type FieldOf<M extends Method, P extends PathOf<M>> = keyof RowOf<Answer<M, P>> & string

type Narrowed<Row, F> = Row extends object ? Pick<Row, F & keyof Row> & Partial<Omit<Row, F & keyof Row>> : Row

/** The answer if only some fields are asked for: the others may be missing. */
export type AnswerWith<M extends Method, P extends PathOf<M>, F> = [F] extends [never]
  ? Answer<M, P>
  : Answer<M, P> extends readonly (infer Row)[]
    ? Narrowed<Row, F>[]
    : Narrowed<Answer<M, P>, F>

type QueryWith<Query, F> = 'fields' extends keyof Query
  ? Omit<Query, 'fields'> & { readonly fields?: readonly F[] }
  : Query

/** A request changes nothing of its parts. */
export type Frozen<T> = T extends readonly (infer Element)[]
  ? readonly Frozen<Element>[]
  : T extends object
    ? { readonly [Name in keyof T]: Frozen<T[Name]> }
    : T

/** The parameters and the body of an operation. */
type Input<Operation, F> = (Operation extends { readonly path: infer Path }
  ? { readonly path: Frozen<Path> }
  : object) &
  (Operation extends { readonly query?: infer Query }
    ? { readonly query?: QueryWith<Frozen<NonNullable<Query>>, F> }
    : object) &
  (Operation extends { readonly body: infer Body }
    ? { readonly body: Frozen<Body> }
    : Operation extends { readonly body?: infer Body }
      ? { readonly body?: Frozen<Body> }
      : object)

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** `etag` of the version that may be changed or deleted; any other is refused with 412. */
  readonly ifMatch?: string | undefined
}

export type Init<M extends Method, P extends PathOf<M>, F = string> = Input<OperationOf<M, P>, F> & RequestOptions

/** The last argument can be left out if the operation needs nothing. */
export type Arguments<Given> = object extends Given ? [init?: Given] : [init: Given]
