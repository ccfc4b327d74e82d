/**
 * Rows as JSON without building the rows. `JSON.stringify` needs an object per row. Making those, writing their text
 * and converting it to bytes takes longer than writing the bytes from columns. Numbers and texts are converted
 * directly.
 */
import type { Column } from '../domain/queries/columns.ts'

/** A member of the object of each row. */
export interface Member {
  readonly name: string
  readonly at: Column
}

const [quotationMark, backslash, minus, zero, space, tilde] = [0x22, 0x5c, 0x2d, 0x30, 0x20, 0x7e] as const
const digitsOfInteger = 16
const startLength = 2048

const ascii = (text: string) => Buffer.from(text, 'latin1')
const [nothing, yes, no] = ['null', 'true', 'false'].map(ascii) as [Buffer, Buffer, Buffer]

/** Writes the decimal digits of an integer from 0 on that end before `end`; returns where they begin. */
function putDigits(bytes: Uint8Array, value: number, end: number): number {
  let [rest, place] = [value, end]
  do {
    const tenth = Math.floor(rest / 10)
    bytes[--place] = zero + (rest - tenth * 10)
    rest = tenth
  } while (rest > 0)
  return place
}

class JsonBytes {
  #bytes = Buffer.allocUnsafe(startLength)
  #length = 0

  written(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  /** Makes room for as many times as much as there is, with some to spare. */
  expect(times: number): void {
    this.#withRoom(Math.ceil(this.#length * times * 1.1))
  }

  get length(): number {
    return this.#length
  }

  /** Writes once more what stands between two places. */
  repeat(from: number, to: number): void {
    const bytes = this.#withRoom(to - from)
    bytes.copyWithin(this.#length, from, to)
    this.#length += to - from
  }

  put(ready: Uint8Array): void {
    const bytes = this.#withRoom(ready.length)
    const from = this.#length
    for (let index = 0; index < ready.length; index++) bytes[from + index] = ready[index] ?? 0
    this.#length = from + ready.length
  }

  /** Writes the same as `JSON.stringify`; null for a value that JSON cannot express. */
  putValue(value: unknown): void {
    if (typeof value === 'number' && Number.isSafeInteger(value)) this.#putInteger(value)
    else if (typeof value === 'string') this.#putText(value)
    else if (value === null) this.put(nothing)
    else if (typeof value === 'boolean') this.put(value ? yes : no)
    else this.#putJson(JSON.stringify(value) ?? 'null')
  }

  #putJson(json: string): void {
    const bytes = this.#withRoom(3 * json.length)
    this.#length += bytes.write(json, this.#length)
  }

  #putText(text: string): void {
    const bytes = this.#withRoom(text.length + 2)
    const from = this.#length + 1
    let index = 0
    for (; index < text.length; index++) {
      const code = text.charCodeAt(index)
      if (code < space || code > tilde || code === quotationMark || code === backslash) break
      bytes[from + index] = code
    }
    if (index < text.length) this.#putJson(JSON.stringify(text))
    else {
      bytes[from - 1] = quotationMark
      bytes[from + index] = quotationMark
      this.#length = from + index + 1
    }
  }

  #putInteger(value: number): void {
    const bytes = this.#withRoom(1 + digitsOfInteger)
    if (value < 0) bytes[this.#length++] = minus
    const size = Math.abs(value)
    let count = 1
    for (let power = 10; size >= power; power *= 10) count++
    putDigits(bytes, size, this.#length + count)
    this.#length += count
  }

  #withRoom(length: number): Buffer {
    const needed = this.#length + length
    if (needed <= this.#bytes.length) return this.#bytes
    const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#bytes.length))
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
    return larger
  }
}

const [opening, closing, comma, brace, end] = ['[', ']', ',', '{', '}'].map(ascii) as [
  Buffer,
  Buffer,
  Buffer,
  Buffer,
  Buffer,
]

/**
 * Writes objects one after the other. Neighbours share most of their values, so their bytes are copied in one piece
 * instead of made again.
 */
class RowWriter {
  readonly #json: JsonBytes
  readonly #members: readonly { readonly head: Buffer; readonly at: Column }[]
  /** The values of the previous row. */
  readonly #values: unknown[]
  /** Where each member of the row before begins, and where the last one ends. */
  readonly #starts: Float64Array

  constructor(json: JsonBytes, members: readonly Member[]) {
    this.#json = json
    this.#members = members.map(({ name, at }, index) => ({ head: ascii(`${index === 0 ? '' : ','}"${name}":`), at }))
    // A value that no row has.
    this.#values = members.map(() => this)
    this.#starts = new Float64Array(members.length + 1)
  }

  put(place: number): void {
    const [json, members, values, starts] = [this.#json, this.#members, this.#values, this.#starts]
    json.put(brace)
    let same = 0
    for (let index = 0; index < members.length; index++) {
      const member = members[index]
      const value = member?.at(place)
      if (member === undefined || value === values[index]) continue
      this.#repeat(same, index)
      starts[index] = json.length
      json.put(member.head)
      json.putValue(value)
      values[index] = value
      same = index + 1
    }
    this.#repeat(same, members.length)
    starts[members.length] = json.length
    json.put(end)
  }

  /** The members of the row before from one to another, the latter left out. */
  #repeat(from: number, to: number): void {
    if (from === to) return
    const starts = this.#starts
    const start = starts[from] ?? 0
    const shift = this.#json.length - start
    this.#json.repeat(start, starts[to] ?? 0)
    for (let index = from; index < to; index++) starts[index] = (starts[index] ?? 0) + shift
  }
}

/** The rows at the places from 0 as the bytes of an array of objects. */
export function jsonOfRows(members: readonly Member[], rows: number): Buffer {
  const json = new JsonBytes()
  const writer = new RowWriter(json, members)
  json.put(opening)
  for (let place = 0; place < rows; place++) {
    if (place > 0) json.put(comma)
    writer.put(place)
    if (place === 0) json.expect(rows)
  }
  json.put(closing)
  return json.written()
}
