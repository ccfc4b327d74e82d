import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { refuse } from './problems.ts'

/** How long and how much a connection may take before we hang up. Times in milliseconds. */
export interface ConnectionLimits {
  /** From the connection, or the first byte, to the end of the headers. */
  readonly headersMs: number
  /** From the first byte to the end of the body. */
  readonly requestMs: number
  /** Without a byte either way; an answer may take long to be made. */
  readonly silenceMs: number
  /** Between two looks at the clock. */
  readonly lookMs: number
  /** At once; further ones are closed unheard. */
  readonly connections: number
}

const mostConnections = 10_000

/** Callers get half of the descriptors that this process may have: the rest is for the database, gateways and files. */
function connectionsAtOnce(): number {
  try {
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1]
    return limit === undefined ? mostConnections : Math.min(mostConnections, Math.floor(Number(limit) / 2))
  } catch {
    return mostConnections
  }
}

const usualLimits: ConnectionLimits = {
  headersMs: 15_000,
  requestMs: 60_000,
  silenceMs: 300_000,
  lookMs: 5000,
  connections: connectionsAtOnce(),
}

/** Long queries with many alternatives are meant to work; more than this is an error of the caller. */
const maximumHeaderBytes = 65_536
const maximumHeaders = 1000

/** The framework's options that end connections which send nothing, or send it drop by drop. */
export function connectionOptions(limits: ConnectionLimits = usualLimits) {
  const { headersMs, requestMs, silenceMs, lookMs } = limits
  return {
    requestTimeout: requestMs,
    connectionTimeout: silenceMs,
    http: { maxHeaderSize: maximumHeaderBytes, headersTimeout: headersMs, connectionsCheckingInterval: lookMs },
  } as const
}

/** The limits of every connection and every request, before anything is known about its content. */
export function guardConnections(server: FastifyInstance, { connections }: ConnectionLimits = usualLimits): void {
  server.server.maxConnections = connections
  // Node would pass over in silence what comes after two thousand: the address that a proxy adds, a second host.
  server.server.maxHeadersCount = 0
  // The address is lost with the connection unless it was read before, so a caller that hangs up at once would have
  // none.
  server.server.on('connection', (socket) => void socket.remoteAddress)
  server.addHook('onRequest', async ({ raw }) => {
    if (raw.rawHeaders.length > 2 * maximumHeaders) refuse('malformed_request')
    const hosts = raw.rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host')
    // RFC 9112, section 3.2: whoever stands before us may have read the other one. HTTP/0.9 has no headers at all.
    if (hosts.length > 1 || raw.httpVersionMajor < 1) refuse('malformed_request')
  })
}
