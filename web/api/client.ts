import { prefix } from './prefix.ts'
import { openSession, sessionToken, toLogin } from './session.ts'

/** One problem of a request, as the API words it. */
export interface Problem {
  readonly code: number
  readonly error: string
  readonly message: string
  /** Where in the request: `data.name`, `query.sort`. */
  readonly field?: string
}

/** The API refused; `problems` has each reason, worded in the language of the reader. */
export class Refused extends Error {
  readonly status: number
  readonly problems: readonly Problem[]
  /** In how many seconds to come again. Null: the API does not say. */
  readonly retryAfter: number | null

  constructor(status: number, problems: readonly Problem[], retryAfter: number | null = null) {
    super([...new Set(problems.map(({ message }) => message))].join(' ') || `HTTP ${status}`)
    this.status = status
    this.problems = problems
    this.retryAfter = retryAfter
  }
}

/** The API could not be reached at all. */
export class Unreachable extends Error {}

/** A page of a list, and how many there are of it. */
export interface Page<Row> {
  readonly rows: readonly Row[]
  readonly total: number
}

interface Request {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
  readonly headers?: Readonly<Record<string, string>>
}

let language = 'en'

/** The language that the API words its texts in. */
export function speak(to: string): void {
  language = to
}

/** Sends a request; a session that ended leads to the login. `path` is what follows `/v3`. */
export async function send(path: string, request: Request = {}): Promise<Response> {
  const response = await attempt(path, request)
  if (response.status !== 401) return checked(response)
  // Another tab may have logged in since.
  if (!(await openSession())) return toLogin()
  const again = await attempt(path, request)
  return again.status === 401 ? toLogin() : checked(again)
}

async function attempt(path: string, { method = 'GET', body, signal, headers }: Request): Promise<Response> {
  try {
    return await fetch(`${prefix}/v3${path}`, {
      method,
      credentials: 'omit',
      headers: {
        Authorization: `Bearer ${sessionToken()}`,
        'Latarnik-Source': 'console',
        'Accept-Language': language,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    })
  } catch (error) {
    if (error instanceof DOMException) throw error
    throw new Unreachable()
  }
}

/** A proxy answers so when the server behind it is away. */
const away: readonly number[] = [502, 503, 504]

async function checked(response: Response): Promise<Response> {
  if (response.ok) return response
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json') ?? false
  if (!isJson && away.includes(response.status)) throw new Unreachable()
  const body: unknown = isJson ? await response.json() : null
  const retryAfter = response.headers.get('Retry-After')
  const problems = Array.isArray(body) ? (body as Problem[]) : []
  throw new Refused(response.status, problems, retryAfter === null ? null : Number(retryAfter))
}

/** Reads what a link shows, with the token of the link: nobody needs to be logged in. */
export async function readByLink<Body>(token: string, path: string, signal?: AbortSignal): Promise<Body> {
  const headers = { Authorization: `Bearer ${token}`, 'Accept-Language': language }
  try {
    const response = await fetch(`${prefix}/v3${path}`, {
      credentials: 'omit',
      headers,
      ...(signal === undefined ? {} : { signal }),
    })
    return (await checked(response)).json() as Promise<Body>
  } catch (error) {
    if (error instanceof DOMException || error instanceof Refused) throw error
    throw new Unreachable()
  }
}

export async function read<Body>(path: string, signal?: AbortSignal): Promise<Body> {
  return (await send(path, { signal })).json() as Promise<Body>
}

export async function readPage<Row>(path: string, signal?: AbortSignal): Promise<Page<Row>> {
  const response = await send(path, { signal })
  const rows = (await response.json()) as Row[]
  return { rows, total: Number(response.headers.get('X-Total-Count') ?? rows.length) }
}

/** An object, and the tag of the version in which it is. */
export interface Version<Body> {
  readonly object: Body
  readonly tag: string
}

export async function readVersion<Body>(path: string, signal?: AbortSignal): Promise<Version<Body>> {
  const response = await send(path, { signal })
  return { object: (await response.json()) as Body, tag: response.headers.get('ETag') ?? '*' }
}

/** Sends a change; the body of the answer, if it has one. With a tag it is refused (412) for any other version. */
export async function change<Body = undefined>(
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
  tag?: string,
): Promise<Body> {
  const response = await send(path, { method, body, ...(tag === undefined ? {} : { headers: { 'If-Match': tag } }) })
  return (response.status === 204 ? undefined : await response.json()) as Body
}

/** Sends a body and reads the answer as lines of JSON, each as soon as it is there. */
export async function* readLines<Line>(path: string, body: unknown, signal: AbortSignal): AsyncGenerator<Line> {
  const response = await send(path, { method: 'POST', body, signal })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
    if (done) return
    const lines = (rest + value).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield JSON.parse(line) as Line
  }
}
