/**
 * A message between two processes: a line of plain text, then a piece of a frame. Frames of one stream are numbered
 * from 1. A message with number 0 has no piece. `acknowledged` lists the frames that arrived from the receiver.
 */
export interface BusMessage {
  readonly from: string
  /** The stream of the sender's frames to this receiver, for as long as both know each other. */
  readonly stream: string
  readonly number: number
  readonly part: number
  readonly parts: number
  /** The receiver's stream to which the acknowledgements belong. */
  readonly acknowledgedStream: string
  readonly acknowledged: readonly number[]
  readonly piece: Buffer
}

const lineEnd = 10
/** As many numbers as the head's limit has room for. */
export const mostAcknowledged = 500
/** The length limit of a head. */
export const longestHeadBytes = 8192

export function encodeMessage(message: BusMessage): Buffer {
  const { from, stream, number, part, parts, acknowledgedStream, acknowledged, piece } = message
  const head = `${from} ${stream} ${number} ${part} ${parts} ${acknowledgedStream || '-'} ${acknowledged.join(',')}\n`
  return Buffer.concat([Buffer.from(head, 'latin1'), piece])
}

const word = /^[\w-]{1,64}$/
/** The limit of pieces per frame. */
const mostParts = 4096

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}

/** Null if the bytes are no message. */
export function decodeMessage(bytes: Buffer): BusMessage | null {
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

/** Divides a frame into pieces of at most `longestBytes`; an empty frame is one piece. */
export function piecesOf(frame: Buffer, longestBytes: number): readonly Buffer[] {
  const pieces: Buffer[] = []
  for (let at = 0; at < frame.length || at === 0; at += longestBytes) pieces.push(frame.subarray(at, at + longestBytes))
  return pieces
}
