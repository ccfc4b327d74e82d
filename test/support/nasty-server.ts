// Servers that misbehave in one exact way each. Everything listens on loopback and ends with `closeAll`.
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createSecureServer } from 'node:http2'
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TLSSocket, type TlsOptions } from 'node:tls'

export type Play = (socket: Socket, request: string) => void

interface Closable {
  close(): void
}

export interface NastyServers {
  /** Waits for a whole request head, then plays. Resolves with the port. */
  http(play: Play, host?: string): Promise<number>
  /** Plays as soon as somebody connects. */
  tcp(play: (socket: Socket) => void, host?: string): Promise<number>
  tls(options: TlsOptions, play: Play): Promise<number>
  /** A well-behaved server, for what is not nasty. */
  good(listener: RequestListener, host?: string): Promise<number>
  http2Only(options: TlsOptions, body: string): Promise<number>
  /** Ends with the others. */
  adopt(closable: Closable): void
  closeAll(): void
}

export function createNastyServers(): NastyServers {
  const open = new Set<Closable>()
  const sockets = new Set<Socket>()

  function keep(socket: Socket): void {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  }

  function listen(server: Server, host = '127.0.0.1'): Promise<number> {
    open.add(server)
    server.on('connection', keep)
    return new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen(0, host, () => {
        const address = server.address()
        resolve(typeof address === 'object' && address !== null ? address.port : 0)
      })
    })
  }

  return {
    http: (play, host) =>
      listen(
        createServer((socket) => afterRequest(socket, play)),
        host,
      ),
    tcp: (play, host) => listen(createServer(play), host),
    tls: (options, play) => {
      const server = createTlsServer(options, (socket: TLSSocket) => {
        keep(socket)
        afterRequest(socket, play)
      })
      server.on('tlsClientError', () => {})
      return listen(server)
    },
    good: (listener, host) => listen(createHttpServer(listener), host),
    http2Only: (options, body) => {
      const server = createSecureServer({ ...options, allowHTTP1: false }, (_request, response) => {
        response.setHeader('content-type', 'text/plain')
        response.end(body)
      })
      server.on('sessionError', () => {})
      server.on('unknownProtocol', (socket: Socket) => socket.destroy())
      return listen(server)
    },
    adopt: (closable) => open.add(closable),
    closeAll() {
      for (const socket of sockets) socket.destroy()
      for (const closable of open) closable.close()
      open.clear()
    },
  }
}

function afterRequest(socket: Socket, play: Play): void {
  let request = ''
  socket.on('error', () => {})
  const collect = (chunk: Buffer): void => {
    request += chunk.toString('latin1')
    if (!request.includes('\r\n\r\n')) return
    socket.off('data', collect)
    socket.resume()
    play(socket, request)
  }
  socket.on('data', collect)
}

/** Sends the text as it stands and closes. */
export function say(text: string | Buffer): Play {
  return (socket) => socket.end(text)
}

/** Sends the text and leaves the connection open for ever. */
export function sayAndHold(text: string | Buffer): Play {
  return (socket) => socket.write(text)
}

/** Sends the text and resets the connection. */
export function sayAndReset(text: string): Play {
  return (socket) => socket.write(text, () => setTimeout(() => socket.resetAndDestroy(), 20))
}

/** Sends the pieces one after another until the other side has had enough; at most `times`. */
export function drip(first: string, piece: string | Buffer, everyMs: number, times: number): Play {
  return (socket) => {
    let left = times
    socket.write(first)
    const timer = setInterval(() => {
      left -= 1
      if (left < 0 || !socket.writable) clearInterval(timer)
      else socket.write(piece)
    }, everyMs)
    socket.on('close', () => clearInterval(timer))
  }
}

/** Sends the piece as fast as the other side takes it, until that side closes. */
export function flood(first: string, piece: Buffer): Play {
  return (socket) => {
    socket.write(first)
    const pour = (): void => {
      while (socket.writable && socket.write(piece)) {
        // The socket's own buffer decides when to wait.
      }
    }
    socket.on('drain', pour)
    pour()
  }
}
