import { longestFrameBytes } from './wire.ts'

/** How large a frame of a station may be. */
export interface FrameLimit {
  readonly bytes: number
  readonly depth: number
}

/** Of a frame of any kind, also of kinds that only a later version knows. */
export const usualLimit: FrameLimit = { bytes: 65_536, depth: 16 }

/** Kinds that may need more. A larger frame names its kind first: nothing else of it is read to learn it. */
const limitsOfKinds: ReadonlyMap<string, FrameLimit> = new Map([
  ['results', { bytes: longestFrameBytes, depth: 16 }],
  ['diagnosis', { bytes: 1_310_720, depth: 4 }],
])

/** Far above what a full frame of results has, and little to read. */
export const mostSigns = 200_000

const kindFirst = /^\s*\{\s*"kind"\s*:\s*"(\w{1,40})"/
const longestStart = 128

/** Throws for a frame that is longer than one of its kind may be. Reads its beginning alone. */
export function limitOf(frame: Buffer): FrameLimit {
  const kind = kindFirst.exec(frame.toString('latin1', 0, longestStart))?.[1] ?? ''
  const limit = limitsOfKinds.get(kind) ?? usualLimit
  if (frame.length > limit.bytes) throw new Error(`a frame of ${frame.length} bytes, more than its kind may have`)
  return limit
}

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a] as const
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d] as const

/**
 * The signs of structure in a JSON text, which is what it costs to read it and to keep it: of two texts of one length, one is a text and the other
 * a million empty lists. Throws for what is too deep or has too many. What is no JSON is somebody else's finding.
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

/** Where the closing quote stands; the end of the frame where there is none. */
function endOfText(frame: Buffer, start: number): number {
  for (let end = frame.indexOf(quote, start + 1); end >= 0; end = frame.indexOf(quote, end + 1)) {
    let before = end - 1
    while (frame[before] === backslash) before -= 1
    if ((end - before) % 2 === 1) return end
  }
  return frame.length
}
