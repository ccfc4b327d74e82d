import type { Answer, Frozen, Method, OperationOf, PathOf } from './operations.ts'

/**
 * The types of an address with its parameters filled in: `/services/7?fields=id,name` or `/services/${id}`.
 * They follow from the path, `fields` and `embed`, so nobody names them.
 */

/** `/services/{_id}/permissions` → `/services/{}/permissions`. */
type Shape<Path extends string> = Path extends `${infer Before}{${string}}${infer After}`
  ? `${Before}{}${Shape<After>}`
  : Path

type ByShape = { readonly [M in Method]: { readonly [P in PathOf<M> as Shape<P>]: P } }

/** A text that is known only at run time is a parameter. */
type Segment<Text extends string> = Record<never, 1> extends Record<Text, 1> ? '{}' : Text

/** `/services/${number}/permissions` → `/services/{}/permissions`. */
type ShapeOf<Path extends string> = Path extends `${infer Head}/${infer Rest}`
  ? `${Segment<Head>}/${ShapeOf<Rest>}`
  : Segment<Path>

/** Whether a path of the document fits a filled one, as `/accounts/{_id}` fits `/accounts/my_account`. */
type Fits<Path extends string, Filled extends string> = Path extends `${infer Head}/${infer Rest}`
  ? Filled extends `${infer FilledHead}/${infer FilledRest}`
    ? Head extends FilledHead | `{${string}}`
      ? Fits<Rest, FilledRest>
      : false
    : false
  : Filled extends `${string}/${string}`
    ? false
    : Path extends Filled | `{${string}}`
      ? true
      : false

type Fitting<M extends Method, Filled extends string> = {
  [P in PathOf<M>]: Fits<P, Filled> extends true ? P : never
}[PathOf<M>]

type WithoutQuery<Address extends string> = Address extends `${infer Path}?${string}` ? Path : Address

type PathOfFilled<M extends Method, Path extends string> =
  ShapeOf<Path> extends infer Found extends keyof ByShape[M] ? ByShape[M][Found] : Fitting<M, Path>

/** The path of the document that an address fills in; never: there is none. */
export type PathAt<M extends Method, Address extends string> = PathOfFilled<M, WithoutQuery<Address>> & PathOf<M>

/** The value of a parameter in a query. */
type Value<Query extends string, Name extends string> = Query extends `${Name}=${infer Rest}`
  ? UpToNext<Rest>
  : Query extends `${string}&${Name}=${infer Rest}`
    ? UpToNext<Rest>
    : never

type UpToNext<Text extends string> = Text extends `${infer Before}&${string}` ? Before : Text

type QueryOf<Address extends string> = Address extends `${string}?${infer Query}` ? Query : ''

/** The names of a list with commas. */
type Names<Text extends string> = Text extends `${infer Head},${infer Rest}` ? Head | Names<Rest> : Text

type HeadOf<Name extends string> = Name extends `${infer Head}.${string}` ? Head : Name
type TailOf<Name, Head extends string> = Name extends `${Head}.${infer Tail}` ? Tail : never

/** An embedded object, whole or with some members. */
type Part<Whole, Wanted extends string> = [Wanted] extends [never]
  ? Whole
  : Whole extends readonly (infer One)[]
    ? Part<One, Wanted>[]
    : Whole extends object
      ? { [Head in HeadOf<Wanted> & keyof Whole]: Part<Exclude<Whole[Head], undefined>, TailOf<Wanted, Head & string>> }
      : Whole

type Embedded<Row, Wanted extends string> = {
  [Head in HeadOf<Wanted> & keyof Row]-?: Part<Exclude<Row[Head], undefined>, TailOf<Wanted, Head & string>>
}

/** Fields that are known only at run time may all be missing. */
type Fields<Row, Wanted extends string> = [Wanted] extends [never]
  ? Row
  : string extends Wanted
    ? Partial<Row>
    : Pick<Row, HeadOf<Wanted> & keyof Row>

type ShownRow<Row, Wanted extends string, Embed extends string> = [Embed] extends [never]
  ? Fields<Row, Wanted>
  : Omit<Fields<Row, Wanted>, HeadOf<Embed>> & Embedded<Row, Embed>

type Shown<Body, Wanted extends string, Embed extends string> = [Wanted | Embed] extends [never]
  ? Body
  : Body extends readonly (infer Row)[]
    ? ShownRow<Row, Wanted, Embed>[]
    : Body extends object
      ? ShownRow<Body, Wanted, Embed>
      : Body

/** The body of the answer at an address. */
export type AnswerAt<M extends Method, Address extends string> = Address extends unknown
  ? Shown<
      Answer<M, PathAt<M, Address>>,
      Names<Value<QueryOf<Address>, 'fields'>>,
      Names<Value<QueryOf<Address>, 'embed'>>
    >
  : never

/** The body of a request to an address; undefined: it takes none. */
export type BodyAt<M extends Method, Address extends string> = Address extends unknown
  ? OperationOf<M, PathAt<M, Address>> extends { readonly body?: infer Body }
    ? Frozen<Body>
    : undefined
  : never

/** An element of the list at an address. */
export type RowAt<Address extends string> = AnswerAt<'GET', Address> extends readonly (infer Row)[] ? Row : never

/** An address that the document knows; others become a text that says so. */
export type Known<M extends Method, Address extends string> = Address extends unknown
  ? [PathAt<M, Address>] extends [never]
    ? `the API has no ${M} ${Address}`
    : Address
  : never
