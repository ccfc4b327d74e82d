/** One request on the wire; header names and values alternate. */
export interface WireRequest {
  readonly method: string
  readonly path: string
  readonly headers: readonly string[]
  readonly content: string | null
}

export interface ResponseHead {
  readonly httpVersion: string
  readonly status: number
  readonly reason: string
  /** Names and values alternate, as received. */
  readonly headers: readonly string[]
}

/** What has come so far; kept up to date while it comes, so that a broken response can be shown as far as it got. */
export interface Received {
  head: ResponseHead | null
  chunks: Buffer[]
  /** Bytes of the body on the wire. */
  bodyBytes: number
  isCapped: boolean
  warnings: string[]
}

export const bodyCapBytes = 1_048_576

export function newReceived(): Received {
  return { head: null, chunks: [], bodyBytes: 0, isCapped: false, warnings: [] }
}

/** Keeps a part of the body; true when that is enough and the rest need not come. */
export function isFull(received: Received, chunk: Buffer): boolean {
  received.bodyBytes += chunk.length
  if (!received.isCapped) received.chunks.push(chunk)
  received.isCapped = received.bodyBytes > bodyCapBytes
  return received.isCapped
}
