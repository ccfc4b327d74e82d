/** A part of some content, half-open: from `start` up to, not including, `end`. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

const oneRange = /^bytes=\s*(?:(\d+)-(\d*)|-(\d+))\s*$/i

/**
 * The part that a `Range` header asks for, of a content of `size` bytes (RFC 9110, section 14.2). `whole`: there is no
 * header, or one that a server may ignore: malformed, in another unit, or with several ranges.
 */
export function requestedRange(header: string | undefined, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  const [, first, last, suffix] = oneRange.exec(header ?? '') ?? []
  if (suffix !== undefined) {
    const length = Math.min(Number(suffix), size)
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size }
  }
  if (first === undefined) return 'whole'
  const [start, end] = [Number(first), last === '' ? size : Math.min(Number(last) + 1, size)]
  if (last !== '' && Number(last) < start) return 'whole'
  return start >= size ? 'unsatisfiable' : { start, end }
}
