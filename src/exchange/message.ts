/**
 * A message between two processes: a line of plain text, then a piece of a frame. Frames of one stream are numbered from 1; a message
 * with number 0 has no piece. `acknowledged` are the numbers of frames that came from the receiver.
 */
export interface Message {
  readonly from: string
  /** Of the sender's frames to this receiver, as long as both know each other. */
  readonly stream: string
  readonly number: number
  readonly part: number
  readonly parts: number
  /** The receiver's stream that the acknowledgements are of. */
  readonly acknowledgedStream: string
  readonly acknowledged: readonly number[]
  readonly piece: Buffer
}

const lineEnd = 10
/** Numbers that fit into the head with its bounds. */
export const mostAcknowledged = 500
/** A head is never longer. */
export const longestHeadBytes = 8192

export function encodeMessage(message: Message): Buffer {
  const { from, stream, number, part, parts, acknowledgedStream, acknowledged, piece } = message
  const head = `${from} ${stream} ${number} ${part} ${parts} ${acknowledgedStream || '-'} ${acknowledged.join(',')}\n`
  return Buffer.concat([Buffer.from(head, 'latin1'), piece])
}

const word = /^[\w-]{1,64}$/
/** Of one frame. */
const mostParts = 4096

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}

/** Null for what is no message. */
export function decodeMessage(bytes: Buffer): Message | null {
  const end = bytes.subarray(0, longestHeadBytes).indexOf(lineEnd)
  if (end < 0) return null
  const words = bytes.toString('latin1', 0, end).split(' ')
  const [from = '', stream = '', number, part, parts, acknowledgedStream = '', acknowledged] = words
  if (words.length !== 7 || ![from, stream, acknowledgedStream].every((one) => word.test(one))) return null
  const message = {
    ...{ from, stream, number: Number(number), part: Number(part), parts: Number(parts) },
    acknowledgedStream: acknowledgedStream === '-' ? '' : acknowledgedStream,
    acknowledged: acknowledged === undefined || acknowledged === '' ? [] : acknowledged.split(',').map(Number),
    piece: bytes.subarray(end + 1),
  }
  const { part: place, parts: count } = message
  const isPart = isCount(place) && isCount(count) && place < count && count <= mostParts
  return isPart && isCount(message.number) && message.acknowledged.every(isCount) ? message : null
}

/** A frame in pieces of at most so many bytes; an empty one is one piece. */
export function piecesOf(frame: Buffer, longestBytes: number): readonly Buffer[] {
  const pieces: Buffer[] = []
  for (let at = 0; at < frame.length || at === 0; at += longestBytes) pieces.push(frame.subarray(at, at + longestBytes))
  return pieces
}
