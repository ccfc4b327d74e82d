import { pathWith } from './address.ts'
import { type EventOptions, eventsOf, type StreamEvent } from './events.ts'
import type {
  Answer,
  AnswerWith,
  Arguments,
  CallPath,
  FieldOf,
  FilePath,
  Init,
  LineOf,
  LinesPath,
  ListPath,
  Method,
  RequestOptions,
} from './operations.ts'
import { UnreachableError } from './problem-error.ts'
import { linesOf } from './streams.ts'
import { type ClientOptions, type Send, senderOf } from './transport.ts'

/** An answer with its circumstances. */
export interface Reply<Body> {
  readonly body: Body
  readonly status: number
  /** The version, for `ifMatch`. */
  readonly etag: string | null
  /** Objects of the whole list; null: it is no list. */
  readonly total: number | null
  readonly headers: Headers
}

interface AnyInit extends RequestOptions {
  readonly path?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

type Row<P extends ListPath, F> = AnswerWith<'GET', P, F> extends readonly (infer One)[] ? One : never

/** The most that a page of a list can hold. */
const pageSize = 1000
const json = 'application/json'

async function ask(send: Send, method: Method, path: string, init: AnyInit = {}, accept = json): Promise<Response> {
  const { body, signal, headers, ifMatch } = init
  const match = ifMatch === undefined ? {} : { 'If-Match': ifMatch }
  return send(method, pathWith(path, init), { body, signal, headers: { Accept: accept, ...match, ...headers } })
}

function parsed(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new UnreachableError('The answer is no JSON', { cause })
  }
}

async function replyOf<Body>(response: Response): Promise<Reply<Body>> {
  const { status, headers } = response
  const total = headers.get('x-total-count')
  const text = await response.text()
  return {
    body: parsed(text) as Body,
    ...{ status, headers, etag: headers.get('etag'), total: total === null ? null : Number(total) },
  }
}

/** A client of one installation with one login. Refusals reject with `ProblemError`. */
export class Client {
  /** A request without types: `send('GET', '/services?limit=5')`. */
  readonly send: Send

  constructor(options: ClientOptions) {
    this.send = senderOf(options)
  }

  get<P extends CallPath<'GET'>, const F extends FieldOf<'GET', P> = never>(
    path: P,
    ...[init]: Arguments<Init<'GET', P, F>>
  ): Promise<AnswerWith<'GET', P, F>> {
    return this.#body('GET', path, init)
  }

  post<P extends CallPath<'POST'>>(path: P, ...[init]: Arguments<Init<'POST', P>>): Promise<Answer<'POST', P>> {
    return this.#body('POST', path, init)
  }

  put<P extends CallPath<'PUT'>>(path: P, ...[init]: Arguments<Init<'PUT', P>>): Promise<Answer<'PUT', P>> {
    return this.#body('PUT', path, init)
  }

  delete<P extends CallPath<'DELETE'>>(path: P, ...[init]: Arguments<Init<'DELETE', P>>): Promise<Answer<'DELETE', P>> {
    return this.#body('DELETE', path, init)
  }

  /** An answer with its version, its headers, and the length of the list. */
  async call<M extends Method, P extends CallPath<M>>(
    method: M,
    path: P,
    ...[init]: Arguments<Init<M, P>>
  ): Promise<Reply<Answer<M, P>>> {
    return replyOf(await ask(this.send, method, path, init as AnyInit | undefined))
  }

  /** Every object of a list, page by page as you read on. `limit` is the size of a page. */
  async *list<P extends ListPath, const F extends FieldOf<'GET', P> = never>(
    path: P,
    ...[init]: Arguments<Init<'GET', P, F>>
  ): AsyncGenerator<Row<P, F>> {
    const { query = {}, ...rest }: AnyInit = init ?? {}
    const { limit = pageSize, offset = 0 } = query
    for (let read = Number(offset); ; ) {
      const page = { ...rest, query: { ...query, limit, offset: read } }
      const { body } = await replyOf<Row<P, F>[]>(await ask(this.send, 'GET', path, page))
      yield* body
      read += body.length
      if (body.length < Number(limit)) return
    }
  }

  /** Every object of a list at once. */
  async all<P extends ListPath, const F extends FieldOf<'GET', P> = never>(
    path: P,
    ...init: Arguments<Init<'GET', P, F>>
  ): Promise<Row<P, F>[]> {
    const rows: Row<P, F>[] = []
    for await (const row of this.list<P, F>(path, ...init)) rows.push(row)
    return rows
  }

  /** A file, as the answer of `fetch`: read it as `blob()`, `arrayBuffer()`, `text()` or `body`. */
  file<P extends FilePath>(path: P, ...[init]: Arguments<Init<'GET', P>>): Promise<Response> {
    return ask(this.send, 'GET', path, init, '*/*')
  }

  /** The lines of an answer, each as soon as it is known. */
  async *lines<P extends LinesPath>(path: P, ...[init]: Arguments<Init<'POST', P>>): AsyncGenerator<LineOf<P>> {
    yield* linesOf<LineOf<P>>(await ask(this.send, 'POST', path, init, 'application/x-ndjson'))
  }

  /** Events as they happen, until the signal or the end of the loop. A stream that breaks off resumes. */
  events(options: EventOptions = {}): AsyncGenerator<StreamEvent> {
    return eventsOf(this.send, options)
  }

  async #body<Body>(method: Method, path: string, init: AnyInit | undefined): Promise<Body> {
    return (await replyOf<Body>(await ask(this.send, method, path, init))).body
  }
}

export function createClient(options: ClientOptions): Client {
  return new Client(options)
}
