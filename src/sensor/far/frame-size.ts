import { longestFrameBytes } from './wire.ts'

/** The size limit of a station's frame. */
export interface FrameLimit {
  readonly bytes: number
  readonly depth: number
}

/** For every frame, even of kinds that only a later version knows. */
export const usualLimit: FrameLimit = { bytes: 65_536, depth: 16 }

/** Kinds that may need more. A larger frame names its kind first, so that nothing else must be read to learn it. */
const limitsOfKinds: ReadonlyMap<string, FrameLimit> = new Map([
  ['results', { bytes: longestFrameBytes, depth: 16 }],
  ['diagnosis', { bytes: 1_310_720, depth: 4 }],
])

/** Far above a full frame of results, and still quick to read. */
export const mostSigns = 200_000

const kindFirst = /^\s*\{\s*"kind"\s*:\s*"(\w{1,40})"/
const longestStart = 128

/** Throws if a frame is longer than its kind allows. Reads only the frame's beginning. */
export function limitOf(frame: Buffer): FrameLimit {
  const kind = kindFirst.exec(frame.toString('latin1', 0, longestStart))?.[1] ?? ''
  const limit = limitsOfKinds.get(kind) ?? usualLimit
  if (frame.length > limit.bytes) throw new Error(`a frame of ${frame.length} bytes, more than its kind may have`)
  return limit
}

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a] as const
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d] as const

/**
 * Counts the structural signs of a JSON text, which decide the cost of reading and keeping it. Of two texts of equal
 * length, one is a single text and the other a million empty lists. Throws if it is too deep or has too many. Other
 * faults of the JSON are found elsewhere.
 */
export function signsIn(frame: Buffer, { depth: deepest }: Pick<FrameLimit, 'depth'>): number {
  let [signs, depth] = [0, 0]
  for (let at = 0; at < frame.length; at++) {
    const byte = frame[at]
    if (byte === quote) at = endOfText(frame, at)
    else if (byte === comma || byte === colon) signs += 1
    else if (byte === closeList || byte === closeObject) depth -= 1
    else if (byte === openList || byte === openObject) {
      signs += 2
      depth += 1
      if (depth > deepest) throw new Error(`a frame deeper than ${deepest}`)
    }
  }
  if (signs > mostSigns) throw new Error(`a frame of ${signs} signs`)
  return signs
}

/** The index of the closing quote, or the frame's end if there is none. */
function endOfText(frame: Buffer, start: number): number {
  for (let end = frame.indexOf(quote, start + 1); end >= 0; end = frame.indexOf(quote, end + 1)) {
    let before = end - 1
    while (frame[before] === backslash) before -= 1
    if ((end - before) % 2 === 1) return end
  }
  return frame.length
}
