import { setTimeout as pause } from 'node:timers/promises'
import { Option } from 'commander'
import type { Api } from '../configuration/api.ts'
import { CannotStart } from '../program/cannot-start.ts'
import { languageOfMachine } from './machine-language.ts'

/** An installation that a command asks over its API, with somebody's login. */

export interface RemoteFlags {
  readonly server?: string
  readonly token?: string
}

/** The options of every command that asks an installation. */
export function remoteOptions(): readonly Option[] {
  return [
    new Option('--server <url>', 'address of the installation').env('LATARNIK_URL'),
    new Option('--token <token>', 'a token of the API; safer in LATARNIK_TOKEN, which other users cannot see').env(
      'LATARNIK_TOKEN',
    ),
  ]
}

export interface Remote {
  readonly origin: string
  /** @param path below `/v3` */
  call<Body>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Body>
  /** Every row of a list. */
  list<Row>(path: string): Promise<Row[]>
  /** The lines of an answer, each as it comes. */
  lines(path: string, body: unknown): AsyncIterable<unknown>
}

const pageSize = 1000
/** Answers of "too many requests" that are waited out. */
const mostPatience = 5
const longestWaitSeconds = 120

/** `https://host/below`, with or without `/v3` at its end. */
function baseOf(given: string): URL {
  let url: URL
  try {
    url = new URL(given)
  } catch {
    throw new CannotStart(`--server is not an address: ${given}`)
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new CannotStart('--server must begin with https://')
  return new URL(`${url.pathname.replace(/\/+$/, '').replace(/\/v3$/, '')}/v3`, url)
}

function authorization({ token }: RemoteFlags, environment: NodeJS.ProcessEnv): string {
  if (token !== undefined && token !== '') return `Bearer ${token}`
  const { LATARNIK_USERNAME: username, LATARNIK_PASSWORD: password } = environment
  if (username !== undefined && password !== undefined) {
    return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  }
  throw new CannotStart('Set LATARNIK_TOKEN, or LATARNIK_USERNAME and LATARNIK_PASSWORD.')
}

/** The messages of a refusal, as the installation words them. */
function messagesOf(body: unknown): string {
  const problems = Array.isArray(body) ? body : []
  return problems
    .flatMap((problem: { readonly message?: unknown; readonly field?: unknown }) => {
      const field = typeof problem.field === 'string' ? `${problem.field}: ` : ''
      return typeof problem.message === 'string' ? [field + problem.message] : []
    })
    .join(' ')
}

async function refusalOf(response: Response, origin: string): Promise<CannotStart> {
  if (response.status >= 300 && response.status < 400) {
    return new CannotStart(
      `${origin} redirects to ${response.headers.get('location') ?? 'elsewhere'}: use that address.`,
    )
  }
  const text = await response.text()
  let told = ''
  try {
    told = messagesOf(JSON.parse(text))
  } catch {
    // Something else than Latarnik answered.
  }
  const hint = response.status === 401 ? ' Is the token, or the password, right?' : ''
  return new CannotStart(`${origin} refuses (${response.status}). ${told}${hint}`.trim())
}

interface Sent {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

type Send = (sent: Sent) => Promise<Response>

/** Sends requests with a login, and waits where the installation asks for it. */
function sender(base: URL, login: Readonly<Record<string, string>>): Send {
  return async ({ method, path, body, headers = {} }) => {
    const typed = body === undefined ? {} : { 'Content-Type': 'application/json' }
    const init: RequestInit = {
      method,
      headers: { ...login, ...typed, Accept: 'application/json', ...headers },
      // A redirect would hand the login to somebody else.
      redirect: 'manual',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }
    for (let patience = mostPatience; ; patience--) {
      const response = await fetch(base.href + path, init).catch((error: unknown) => {
        throw new CannotStart(`${base.origin} cannot be reached: ${reasonOf(error)}.`)
      })
      const waitSeconds = Number(response.headers.get('retry-after') ?? Number.NaN)
      const isBusy = (response.status === 429 || response.status === 503) && waitSeconds <= longestWaitSeconds
      if (!isBusy || patience === 0) return response
      await response.body?.cancel()
      await pause(Math.max(1, waitSeconds) * 1000)
    }
  }
}

/** @param source for the audit log of the installation */
function senderOf(
  flags: RemoteFlags,
  environment: NodeJS.ProcessEnv,
  source: 'cli' | 'apply',
): { readonly origin: string; readonly send: Send } {
  if (flags.server === undefined) throw new CannotStart('Name the installation: --server, or LATARNIK_URL.')
  const base = baseOf(flags.server)
  const login = {
    Authorization: authorization(flags, environment),
    'Accept-Language': languageOfMachine(environment),
    'Latarnik-Source': source,
  }
  return { origin: base.origin, send: sender(base, login) }
}

/** The installation for configuration as code, which looks at refusals by itself. */
export function apiOf(flags: RemoteFlags, environment: NodeJS.ProcessEnv = process.env): Api {
  const { origin, send } = senderOf(flags, environment, 'apply')
  return {
    origin,
    async send({ ifMatch, ...request }) {
      const response = await send({ ...request, headers: ifMatch === undefined ? {} : { 'If-Match': ifMatch } })
      const isOfLogin = response.status === 401 || response.status === 429 || response.status >= 500
      if (isOfLogin || (response.status >= 300 && response.status < 400)) throw await refusalOf(response, origin)
      const body = response.status === 204 ? null : await bodyOf<unknown>(response, origin)
      return { status: response.status, body, etag: response.headers.get('etag') }
    },
  }
}

export function remoteOf(flags: RemoteFlags, environment: NodeJS.ProcessEnv = process.env): Remote {
  const { origin, send: sendAny } = senderOf(flags, environment, 'cli')
  const send: Send = async (sent) => {
    const response = await sendAny(sent)
    if (!response.ok) throw await refusalOf(response, origin)
    return response
  }
  return {
    origin,
    async call<Body>(method: 'GET' | 'POST', path: string, body?: unknown) {
      return bodyOf<Body>(await send({ method, path, body }), origin)
    },
    async list<Row>(path: string) {
      const rows: Row[] = []
      for (;;) {
        const page = await send({ method: 'GET', path: `${path}&limit=${pageSize}&offset=${rows.length}` })
        const found = await bodyOf<Row[]>(page, origin)
        rows.push(...found)
        if (found.length < pageSize) return rows
      }
    },
    async *lines(path, body) {
      const response = await send({ method: 'POST', path, body, headers: { Accept: 'application/x-ndjson' } })
      let rest = ''
      const decoder = new TextDecoder()
      for await (const chunk of response.body ?? []) {
        const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n')
        rest = parts.pop() ?? ''
        for (const line of parts) if (line !== '') yield JSON.parse(line)
      }
      if (rest !== '') yield JSON.parse(rest)
    },
  }
}

async function bodyOf<Body>(response: Response, origin: string): Promise<Body> {
  try {
    return (await response.json()) as Body
  } catch {
    throw new CannotStart(`${origin} is no Latarnik: its answer is no JSON.`)
  }
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  return cause instanceof Error ? cause.message || cause.name : String(cause)
}
