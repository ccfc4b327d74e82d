import type { IncomingMessage } from 'node:http'
import { GatheredBytes } from '../outgoing/gathered-bytes.ts'

/** Bytes of a body that are kept; the rest is read and forgotten, as clients of Healthchecks expect. */
export const keptBytes = 100_000
/** A caller that sends more is cut off. */
const mostBytes = 10 * 2 ** 20

class BodyTooLarge extends Error {
  readonly statusCode = 413
}

/** The first bytes of a request's body. */
export function readStart(payload: IncomingMessage, done: (error: Error | null, body?: Buffer) => void): void {
  const kept = new GatheredBytes()
  let seen = 0
  payload.on('data', (chunk: Buffer) => {
    if (seen < keptBytes) kept.add(chunk.subarray(0, keptBytes - seen))
    seen += chunk.length
    if (seen <= mostBytes) return
    payload.removeAllListeners('data').removeAllListeners('end')
    done(new BodyTooLarge('the body is too large'))
    payload.destroy()
  })
  payload.on('end', () => done(null, kept.whole()))
  payload.on('error', (error) => done(error))
}
