import {
  type AnswerAt,
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
import { hasUnsaved } from '../leaving/unsaved.ts'
import type { Sent } from './bodies.ts'
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

let language = 'en'

/** The language that the API words its texts in. */
export function speak(to: string): void {
  language = to
}

// Queries are repeated by what keeps them; a change is the reader's to repeat.
const once = { server: prefix, retry: { times: 0, longestWaitSeconds: 0 } }

/**
 * With the session of the browser. Another tab may have logged in since it ended. Nobody is taken to the login from a
 * form that is not saved: what was typed would be lost.
 */
const ask = senderOf({
  ...once,
  token: sessionToken,
  headers: () => ({ 'Latarnik-Source': 'console', 'Accept-Language': language }),
  renew: async () => (await openSession()) || (hasUnsaved() ? false : toLogin()),
})

/** Whether a request was refused because the session has ended. */
export function isLoggedOut(error: unknown): boolean {
  return error instanceof ProblemError && error.status === 401
}

/** Sends a request; a session that ended leads to the login, or is an error with 401. `path` is what follows `/v3`. */
export async function send(path: string, { method = 'GET', ...request }: Request = {}): Promise<Response> {
  try {
    return await ask(method, path, request)
  } catch (error) {
    if (isLoggedOut(error) && !hasUnsaved()) return toLogin()
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
