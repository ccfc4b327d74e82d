import {
  type AnswerAt,
  type BodyAt,
  type Known,
  type LineOf,
  type LinesPath,
  linesOf,
  type Method,
  ProblemError,
  type RowAt,
  UnreachableError,
} from '../../client/client.ts'
import { senderOf } from '../../client/transport.ts'
import type { Address } from './address.ts'
import { prefix } from './prefix.ts'
import { openSession, sessionToken, toLogin } from './session.ts'

export type { Problem } from '../../client/client.ts'
export type { Path }
/** The API refused; `problems` has each reason, worded in the language of the reader. */
export { ProblemError as Refused, UnreachableError as Unreachable }

/** A page of a list, and how many there are of it. */
export interface Page<Row> {
  readonly rows: readonly Row[]
  readonly total: number
}

interface Request {
  readonly method?: Method
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
  readonly headers?: Readonly<Record<string, string>>
}

/** Methods that change something. */
export type Changing = Exclude<Method, 'GET'>

let language = 'en'

/** The language that the API words its texts in. */
export function speak(to: string): void {
  language = to
}

// Queries are repeated by what keeps them; a change is the reader's to repeat.
const once = { server: prefix, retry: { times: 0, longestWaitSeconds: 0 } }

/** With the session of the browser. Another tab may have logged in since it ended. */
const ask = senderOf({
  ...once,
  token: sessionToken,
  headers: () => ({ 'Latarnik-Source': 'console', 'Accept-Language': language }),
  renew: async () => (await openSession()) || toLogin(),
})

/** Sends a request; a session that ended leads to the login. `path` is what follows `/v3`. */
export async function send(path: string, { method = 'GET', ...request }: Request = {}): Promise<Response> {
  try {
    return await ask(method, path, request)
  } catch (error) {
    if (error instanceof ProblemError && error.status === 401) return toLogin()
    throw error
  }
}

type Path<M extends Method, A extends string> = A & Known<M, A>

async function jsonOf<Body>(response: Response): Promise<Body> {
  return response.json()
}

/** Reads what a link shows, with the token of the link: nobody needs to be logged in. */
export async function readByLink<const A extends string>(
  token: string,
  path: Path<'GET', A>,
  signal?: AbortSignal,
): Promise<AnswerAt<'GET', A>> {
  return jsonOf(await senderOf({ ...once, token, language })('GET', path, { signal }))
}

/** The answer has the type that the address says: its path, `fields` and `embed`. */
export async function read<const A extends string>(
  path: Path<'GET', A>,
  signal?: AbortSignal,
): Promise<AnswerAt<'GET', A>> {
  return jsonOf(await send(path, { signal }))
}

async function pageOf<Row>(path: string, signal?: AbortSignal): Promise<Page<Row>> {
  const response = await send(path, { signal })
  const rows = await jsonOf<Row[]>(response)
  return { rows, total: Number(response.headers.get('X-Total-Count') ?? rows.length) }
}

function joined(path: string, query: { readonly toString: () => string }): string {
  return `${path}${path.includes('?') ? '&' : '?'}${query}`
}

/** @param query further parameters; none of them changes what a row has */
export async function readPage<const A extends string>(
  path: Path<'GET', A>,
  signal?: AbortSignal,
  query?: URLSearchParams,
): Promise<Page<RowAt<A>>> {
  return pageOf(query === undefined ? path : joined(path, query), signal)
}

/** The longest page of the API. */
const rowsOfPage = 1000

/** Every row of a list. */
export async function readAll<const A extends string>(
  path: Path<'GET', A>,
  signal?: AbortSignal,
): Promise<readonly RowAt<A>[]> {
  const rows: RowAt<A>[] = []
  for (;;) {
    const page = await pageOf<RowAt<A>>(joined(path, `limit=${rowsOfPage}&offset=${rows.length}`), signal)
    rows.push(...page.rows)
    if (page.rows.length < rowsOfPage) return rows
  }
}

/** An object, and the tag of the version in which it is. */
export interface Version<Body> {
  readonly object: Body
  readonly tag: string
}

export async function readVersion<const A extends string>(
  path: Path<'PUT', A>,
  signal?: AbortSignal,
): Promise<Version<AnswerAt<'GET', A>>> {
  const response = await send(path, { signal })
  return { object: await jsonOf<AnswerAt<'GET', A>>(response), tag: response.headers.get('ETag') ?? '*' }
}

/** A form holds texts where the API has words, such as the ids of channels. */
type Worded<T> = T extends string
  ? string
  : T extends readonly (infer Element)[]
    ? readonly Worded<Element>[]
    : T extends object
      ? { readonly [Name in keyof T]: Worded<T[Name]> }
      : T

/** The body of a request to an address, as a form has it. */
export type Sent<M extends Method, A extends string> = Worded<BodyAt<M, A>>

async function sendAny(method: Method, path: string, body: unknown, tag?: string): Promise<unknown> {
  const response = await send(path, { method, body, ...(tag === undefined ? {} : { headers: { 'If-Match': tag } }) })
  return response.status === 204 ? undefined : response.json()
}

/** Sends a change; the body of the answer, if it has one. Both have the types that the address says. */
export async function change<const M extends Changing, const A extends string>(
  method: M,
  path: Path<M, A>,
  body?: Sent<M, A>,
): Promise<AnswerAt<M, A>> {
  return (await sendAny(method, path, body)) as AnswerAt<M, A>
}

/** A call that changes something. */
export interface Call {
  readonly method: Changing
  /** The path after `/v3`. */
  readonly path: Address<Changing>
  readonly body?: unknown
}

/** Sends a call as a form has made it. With a tag it is refused (412) for any other version. */
export async function sendChange({ method, path, body }: Call, tag?: string): Promise<unknown> {
  return sendAny(method, path, body, tag)
}

/** Sends a body and reads the answer as lines of JSON, each as soon as it is there. */
export async function* readLines<P extends LinesPath>(
  path: P,
  body: Sent<'POST', P>,
  signal: AbortSignal,
): AsyncGenerator<LineOf<P>> {
  yield* linesOf<LineOf<P>>(
    await send(path, { method: 'POST', body, signal, headers: { Accept: 'application/x-ndjson' } }),
  )
}
