import type { Agent } from 'node:http'
import { WebSocket } from 'ws'
import { connectionPath, longestFrameBytes } from './wire.ts'

export interface CoreSocketOptions {
  /** Where the API is; `http` or `https`, with the path that a proxy puts before it. */
  readonly server: URL
  readonly token: string
  readonly version: string
  /** The way out; undefined for the direct one. */
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

/** What an answer that is no WebSocket means to the person who starts the station. */
export const refusals: Readonly<Record<number, string>> = {
  401: 'the core does not know this token: it was revoked, or replaced by a newer one',
  404: 'there is no Latarnik at this address, or a proxy before it does not pass WebSockets on',
  407: 'the proxy of HTTPS_PROXY wants other credentials',
}
