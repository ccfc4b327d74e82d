import { once } from 'node:events'
import { createServer, connect as dial, type Socket } from 'node:net'

/** A line to a server that a test can cut and mend: for outages that look as real ones do. */
export interface CutLine {
  readonly url: string
  /** Breaks every connection and refuses new ones. */
  cut(): Promise<void>
  /** Keeps every connection and accepts new ones, but carries nothing any more, as if the other machine were gone. */
  fallSilent(): void
  mend(): Promise<void>
  /** Resolves when the near ends of all connections are closed. */
  isQuiet(): Promise<void>
  close(): Promise<void>
}

interface LineOptions {
  /** The server's last words. */
  readonly lastWords?: Buffer
}

/** `Terminate` of the protocol. */
const goodbye = Buffer.from([0x58, 0, 0, 0, 4])

interface Place {
  readonly port?: number
  readonly host?: string
  readonly path?: string
}

/** Where a libpq URL leads: a socket file when its host is a folder. */
function placeOf(url: URL): Place {
  const host = url.searchParams.get('host') ?? decodeURIComponent(url.hostname)
  const port = Number(url.searchParams.get('port') ?? (url.port === '' ? 5432 : url.port))
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
}

/** Opens a line on the loopback that leads to the database of the URL. */
export async function cutLine(databaseUrl: string, { lastWords }: LineOptions = {}): Promise<CutLine> {
  const target = new URL(databaseUrl.replace('@/', '@localhost/'))
  const place = placeOf(target)
  const sockets = new Set<Socket>()
  const nears = new Set<Socket>()
  let isCut = false
  let isSilent = false
  // A server that is frozen does not answer a goodbye either: the kernel leaves its half open.
  const server = createServer({ allowHalfOpen: true }, (near) => {
    near.on('end', () => {
      if (!isSilent) near.end()
    })
    if (isCut) {
      near.destroy()
      return
    }
    nears.add(near)
    near.on('close', () => nears.delete(near))
    if (isSilent) {
      sockets.add(near)
      near.on('error', () => undefined)
      return
    }
    const far = place.path === undefined ? dial(place.port ?? 5432, place.host) : dial(place.path)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      one.on('data', (bytes) => {
        if (isSilent) return
        if (lastWords !== undefined && bytes.equals(goodbye)) one.end(lastWords)
        else if (!other.destroyed) other.write(bytes)
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The line has no port.')
  const url = new URL(target.pathname, 'postgres://127.0.0.1')
  url.port = String(address.port)
  url.username = target.username === '' ? (target.searchParams.get('user') ?? 'postgres') : target.username
  url.password = target.password
  return {
    url: url.href,
    async cut() {
      isCut = true
      for (const socket of sockets) socket.destroy()
    },
    fallSilent() {
      isSilent = true
    },
    async mend() {
      // A connection that was silent is out of step with its other end.
      if (isSilent) for (const socket of sockets) socket.destroy()
      isCut = false
      isSilent = false
    },
    async isQuiet() {
      await Promise.all([...nears].map((near) => once(near, 'close')))
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
