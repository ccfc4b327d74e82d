import { once } from 'node:events'
import { createServer, isIPv6 } from 'node:net'
import { CannotStart } from './cannot-start.ts'

export interface Place {
  readonly host: string
  readonly port: number
}

export interface PlaceNames {
  readonly host: string
  readonly port: string
}

const ofApi: PlaceNames = { host: 'HOST', port: 'PORT' }

/** Explains a failed listen to the person who started the program; `names` are the variables of the place. */
export function explainListening(error: unknown, { host, port }: Place, names = ofApi): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') {
    return new CannotStart(`Port ${port} on ${host} is taken by another program; choose another with ${names.port}.`)
  }
  if (code === 'EACCES')
    return new CannotStart(`This user may not listen on port ${port}; choose one above 1023 with ${names.port}.`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new CannotStart(`${names.host} ${host} is no address of this machine.`)
  }
  return error
}

/** Fails before anything else is started, rather than after the database came up. */
export async function ensureCanListen(place: Place, names = ofApi): Promise<void> {
  const server = createServer()
  try {
    server.listen({ host: place.host, port: place.port, exclusive: true })
    await once(server, 'listening')
  } catch (error) {
    throw explainListening(error, place, names)
  }
  server.close()
  await once(server, 'close')
}

/** The address under which a browser on this machine reaches the place. */
export function urlOf({ host, port }: Place): string {
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`
}

/** True if other machines cannot reach this name or address. */
export function isLoopback(host: string): boolean {
  return ['localhost', '::1', '[::1]'].includes(host) || host.startsWith('127.')
}
