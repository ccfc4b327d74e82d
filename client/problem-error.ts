import type { Schemas } from './operations.ts'

/** One problem of a refused request. */
export type Problem = Omit<Schemas['problem'], 'description'>

interface Circumstances {
  /** Seconds until the request may be sent again; null: the API does not say. */
  readonly retryAfter?: number | null
  readonly headers?: Headers
  /** `POST /services` */
  readonly request?: string
}

/** The API refused a request. Its message has the problems' messages, in the language of the client. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  /** The status of HTTP. */
  readonly status: number
  readonly problems: readonly Problem[]
  /** Seconds until the request may be sent again; null: the API does not say. */
  readonly retryAfter: number | null
  readonly headers: Headers
  /** `POST /services`; empty: no request was sent. */
  readonly request: string

  constructor(status: number, problems: readonly Problem[], circumstances: Circumstances = {}) {
    super([...new Set(problems.map(({ message }) => message))].join(' ') || `HTTP ${status}`)
    this.status = status
    this.problems = problems
    this.retryAfter = circumstances.retryAfter ?? null
    this.headers = circumstances.headers ?? new Headers()
    this.request = circumstances.request ?? ''
  }

  /** The number under which operators find the request in the log. */
  get requestId(): string | null {
    return this.headers.get('x-request-id')
  }

  /** Whether one of the problems has the symbol, like `incorrect_value`. */
  has(symbol: string): boolean {
    return this.problems.some(({ error }) => error === symbol)
  }

  /** The problems of one part of the request, like `data.name`. */
  at(pointer: string): readonly Problem[] {
    return this.problems.filter(({ field }) => field === pointer)
  }
}

/** There was no answer of the API: no connection, or a proxy that cannot reach the server behind it. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
}

const unreachableStatuses: readonly number[] = [502, 503, 504]

/** The seconds of `Retry-After`, which has a number or a date. */
export function retryAfterOf(headers: Headers): number | null {
  const text = headers.get('retry-after')
  if (text === null) return null
  const seconds = Number(text)
  if (!Number.isNaN(seconds)) return seconds
  const moment = Date.parse(text)
  return Number.isNaN(moment) ? null : Math.max(0, Math.ceil((moment - Date.now()) / 1000))
}

/** The error that a refused request ends with. */
export async function refusalOf(response: Response, request: string): Promise<ProblemError | UnreachableError> {
  const { status, headers } = response
  const isJson = headers.get('content-type')?.startsWith('application/json') ?? false
  if (!isJson && unreachableStatuses.includes(status)) return new UnreachableError(`A proxy answers ${status}`)
  const body: unknown = isJson ? await response.json().catch(() => null) : null
  if (!isJson) await response.body?.cancel()
  const problems = Array.isArray(body) ? (body as Problem[]) : []
  return new ProblemError(status, problems, { retryAfter: retryAfterOf(headers), headers, request })
}
