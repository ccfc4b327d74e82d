import type { IncomingMessage } from 'node:http'

/** Bytes of a body that are kept; the rest is read and forgotten, as clients of Healthchecks expect. */
export const keptBytes = 100_000
/** A caller that sends more is cut off. */
const mostBytes = 10 * 2 ** 20

class BodyTooLarge extends Error {
  readonly statusCode = 413
}

/** The first bytes of a request's body. */
export function readStart(payload: IncomingMessage, done: (error: Error | null, body?: Buffer) => void): void {
  const chunks: Buffer[] = []
  let seen = 0
  payload.on('data', (chunk: Buffer) => {
    if (seen < keptBytes) chunks.push(chunk.subarray(0, keptBytes - seen))
    seen += chunk.length
    if (seen <= mostBytes) return
    payload.removeAllListeners('data').removeAllListeners('end')
    done(new BodyTooLarge('the body is too large'))
    payload.destroy()
  })
  payload.on('end', () => done(null, Buffer.concat(chunks)))
  payload.on('error', (error) => done(error))
}
