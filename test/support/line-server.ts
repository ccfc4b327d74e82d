// Servers of a test that answer line by line, and go over to TLS in the middle.
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'

export interface Issued {
  readonly cert: string
  readonly key: string
}

/** Answers a command; `tls` begins TLS behind it, `end` hangs up behind it. */
export type LineAnswer = (
  command: string,
  isSecure: boolean,
) => { readonly say: string; readonly next?: 'tls' | 'end' } | null

/** Greets, then answers each line; goes on over TLS where the answer says so. */
export function lineServer(greeting: string, answer: LineAnswer, issued?: Issued): (socket: Socket) => void {
  return (socket) => {
    socket.write(greeting)
    serve(socket, answer, issued, false)
  }
}

function serve(socket: Socket, answer: LineAnswer, issued: Issued | undefined, isSecure: boolean): void {
  let pending = ''
  const onData = (chunk: Buffer): void => {
    pending += chunk.toString('latin1')
    for (let end = pending.indexOf('\n'); end >= 0; end = pending.indexOf('\n')) {
      const command = pending.slice(0, end).replace(/\r$/, '')
      pending = pending.slice(end + 1)
      const reply = answer(command, isSecure)
      if (reply === null) continue
      socket.write(reply.say)
      if (reply.next === 'end') socket.end()
      if (reply.next !== 'tls' || issued === undefined) continue
      socket.off('data', onData)
      upgrade(socket, issued, (secure) => serve(secure, answer, issued, true))
      return
    }
  }
  socket.on('data', onData)
  socket.on('error', () => socket.destroy())
}

/** TLS on the server's side of an open connection. */
export function upgrade(socket: Duplex, issued: Issued, go: (secure: TLSSocket) => void): void {
  const secure = new TLSSocket(socket, { isServer: true, ...issued })
  secure.on('error', () => secure.destroy())
  go(secure)
}
