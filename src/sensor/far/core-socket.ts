import type { Agent } from 'node:http'
import { WebSocket } from 'ws'
import { connectionPath, longestFrameBytes } from './wire.ts'

export interface CoreSocketOptions {
  /** The address of the API; `http` or `https`, with the path that a proxy puts before it. */
  readonly server: URL
  readonly token: string
  readonly version: string
  /** The agent for the connection; undefined for a direct one. */
  readonly agent?: Agent | undefined
}

const handshakeMs = 10_000

/** Begins to connect to the core. */
export function openCoreSocket({ server, token, version, agent }: CoreSocketOptions): WebSocket {
  return new WebSocket(addressOf(server), {
    headers: { authorization: `Bearer ${token}`, 'user-agent': `latarnik/${version}` },
    ...(agent === undefined ? {} : { agent }),
    handshakeTimeout: handshakeMs,
    maxPayload: longestFrameBytes,
    perMessageDeflate: false,
  })
}

function addressOf(server: URL): URL {
  const address = new URL(server)
  address.protocol = server.protocol === 'https:' ? 'wss:' : 'ws:'
  address.pathname = server.pathname.replace(/\/+$/, '').replace(/\/v3$/, '') + connectionPath
  return address
}

const noLatarnik = 'there is no Latarnik at this address, or a proxy before it does not pass WebSockets on'
const refusals: Readonly<Record<number, string>> = {
  401: 'the core does not know this token: it was revoked, or replaced by a newer one',
  407: 'the proxy of HTTPS_PROXY wants other credentials',
}
/** A core that is busy or not up yet behind its proxy answers with these. */
const passing: ReadonlySet<number> = new Set([408, 425, 429])

/** Explains an HTTP answer to the person who starts the station; null if waiting may help. */
export function refusalOf(status: number, location: string | undefined): string | null {
  if (status >= 500 || passing.has(status)) return null
  if (status >= 300 && status < 400 && location !== undefined)
    return `the address leads on to ${location}: name that one`
  return refusals[status] ?? `${noLatarnik} (HTTP ${status})`
}

/** The same for a connection that could not be made. */
export function failureOf(error: Error, { protocol }: URL): { readonly reason: string; readonly isForPerson: boolean } {
  const code = 'code' in error ? error.code : undefined
  if (code === 'EPROTO' && error.message.includes('wrong version number'))
    return { reason: 'nothing speaks TLS at this address: begin it with http://', isForPerson: true }
  const mayWantTls = protocol === 'http:' && code === 'ECONNRESET'
  return { reason: mayWantTls ? `${error.message}; perhaps it wants https://` : error.message, isForPerson: false }
}
