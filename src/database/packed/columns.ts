/**
 * Columns of whole numbers as bytes. The lowest bytes of all numbers stand together, then the next higher ones: columns of
 * measurements differ in their low bytes only, so the rest compresses to nothing. The reader knows how many numbers there are.
 */

const widest = 8

/** Every integer as one that is not negative, small ones staying small. Up to 52 bits. */
export function unsigned(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value
}

export function signed(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2
}

function widthOf(values: readonly number[]): number {
  let largest = 0
  for (const value of values) if (value > largest) largest = value
  let width = 0
  while (largest >= 1) {
    largest /= 256
    width++
  }
  return width
}

export class ColumnWriter {
  readonly #parts: Uint8Array[] = []

  /** Of integers from 0 to 2^53 - 1. */
  put(values: readonly number[]): void {
    for (const value of values)
      if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} is no number of a column.`)
    const width = widthOf(values)
    const part = new Uint8Array(1 + width * values.length)
    part[0] = width
    for (let level = 0, weight = 1; level < width; level++, weight *= 256) {
      const plane = part.subarray(1 + level * values.length)
      // What is assigned to a byte is taken modulo 256.
      for (let index = 0; index < values.length; index++) plane[index] = (values[index] ?? 0) / weight
    }
    this.#parts.push(part)
  }

  /** Of integers of both signs. */
  putSigned(values: readonly number[]): void {
    this.put(values.map(unsigned))
  }

  putText(text: string): void {
    const bytes = Buffer.from(text, 'utf8')
    this.put([bytes.length])
    this.#parts.push(bytes)
  }

  bytes(): Buffer {
    return Buffer.concat(this.#parts)
  }
}

/** Throws a RangeError where the bytes end early or cannot be of a writer. */
export class ColumnReader {
  readonly #bytes: Uint8Array
  #place = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  take(count: number): number[] {
    const width = this.#next(1)[0] ?? 0
    if (width > widest) throw new RangeError('A column is wider than a number.')
    const bytes = this.#next(width * count)
    const values = new Array<number>(count).fill(0)
    for (let level = 0, weight = 1; level < width; level++, weight *= 256) {
      const plane = bytes.subarray(level * count, (level + 1) * count)
      for (let index = 0; index < count; index++) values[index] = (values[index] ?? 0) + (plane[index] ?? 0) * weight
    }
    return values
  }

  takeSigned(count: number): number[] {
    return this.take(count).map(signed)
  }

  skip(count: number): void {
    this.#next((this.#next(1)[0] ?? 0) * count)
  }

  takeText(): string {
    const [length = 0] = this.take(1)
    return Buffer.from(this.#next(length)).toString('utf8')
  }

  get isAtEnd(): boolean {
    return this.#place === this.#bytes.length
  }

  #next(length: number): Uint8Array {
    const end = this.#place + length
    if (end > this.#bytes.length) throw new RangeError('The columns end early.')
    const part = this.#bytes.subarray(this.#place, end)
    this.#place = end
    return part
  }
}
