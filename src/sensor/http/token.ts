import { createHash } from 'node:crypto'
import { isObject } from '../../domain/input/json.ts'
import { errorType } from '../../domain/judging/error-types.ts'
import { oneLine } from '../../domain/text/one-line.ts'
import type { Dialler } from '../../outgoing/dial.ts'
import { Failure } from '../../outgoing/failure.ts'
import { parseHost } from '../../outgoing/host.ts'
import { Attempt } from '../attempt.ts'
import { hideSecrets } from '../hide-secrets.ts'
import type { TlsClient } from '../tls.ts'
import { exchange } from './exchange.ts'
import { newReceived, type Received, type WireRequest } from './received.ts'
import type { TokenDemands } from './token-demands.ts'

/** The tokens of one station process. */
export interface Tokens {
  /** A token that is still valid for a while, from the memory or from the endpoint. Rejects with a Failure. */
  get(key: TokenKey, asking: TokenAsking): Promise<Token>
  /** The target does not take it any more. */
  forget(key: TokenKey): void
}

interface TokenKey {
  readonly serviceId: number
  readonly demands: TokenDemands
}

export interface Token {
  readonly text: string
  /** It was not asked for just now. */
  readonly isRemembered: boolean
}

interface TokenAsking {
  readonly dialler: Dialler
  readonly tls: TlsClient
  readonly timeoutMs: number
  readonly moreMs: (limitMs: number) => number
}

interface Kept {
  readonly text: string
  /** On the monotonic clock. */
  readonly renewAt: number
}

const mostKept = 5000
/** For an endpoint that does not say it. */
const usualLifeMs = 5 * 60_000
const longestLifeMs = 24 * 3_600_000
/** A token is renewed this long before its end, or after nine tenths of a short life. */
const marginMs = 30_000
const longestToken = 16_384

export function createTokens(now: () => number = () => performance.now()): Tokens {
  const kept = new Map<string, Kept>()
  return {
    async get(key, asking) {
      const id = idOf(key)
      const known = kept.get(id)
      if (known !== undefined && known.renewAt > now()) return { text: known.text, isRemembered: true }
      kept.delete(id)
      const { text, lifeMs } = await ask(key.demands, asking)
      const [oldest] = kept.keys()
      if (kept.size >= mostKept && oldest !== undefined) kept.delete(oldest)
      kept.set(id, { text, renewAt: now() + Math.max(lifeMs - marginMs, lifeMs * 0.9) })
      return { text, isRemembered: false }
    },
    forget(key) {
      kept.delete(idOf(key))
    },
  }
}

/** Other credentials are other tokens, also for trials, which share one id. */
function idOf({ serviceId, demands }: TokenKey): string {
  return createHash('sha256')
    .update(JSON.stringify([serviceId, demands]))
    .digest('base64')
}

interface Answered {
  readonly text: string
  readonly lifeMs: number
}

/** The endpoint has its own clock and phases, so that a slow one is not taken for a slow target. */
async function ask(demands: TokenDemands, { dialler, tls, timeoutMs, moreMs }: TokenAsking): Promise<Answered> {
  const url = new URL(demands.url)
  const attempt = new Attempt(demands.url, timeoutMs, moreMs)
  const named = (failure: Failure) => ofEndpoint(failure, url, demands)
  try {
    const addresses = await dialler.resolve(attempt, parseHost(url.hostname), 'any')
    const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
    const plain = await dialler.connect(attempt, addresses, port)
    const secured = { verifyCertificate: true, certificateDays: null, protocols: ['http/1.1'] }
    const socket =
      url.protocol === 'https:' ? await tls.handshake(attempt, plain, parseHost(url.hostname), secured) : plain
    const received = newReceived()
    const ending = await exchange(attempt, socket, wireRequest(url, demands), { received, isHeadEnough: () => false })
    if (ending === 'http2') throw new Failure('http_not_spoken', 'the server speaks HTTP/2 only')
    return answerIn(received)
  } catch (error) {
    throw error instanceof Failure ? named(error) : error
  } finally {
    attempt.stop()
  }
}

const ownSymbols: readonly string[] = ['token_refused', 'token_answer_invalid']

/** A fault of this station stays its own; any other one is the endpoint's. */
function ofEndpoint({ symbol, message }: Failure, url: URL, { clientId, clientSecret }: TokenDemands): Failure {
  const { stage, timed } = errorType(symbol)
  const isKept = stage === 'sensor' || ownSymbols.includes(symbol)
  const name = isKept ? symbol : timed === true ? 'token_endpoint_timeout' : 'token_endpoint_failed'
  const text = `token endpoint ${url.origin}${url.pathname}: ${message}`
  return new Failure(name, hideSecrets(text, [clientSecret, clientId]))
}

function wireRequest(url: URL, { clientId, clientSecret, scope, authentication }: TokenDemands): WireRequest {
  const isInBody = authentication === 'body'
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    ...(scope === null ? {} : { scope }),
    ...(isInBody ? { client_id: clientId, client_secret: clientSecret } : {}),
  }).toString()
  const basic = Buffer.from(`${formEncoded(clientId)}:${formEncoded(clientSecret)}`).toString('base64')
  const headers = [
    ...['Host', url.host, 'Accept', 'application/json', 'Connection', 'close'],
    ...['Content-Type', 'application/x-www-form-urlencoded', 'Content-Length', String(Buffer.byteLength(form))],
    ...(isInBody ? [] : ['Authorization', `Basic ${basic}`]),
  ]
  return { method: 'POST', path: `${url.pathname}${url.search}`, headers, content: form }
}

/** RFC 6749, section 2.3.1: both are encoded as in a form before they are joined. */
function formEncoded(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1)
}

function answerIn({ head, body, isCapped }: Received): Answered {
  const status = head?.status ?? 0
  const answer = isCapped ? null : parsed(body.whole().toString('utf8'))
  const told = ['error', 'error_description'].flatMap((name) => textOf(answer, name) ?? [])
  const why = oneLine([`status ${status}`, ...told].join(', '), 300)
  if (status >= 500 || status === 429) throw new Failure('token_endpoint_failed', why)
  if (status >= 400) throw new Failure('token_refused', why)
  if (status !== 200) throw new Failure('token_answer_invalid', why)
  const token = textOf(answer, 'access_token')
  if (token === null || !/^[\x21-\x7e]+$/.test(token) || token.length > longestToken) {
    throw new Failure('token_answer_invalid', 'the answer has no access_token')
  }
  const type = textOf(answer, 'token_type') ?? 'bearer'
  if (type.toLowerCase() !== 'bearer') {
    throw new Failure('token_answer_invalid', `the token has the type ${JSON.stringify(oneLine(type, 50))}, not Bearer`)
  }
  return { text: token, lifeMs: lifeOf(answer) }
}

function lifeOf(answer: unknown): number {
  const seconds = Number(isObject(answer) ? (answer['expires_in'] ?? Number.NaN) : Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds * 1000, longestLifeMs) : usualLifeMs
}

function textOf(answer: unknown, name: string): string | null {
  const value = isObject(answer) ? answer[name] : undefined
  return typeof value === 'string' && value !== '' ? value : null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
