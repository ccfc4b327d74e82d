import { baseOf } from './address.ts'
import { refusalOf, retryAfterOf, UnreachableError } from './problem-error.ts'

/** Sends requests with a login, repeats those that may be repeated, and throws what is refused. */

type Headers = Readonly<Record<string, string>>

/** One of: a token of a session or of OAuth, an API key, a username with its password, or nothing. */
export interface Login {
  /** A function is asked before each request. */
  readonly token?: string | (() => string | Promise<string>) | undefined
  /** `lat_…` */
  readonly apiKey?: string | undefined
  readonly username?: string | undefined
  readonly password?: string | undefined
}

export interface Retry {
  /** Repetitions of one request; 0: none. */
  readonly times: number
  /** A longer `Retry-After` is not waited for. */
  readonly longestWaitSeconds: number
  /** A `POST` that 429 refused was not begun, so it may be repeated. Default: false. */
  readonly repeatsPost?: boolean
}

export interface ClientOptions extends Login {
  /** `https://latarnik.example.com`. Empty: the origin of the page. */
  readonly server: string
  /** The language of messages, `pl` or `en`. */
  readonly language?: string
  /** Sent with each request. */
  readonly headers?: Headers | (() => Headers)
  readonly retry?: Retry
  /** In place of the platform's own. */
  readonly fetch?: (address: string, init: RequestInit) => Promise<Response>
  /** Called when the login is refused (401); true: there is a new token, and the request is sent once more. */
  readonly renew?: () => Promise<boolean>
}

export interface SentRequest {
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
  readonly headers?: Headers | undefined
}

/** @param path below `/v3`, with its parameters */
export type Send = (method: string, path: string, request?: SentRequest) => Promise<Response>

const usualRetry: Retry = { times: 4, longestWaitSeconds: 60 }
const repeatable = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'])

function base64(text: string): string {
  return btoa(String.fromCodePoint(...new TextEncoder().encode(text)))
}

async function authorizationOf({ token, apiKey, username, password }: Login): Promise<Headers> {
  const bearer = apiKey ?? (typeof token === 'function' ? await token() : token)
  if (bearer !== undefined) return { Authorization: `Bearer ${bearer}` }
  return username === undefined ? {} : { Authorization: `Basic ${base64(`${username}:${password ?? ''}`)}` }
}

async function initOf(options: ClientOptions, method: string, request: SentRequest): Promise<RequestInit> {
  const { language, headers: usual = {} } = options
  const { body, signal, headers } = request
  return {
    method,
    // The login goes in a header; cookies are the page's.
    credentials: 'omit',
    // A redirect would hand the login to somebody else.
    redirect: 'manual',
    headers: {
      ...(await authorizationOf(options)),
      ...(language === undefined ? {} : { 'Accept-Language': language }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(typeof usual === 'function' ? usual() : usual),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  }
}

export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}

/** The seconds after which a request is repeated; null: it is not. */
function waitOf(method: string, { status, headers }: Response, retry: Retry): number | null {
  const isRefused = status === 429 || status === 503
  if (!isRefused || !(repeatable.has(method) || (status === 429 && retry.repeatsPost === true))) return null
  const seconds = retryAfterOf(headers)
  return seconds === null || seconds > retry.longestWaitSeconds ? null : seconds
}

export function senderOf(options: ClientOptions): Send {
  const { renew, retry = usualRetry, fetch = globalThis.fetch.bind(globalThis) } = options
  const base = baseOf(options.server)
  const attempt = async (method: string, path: string, request: SentRequest): Promise<Response> => {
    const init = await initOf(options, method, request)
    try {
      return await fetch(base + path, init)
    } catch (error) {
      if (request.signal?.aborted) throw error
      throw new UnreachableError('The API cannot be reached', { cause: error })
    }
  }
  return async (method, path, request = {}) => {
    let isRenewed = false
    for (let left = retry.times; ; left--) {
      const response = await attempt(method, path, request)
      if (response.ok || response.status === 304) return response
      if (response.type === 'opaqueredirect') throw new UnreachableError('The API redirects elsewhere')
      if (response.status === 401 && renew !== undefined && !isRenewed) {
        isRenewed = await renew()
        if (isRenewed) {
          await response.body?.cancel()
          continue
        }
      }
      const seconds = left > 0 ? waitOf(method, response, retry) : null
      if (seconds === null) throw await refusalOf(response, `${method} ${path}`)
      await response.body?.cancel()
      await pause(seconds * 1000, request.signal)
    }
  }
}
