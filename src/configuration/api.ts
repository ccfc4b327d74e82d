/** An installation as plans and changes reach it: requests of one login, and nothing else. */
export interface Api {
  /** For people: `https://latarnik.example.com`. */
  readonly origin: string
  /** Rejects if the installation cannot be reached, or refuses the login. */
  send(request: ApiRequest): Promise<ApiReply>
}

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below `/v3`. */
  readonly path: string
  readonly body?: unknown
  readonly ifMatch?: string
}

export interface ApiReply {
  readonly status: number
  readonly body: unknown
  readonly etag: string | null
}

/** One problem as the API words it. */
export interface WordedProblem {
  readonly error: string
  readonly field: string | undefined
  readonly message: string
}

export function problemsIn({ status, body }: ApiReply): readonly WordedProblem[] {
  const found = Array.isArray(body) ? (body as readonly Readonly<Record<string, unknown>>[]) : []
  const problems = found.map(({ error, field, message }) => ({
    ...{ error: String(error), field: typeof field === 'string' ? field : undefined },
    message: String(message),
  }))
  return problems.length > 0
    ? problems
    : [{ error: '', field: undefined, message: `The installation answers ${status}.` }]
}

/** The installation refuses what every plan needs. */
export class ApiRefuses extends Error {}

type Shown = Readonly<Record<string, unknown>>

const pageSize = 1000

/** Every row of a list, in the order of their numbers. */
export async function listAll(
  api: Api,
  path: string,
  query: Readonly<Record<string, string>>,
): Promise<readonly Shown[]> {
  const rows: Shown[] = []
  for (;;) {
    const parameters = new URLSearchParams({
      ...query,
      sort: 'id',
      limit: String(pageSize),
      offset: String(rows.length),
    })
    const reply = await api.send({ method: 'GET', path: `${path}?${parameters}` })
    if (reply.status !== 200 || !Array.isArray(reply.body)) refused(api, path, reply)
    const page = reply.body as readonly Shown[]
    rows.push(...page)
    if (page.length < pageSize) return rows
  }
}

export function refused({ origin }: Api, path: string, reply: ApiReply): never {
  const [problem] = problemsIn(reply)
  throw new ApiRefuses(`${origin} refuses ${path} (${reply.status}). ${problem?.message ?? ''}`.trim())
}
