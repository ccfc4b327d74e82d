import { once } from 'node:events'
import { connect } from 'node:net'
import type { Reply } from './api.ts'
import { replyOf } from './raw-http.ts'

/** A connection for one request after the other, as clients keep it. */
export interface KeptConnection {
  /** Sends these bytes and nothing else. */
  ask(bytes: Buffer): Promise<Reply>
  close(): void
}

/** Whether the answer has come to its end. */
function isWhole(received: Buffer): boolean {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return false
  const head = received.subarray(0, end).toString('latin1')
  if (/\r\ntransfer-encoding: chunked/i.test(head)) return received.subarray(-5).toString('latin1') === '0\r\n\r\n'
  const size = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
  return received.length >= end + 4 + size
}

export async function keepConnection(port: number): Promise<KeptConnection> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  return {
    async ask(bytes) {
      socket.write(bytes)
      let received = Buffer.alloc(0)
      while (!isWhole(received)) {
        const [chunk] = (await once(socket, 'data', { signal: AbortSignal.timeout(20_000) })) as [Buffer]
        received = Buffer.concat([received, chunk])
      }
      return replyOf(received.toString('latin1'))
    },
    close: () => socket.destroy(),
  }
}
