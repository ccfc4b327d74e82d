import type { Method, PathOf } from '../../client/client.ts'

/** `/services/{_id}/permissions` → `/services/…/permissions`. */
type Filled<Path extends string> = Path extends `${infer Before}{${string}}${infer After}`
  ? `${Before}${string}${Filled<After>}`
  : Path

type Below<M extends Method> = M extends Method ? Filled<PathOf<M>> : never

/** An address of the API by the method: a path of its document, with the parameters filled in, and a query. */
export type Address<M extends Method = 'GET'> = Below<M> | `${Below<M>}?${string}`

/** An address that has a query already, to which `&limit=…` can be added. */
export type Query = `${Below<'GET'>}?${string}`

type ListOf<Path extends string> = Path extends `${infer List}/{_id}` ? Filled<List> : never

/** A list whose objects are made, changed and deleted. */
export type Collection = ListOf<PathOf<'DELETE'>>

/** A list of words that the API fixes. */
export type DictionaryName =
  PathOf<'GET'> extends infer Path ? (Path extends `/dictionaries/${infer Name}/{_id}` ? Name : never) : never
