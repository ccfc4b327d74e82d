import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createAuthenticator } from '../../src/auth/authenticate.ts'
import { findLogin } from '../../src/auth/callers.ts'
import { createSession } from '../../src/auth/sessions.ts'
import type { Database } from '../../src/database/connect.ts'
import { apiOn } from './api-on.ts'

const clock = { now: () => Date.now() }

export interface ServedApi {
  /** Of a path below `/v3/`, by the account of `monitoredDatabase`. Rejects when it is refused. */
  read(path: string): Promise<void>
  close(): Promise<void>
}

const endOfHead = Buffer.from('\r\n\r\n')

/** Of bytes as they come, once the last of the body is there. */
function answerIn(chunks: readonly Buffer[], received: number): { head: string; body: Buffer } | null {
  const [first] = chunks
  const end = first?.indexOf(endOfHead) ?? -1
  if (first === undefined || end < 0) return null
  const head = first.toString('latin1', 0, end)
  const length = Number(/^content-length: (\d+)\r?$/im.exec(head)?.[1])
  const start = end + endOfHead.length
  return received < start + length ? null : { head, body: Buffer.concat(chunks).subarray(start) }
}

/** A client's own work on an answer must not count, so this one only looks for the last byte. */
function ask(socket: Socket, request: string): Promise<{ head: string; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let received = 0
    function take(chunk: Buffer): void {
      chunks.push(chunk)
      received += chunk.length
      const answer = answerIn(chunks, received)
      if (answer === null) return
      socket.off('data', take).off('error', reject)
      resolve(answer)
    }
    socket.on('data', take).once('error', reject)
    socket.write(request)
  })
}

/**
 * The API of this process on a port of its own, with the plainest client, which shares the processor with the measured
 * work.
 */
export async function serveApi(database: Database): Promise<ServedApi> {
  const login = await findLogin(database, 'bench')
  if (login === undefined) throw new Error('There is no account to read as.')
  // Every call finds the session and extends it.
  const session = { login, isVerified: true, userAgent: 'bench', expirationDurationSeconds: 3600, now: clock.now() }
  const authenticator = createAuthenticator({ database, clock, loginLimit: 100 })
  const server = await apiOn(database, clock, {
    authenticator,
    requestsPerMinute: { anonymous: 1_000_000, account: 1_000_000 },
  })
  const { token } = await createSession(database, session)
  const { hostname, port } = new URL(await server.listen({ host: '127.0.0.1', port: 0 }))
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  return {
    async read(path) {
      const request = `GET /v3/${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`
      const { head, body } = await ask(socket, request)
      if (!head.startsWith('HTTP/1.1 200 ')) throw new Error(`${head}\n${body.toString()}`)
    },
    async close() {
      socket.destroy()
      await server.close()
    },
  }
}
