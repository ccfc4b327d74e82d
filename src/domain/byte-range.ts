/** Part of a content, half-open: from `start` up to, not including, `end`. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

const oneRange = /^bytes=\s*(?:(\d+)-(\d*)|-(\d+))\s*$/i

/**
 * What a `Range` header asks of a content of that many bytes (RFC 9110, section 14.2). whole: there is none, or one that a server may
 * ignore: malformed, another unit, several ranges.
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
