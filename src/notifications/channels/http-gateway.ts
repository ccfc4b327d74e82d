import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { errorText } from '../../domain/error-text.ts'

/** Milliseconds. */
export interface GatewayTimeouts {
  readonly connection: number
  /** From dialling to the end of the answer. Less than a lease (intents.ts). */
  readonly whole: number
}

export interface GatewayRequest {
  /** May carry a user and a password. */
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

export interface Answer {
  readonly status: number
  /** Its beginning. */
  readonly text: string
  /** Milliseconds; null when nothing was said of it. */
  readonly retryAfter: number | null
}

export type Exchange =
  | { readonly answer: Answer }
  /** isSent: the gateway may have got the request. isStopped: it was we who gave up, before it was asked. */
  | { readonly error: string; readonly isSent: boolean; readonly isStopped: boolean }

const longestAnswer = 64 * 1024

/**
 * One request over a connection of its own, to an address of the operator's choice; redirects are answers like any other.
 * Nothing of the request leaves before `beforeSending` has resolved. Never rejects.
 */
export async function ask(
  request: GatewayRequest,
  beforeSending: () => Promise<void>,
  timeouts: GatewayTimeouts,
): Promise<Exchange> {
  const call = newCall(request)
  let isSent = false
  let isStopped = false
  const broken = new Promise<never>((_, reject) => {
    call.on('error', reject)
    call.once('close', () => reject(new Error('the gateway hung up')))
  })
  // The waits below race with it and are told; after the answer it no longer matters.
  broken.catch(() => undefined)
  const response = new Promise<IncomingMessage>((resolve) => call.once('response', resolve))
  const endAfter = (milliseconds: number, reason: string) =>
    setTimeout(() => call.destroy(new Error(reason)), milliseconds)
  const timers = [endAfter(timeouts.whole, 'the gateway took too long')]
  const connecting = endAfter(timeouts.connection, 'the gateway did not accept the connection in time')
  timers.push(connecting)
  try {
    await Promise.race([connected(call), broken])
    clearTimeout(connecting)
    isStopped = true
    await beforeSending()
    isStopped = false
    if (call.destroyed) await broken
    isSent = true
    call.end(request.body ?? undefined)
    return { answer: await readAnswer(await Promise.race([response, broken])) }
  } catch (error) {
    return { error: errorText(error), isSent, isStopped }
  } finally {
    for (const timer of timers) clearTimeout(timer)
    call.destroy()
  }
}

function newCall({ url, method, headers, body }: GatewayRequest): ClientRequest {
  const length = body === null ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
  const options = { method, headers: { ...headers, ...length }, agent: false }
  return new URL(url).protocol === 'https:' ? httpsRequest(url, options) : httpRequest(url, options)
}

function connected(call: ClientRequest): Promise<void> {
  const event = call.protocol === 'https:' ? 'secureConnect' : 'connect'
  return new Promise((resolve) => call.once('socket', (socket) => socket.once(event, () => resolve())))
}

/** The status decides, so an answer that breaks off later is the answer all the same. */
async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of response) {
      chunks.push(chunk as Buffer)
      length += (chunk as Buffer).length
      if (length >= longestAnswer) break
    }
  } catch {
    // The status decides: an answer that breaks off is the answer all the same.
  }
  const text = Buffer.concat(chunks).toString('utf8', 0, longestAnswer)
  return { status: response.statusCode ?? 0, text, retryAfter: retryAfterOf(response) }
}

const longestPause = 3_600_000

/** Seconds, or a date, which is measured by the gateway's own clock. */
function retryAfterOf({ headers }: IncomingMessage): number | null {
  const text = headers['retry-after']?.trim() ?? ''
  const pause = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.parse(headers.date ?? '')
  return Number.isFinite(pause) ? Math.min(Math.max(pause, 0), longestPause) : null
}
