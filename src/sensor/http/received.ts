import { GatheredBytes } from '../../outgoing/gathered-bytes.ts'

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

/** The response so far, updated as it arrives, so that a broken response can be shown as far as it got. */
export interface Received {
  head: ResponseHead | null
  readonly body: GatheredBytes
  /** Bytes of the body on the wire. */
  bodyBytes: number
  /** Parts of the body that were handed to us. */
  pieces: number
  isCapped: boolean
  warnings: string[]
}

export const bodyCapBytes = 1_048_576
/** A megabyte byte by byte would take a second of the process that checks for everybody. */
export const bodyCapPieces = 65_536

export function newReceived(): Received {
  return { head: null, body: new GatheredBytes(), bodyBytes: 0, pieces: 0, isCapped: false, warnings: [] }
}

/** Adds a part of the body; true if that is enough and the rest is not needed. */
export function isFull(received: Received, chunk: Buffer): boolean {
  received.bodyBytes += chunk.length
  received.pieces += 1
  if (!received.isCapped) received.body.add(chunk)
  received.isCapped = received.bodyBytes > bodyCapBytes || received.pieces > bodyCapPieces
  return received.isCapped
}
