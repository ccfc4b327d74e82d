import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { errorText } from '../domain/text/error-text.ts'
import { Deadline } from './deadline.ts'
import type { Dialler } from './dial.ts'
import { Failure } from './failure.ts'
import { GatheredBytes } from './gathered-bytes.ts'
import { parseHost } from './host.ts'

/** Milliseconds. */
export interface Timeouts {
  readonly connection: number
  /** From dialling to the end of the answer. Shorter than a lease (notifications/intents.ts). */
  readonly whole: number
}

export interface HttpRequest {
  /** May carry a user and a password. */
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /** Sent instead of the body. */
  readonly bytes?: Uint8Array
  /** Wishes for the answer; usually 64 KiB and the headers that explain a fault. */
  readonly wanted?: WantedAnswer
}

export interface WantedAnswer {
  /** The longest text in bytes. */
  readonly longest: number
  /** Further headers, in lower case. */
  readonly headers: readonly string[]
}

export interface Answer {
  readonly status: number
  /** The beginning of the answer's body. */
  readonly text: string
  /** Milliseconds; null if the answer does not say. */
  readonly retryAfter: number | null
  /** Headers that help to explain a fault. */
  readonly headers?: Readonly<Record<string, string>>
}

export type HttpExchange =
  | { readonly answer: Answer }
  /** isSent: the gateway may have received the request. isStopped: we gave up before it received anything. */
  | {
      readonly error: string
      readonly isSent: boolean
      readonly isStopped: boolean
      /** The address may not be reached. */
      readonly isRefused?: true
    }

const usualAnswer: WantedAnswer = { longest: 64 * 1024, headers: [] }

/**
 * Sends one request over its own connection to an address that a user named, if the dialler may reach it. Never
 * rejects. Redirects are answers like any other.
 */
export async function askScreened(
  dialler: Dialler,
  request: HttpRequest,
  beforeSending: () => Promise<void>,
  timeouts: Timeouts,
): Promise<HttpExchange> {
  try {
    return await ask(request, beforeSending, timeouts, await dial(dialler, new URL(request.url), timeouts))
  } catch (error) {
    const isRefused = error instanceof Failure && error.symbol === 'sensor_address_refused'
    return { error: errorText(error), isSent: false, isStopped: false, ...(isRefused ? { isRefused } : {}) }
  }
}

async function dial(dialler: Dialler, { protocol, hostname, port }: URL, { connection }: Timeouts): Promise<Socket> {
  const deadline = new Deadline(connection)
  const addresses = await dialler.resolve(deadline, parseHost(hostname), 'any')
  return dialler.connect(deadline, addresses, Number(port) || (protocol === 'https:' ? 443 : 80))
}

/**
 * Sends one request over its own connection to an address of the operator's choice; redirects are answers like any
 * other. Nothing of the request leaves before `beforeSending` has resolved. Never rejects.
 *
 * @param socket an existing connection, if the address is not to be dialled
 */
export async function ask(
  request: HttpRequest,
  beforeSending: () => Promise<void>,
  timeouts: Timeouts,
  socket: Socket | null = null,
): Promise<HttpExchange> {
  let call: ClientRequest
  try {
    call = newCall(request, socket)
  } catch (error) {
    // A header that cannot be written: nothing was sent.
    socket?.destroy()
    return { error: errorText(error), isSent: false, isStopped: true }
  }
  let isSent = false
  let isStopped = false
  const broken = new Promise<never>((_, reject) => {
    call.on('error', reject)
    call.once('close', () => reject(new Error('the gateway hung up')))
  })
  // The waits below race with it and get its error; after the answer it no longer matters.
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
    call.end(request.bytes ?? request.body ?? undefined)
    return { answer: await readAnswer(await Promise.race([response, broken]), request.wanted ?? usualAnswer) }
  } catch (error) {
    return { error: errorText(error), isSent, isStopped }
  } finally {
    for (const timer of timers) clearTimeout(timer)
    call.destroy()
  }
}

function newCall({ url, method, headers, body, bytes }: HttpRequest, socket: Socket | null): ClientRequest {
  const sent = bytes ?? body
  const length = sent === null ? {} : { 'Content-Length': String(Buffer.byteLength(sent)) }
  const { protocol, hostname } = new URL(url)
  const isSecure = protocol === 'https:'
  const over = (plain: Socket) => (isSecure ? connectTls({ socket: plain, ...serverName(hostname) }) : plain)
  // With an agent, even its own, Node.js would look the host up and connect by itself.
  const connection = socket === null ? { agent: false as const } : { createConnection: () => over(socket) }
  const options = { method, headers: { ...headers, ...length }, ...connection }
  return isSecure ? httpsRequest(url, options) : httpRequest(url, options)
}

/** A host that is an address, not a name, is compared with the addresses of the certificate. */
function serverName(hostname: string): { readonly servername?: string; readonly host: string } {
  const host = hostname.replace(/^\[|\]$/g, '')
  return isIP(host) === 0 ? { servername: host, host } : { host }
}

function connected(call: ClientRequest): Promise<void> {
  const isSecure = call.protocol === 'https:'
  return new Promise((resolve) =>
    call.once('socket', (socket) => {
      if (!isSecure && !socket.connecting) resolve()
      else socket.once(isSecure ? 'secureConnect' : 'connect', () => resolve())
    }),
  )
}

/** The status decides, so an answer that breaks off later still counts. */
async function readAnswer(response: IncomingMessage, { longest, headers }: WantedAnswer): Promise<Answer> {
  const body = new GatheredBytes()
  try {
    for await (const chunk of response) {
      body.add(chunk as Buffer)
      if (body.length >= longest) break
    }
  } catch {
    // The status decides, so an answer that breaks off still counts.
  }
  const text = body.whole().toString('utf8', 0, longest)
  return {
    ...{ status: response.statusCode ?? 0, text, retryAfter: retryAfterOf(response) },
    headers: headersOf(response, [...telling, ...headers]),
  }
}

const telling = ['content-type', 'date', 'location', 'retry-after', 'server', 'x-request-id']

function headersOf({ headers }: IncomingMessage, names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])] as const])),
  )
}

const longestPause = 3_600_000

/** Seconds, or a date, which is measured by the gateway's own clock. */
function retryAfterOf({ headers }: IncomingMessage): number | null {
  const pause = pauseIn(headers['retry-after'], headers.date)
  return pause === null ? null : Math.min(pause, longestPause)
}

/** Milliseconds of a `Retry-After`, by the server's own clock; null for a text that is none. */
export function pauseIn(retryAfter: string | undefined, date: string | undefined): number | null {
  const text = retryAfter?.trim() ?? ''
  const pause = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.parse(date ?? '')
  return Number.isFinite(pause) ? Math.max(pause, 0) : null
}
