import { Failure } from '../../outgoing/failure.ts'
import { notSpoken } from '../../sensor/reply-codes.ts'

/** The part of BSON (bsonspec.org) that a greeting, a login and a ping are made of. */
export type BsonValue = number | string | boolean | Buffer | null | BsonDocument
export interface BsonDocument {
  readonly [name: string]: BsonValue
}

const types = { double: 1, text: 2, document: 3, array: 4, binary: 5, boolean: 8, null: 10, int32: 16 } as const
/**
 * Sizes of values that are skipped: object id, date, timestamp, int64, decimal128; undefined, minimum and maximum are
 * empty.
 */
const passedOver: Readonly<Record<number, number>> = { 6: 0, 7: 12, 9: 8, 17: 8, 18: 8, 19: 16, 127: 0, 255: 0 }
const deepest = 20
/** A greeting has some thirty, with all that is nested in it. */
const mostFields = 1000

export function encodeBson(document: BsonDocument): Buffer {
  const fields = Object.entries(document).map(([name, value]) => field(name, value))
  const body = Buffer.concat(fields)
  return Buffer.concat([int32(body.length + 5), body, Buffer.alloc(1)])
}

function field(name: string, value: BsonValue): Buffer {
  const head = (type: number) => Buffer.concat([Buffer.from([type]), Buffer.from(`${name}\0`)])
  if (value === null) return head(types.null)
  if (typeof value === 'number') return Buffer.concat([head(types.int32), int32(value)])
  if (typeof value === 'boolean') return Buffer.concat([head(types.boolean), Buffer.from([value ? 1 : 0])])
  if (typeof value === 'string') {
    const bytes = Buffer.from(`${value}\0`)
    return Buffer.concat([head(types.text), int32(bytes.length), bytes])
  }
  if (Buffer.isBuffer(value)) return Buffer.concat([head(types.binary), int32(value.length), Buffer.alloc(1), value])
  return Buffer.concat([head(types.document), encodeBson(value)])
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32LE(value)
  return bytes
}

/** Rejects what is cut, nested too deep or too much. Values of other types are left out. */
export function decodeBson(bytes: Buffer): BsonDocument {
  return documentIn(bytes, 0, { fields: mostFields })
}

function documentIn(bytes: Buffer, depth: number, left: { fields: number }): BsonDocument {
  if (depth > deepest || bytes.length < 5 || bytes.readInt32LE(0) !== bytes.length) throw cut()
  const found: [string, BsonValue][] = []
  for (let at = 4; at < bytes.length - 1; ) {
    left.fields -= 1
    if (left.fields < 0) throw new Failure('protocol_answer_too_large', `more than ${mostFields} fields`)
    const type = bytes[at] ?? 0
    const end = bytes.indexOf(0, at + 1)
    if (end < 0) throw cut()
    const name = bytes.toString('utf8', at + 1, end)
    const [value, next] = valueAt(bytes, type, end + 1, (inner) => documentIn(inner, depth + 1, left))
    if (value !== undefined) found.push([name, value])
    if (next > bytes.length - 1) throw cut()
    at = next
  }
  // A server may name a field like something that every object has.
  return Object.assign(Object.create(null), Object.fromEntries(found))
}

function valueAt(
  bytes: Buffer,
  type: number,
  at: number,
  decode: (inner: Buffer) => BsonDocument,
): readonly [BsonValue | undefined, number] {
  const skipped = passedOver[type]
  if (skipped !== undefined) return [undefined, at + skipped]
  if (type === types.null) return [null, at]
  if (type === types.boolean) return [bytes[at] === 1, at + 1]
  if (at + (type === types.double ? 8 : 4) > bytes.length) throw cut()
  if (type === types.double) return [bytes.readDoubleLE(at), at + 8]
  const size = bytes.readInt32LE(at)
  if (type === types.int32) return [size, at + 4]
  if (size < 0 || at + size > bytes.length) throw cut()
  if (type === types.text) return [bytes.toString('utf8', at + 4, at + 4 + Math.max(0, size - 1)), at + 4 + size]
  if (type === types.binary) return [Buffer.from(bytes.subarray(at + 5, at + 5 + size)), at + 5 + size]
  if (type === types.document) return [decode(bytes.subarray(at, at + size)), at + size]
  if (type === types.array) return [undefined, at + size]
  throw cut()
}

function cut(): Error {
  return notSpoken('a document that cannot be read')
}
