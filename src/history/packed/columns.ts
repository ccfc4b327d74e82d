/**
 * Columns of whole numbers as bytes. The lowest bytes of all numbers come first, then the next higher ones. Columns of
 * measurements differ in their low bytes only, so the rest compresses to nothing. The reader knows the count of
 * numbers. A list of 24 hours waits for these loops; a callback for each number would take several times as long.
 */

import { once } from './once.ts'

const widest = 8
/**
 * The limit of numbers per column; a day of checks every second from a hundred stations has half of that. A column of
 * zeros has no bytes, so its size limits nothing.
 */
const most = 16_777_216

/** Maps every integer to one that is not negative, keeping small ones small. Up to 52 bits. */
export function unsigned(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value
}

/** Avoids the remainder operator, which would take ten times as long as everything else. */
export function signed(value: number): number {
  const half = Math.floor(value / 2)
  return half * 2 === value ? half : -half - 1
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

  /** Writes integers from 0 to 2^53 - 1. */
  put(values: readonly number[]): void {
    for (const value of values)
      if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} is no number of a column.`)
    const width = widthOf(values)
    const part = new Uint8Array(1 + width * values.length)
    part[0] = width
    for (let level = 0, weight = 1; level < width; level++, weight *= 256) {
      const plane = part.subarray(1 + level * values.length)
      // A value assigned to a byte is taken modulo 256.
      for (let index = 0; index < values.length; index++) plane[index] = (values[index] ?? 0) / weight
    }
    this.#parts.push(part)
  }

  /** Writes integers of both signs. */
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

function valuesOf(bytes: Uint8Array, count: number): Float64Array {
  const values = new Float64Array(count)
  values.set(bytes.subarray(0, count))
  for (let start = count, weight = 256; start < bytes.length; start += count, weight *= 256) {
    for (let index = 0; index < count; index++)
      values[index] = (values[index] ?? 0) + (bytes[start + index] ?? 0) * weight
  }
  return values
}

function toSigned(values: Float64Array): Float64Array {
  for (let index = 0; index < values.length; index++) values[index] = signed(values[index] ?? 0)
  return values
}

/** Throws a RangeError if the bytes end early or do not come from a writer. */
export class ColumnReader {
  readonly #bytes: Uint8Array
  #place: number

  constructor(bytes: Uint8Array, place = 0) {
    this.#bytes = bytes
    this.#place = place
  }

  take(count: number): Float64Array {
    return valuesOf(this.#column(count), count)
  }

  takeSigned(count: number): Float64Array {
    return toSigned(this.take(count))
  }

  /** Continues after the column, which is read when it is needed. */
  later(count: number): () => Float64Array {
    const bytes = this.#column(count)
    return once(() => valuesOf(bytes, count))
  }

  laterSigned(count: number): () => Float64Array {
    const bytes = this.#column(count)
    return once(() => toSigned(valuesOf(bytes, count)))
  }

  laterText(): () => string {
    const [length = 0] = this.take(1)
    const bytes = this.#next(length)
    return once(() => Buffer.from(bytes).toString('utf8'))
  }

  skip(count: number): void {
    this.#column(count)
  }

  /** An independent reader from the same place on. */
  fork(): ColumnReader {
    return new ColumnReader(this.#bytes, this.#place)
  }

  #column(count: number): Uint8Array {
    if (count > most) throw new RangeError(`A column of ${count} numbers is longer than a day.`)
    const width = this.#next(1)[0] ?? 0
    if (width > widest) throw new RangeError('A column is wider than a number.')
    return this.#next(width * count)
  }

  #next(length: number): Uint8Array {
    const end = this.#place + length
    if (end > this.#bytes.length) throw new RangeError('The columns end early.')
    const part = this.#bytes.subarray(this.#place, end)
    this.#place = end
    return part
  }
}
